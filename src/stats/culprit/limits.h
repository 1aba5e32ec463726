// The numbers of culprit finding. They are house rules; `tools/bench culprits` shows what they achieve.
#pragma once

#include <cstddef>

namespace ashlar::stats {

// Before any test: the chance that some node of the cluster is at fault, some link, some switch. Half and a fifth say
// that faults are common enough to look for, and that a node is the first guess.
inline constexpr double kPriorNode = 0.5;
inline constexpr double kPriorLink = 0.2;
inline constexpr double kPriorSwitch = 0.2;
inline constexpr int kSymptoms = 4;

// A fault is accused when it is this likely to be there at all, and pinned on the fewest places that hold this share.
inline constexpr double kAccuse = 0.99;
inline constexpr double kPin = 0.97;
// What is at least this likely is told as not cleared; the search goes on while something is half a percent likely, and
// tests again whatever is not far below where that costs nothing.
inline constexpr double kDoubt = 0.05;
inline constexpr double kClear = 0.005;
inline constexpr double kHint = 2e-4;
inline constexpr size_t kMaxHints = 512;
inline constexpr size_t kMaxAccusations = 16;

// A healthy test that is far off for no reason that comes again, and one that gives wrong data, hangs or crashes so.
inline constexpr double kStraySpeed = 0.002;
inline constexpr double kStrayOutcome = 1e-4;
// Speeds of faults lie within e^-5 of the healthy one and e^1 above.
inline constexpr double kStrayDensity = 1.0 / 6;
// How often the run names the right node when it names any.
inline constexpr double kBlameIsRight = 0.9;

// A fault that takes less than this (in ln: 8 %) is not looked for.
inline constexpr double kLeastSlowdown = 0.08;
// Faults slow down by up to a factor of 20: the width, in ln, that their slowdowns are spread over.
inline constexpr double kSlowdownRange = 3.0;
inline constexpr size_t kMaxShifts = 24;
// Places are weighed whose tests are together this surprising (-ln of twice the chance): one test of chance 7 %.
inline constexpr double kWorthWeighing = 2;
// Among up to so many nodes each link is weighed (276 of 24); more are first tested in halves.
inline constexpr size_t kMaxNodesToTryLinks = 24;
// A group this slow without a culprit (-ln of twice the chance: 1 in 490) is tested in halves, until few of its links
// are left that no test that is not slow (a chance of 1 in 10) has cleared.
inline constexpr double kUnexplained = 5.5;
inline constexpr double kHealthySurprise = 1.6;
inline constexpr double kLeastOpenShare = 1.0 / 64;

// Healthy speeds: fewer tests than this say nothing; noise below 1 % is not believed.
inline constexpr double kMinHealthyTests = 4;
inline constexpr double kMinHealthySigma = 0.01;
// A width that few tests give is not believed either: it counts as if so many more had given this one.
inline constexpr double kUsualSigma = 0.05;
inline constexpr double kUsualTests = 5;
inline constexpr double kMinModeShare = 0.05;
// The slow one of two healthy modes has at least 70 % of the fast one's speed; what is slower is not healthy.
inline constexpr double kMaxModeGap = 0.357;
inline constexpr int kModeIterations = 30;
// Kinds of up to so many tests are learned again without the tests of each of the first candidates, and of switches.
inline constexpr size_t kMaxTestsToRelearn = 2000;
inline constexpr size_t kCandidatesToRelearn = 8;
inline constexpr size_t kMaxRelearned = 40;

// Rounds in all: at most this many times log2(nodes). Up to half of them are groups that bring every two nodes together
// once; where so few suffice to pair all, there are no groups.
inline constexpr double kMaxRoundsPerLog = 3.0;
inline constexpr int kLeastPairRounds = 2;

}  // namespace ashlar::stats
