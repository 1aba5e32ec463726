#include "node/nhc/file_checks.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <optional>

#include "node/checks/finding.h"
#include "node/nhc/arguments.h"
#include "node/nhc/conf_lines.h"
#include "node/nhc/match.h"

namespace ashlar::node {
namespace {

using Arguments = std::vector<std::string>;

// What stat(2) and lstat(2) say; absent when there is no such file.
struct FileFacts {
  std::optional<struct stat> target;
  std::optional<struct stat> link;
};

base::StatusOr<std::optional<struct stat>> StatOf(const std::string& path, int flags) {
  struct stat status {};
  if (fstatat(AT_FDCWD, path.c_str(), &status, flags) == 0) return status;
  // A path that leads nowhere is an answer; one that cannot be followed is none.
  if (errno == ENOENT || errno == ENOTDIR || errno == ELOOP) return std::optional<struct stat>();
  return base::ErrnoStatus(errno, "stat of " + path);
}

base::StatusOr<FileFacts> ReadFacts(const std::string& path) {
  FileFacts facts;
  ASHLAR_ASSIGN_OR_RETURN(facts.target, StatOf(path, 0));
  ASHLAR_ASSIGN_OR_RETURN(facts.link, StatOf(path, AT_SYMLINK_NOFOLLOW));
  return facts;
}

bool MayAccess(const std::string& path, int mode) { return faccessat(AT_FDCWD, path.c_str(), mode, AT_EACCESS) == 0; }

// One operator of test(1).
bool Holds(char test, const std::string& path, const FileFacts& facts) {
  if (test == 'L' || test == 'h') return facts.link && S_ISLNK(facts.link->st_mode);
  if (!facts.target) return false;
  const struct stat& file = *facts.target;
  switch (test) {
    case 'e': return true;
    case 'b': return S_ISBLK(file.st_mode);
    case 'c': return S_ISCHR(file.st_mode);
    case 'd': return S_ISDIR(file.st_mode);
    case 'f': return S_ISREG(file.st_mode);
    case 'p': return S_ISFIFO(file.st_mode);
    case 'S': return S_ISSOCK(file.st_mode);
    case 's': return file.st_size > 0;
    case 'g': return (file.st_mode & S_ISGID) != 0;
    case 'k': return (file.st_mode & S_ISVTX) != 0;
    case 'u': return (file.st_mode & S_ISUID) != 0;
    case 'O': return file.st_uid == geteuid();
    case 'G': return file.st_gid == getegid();
    case 'r': return MayAccess(path, R_OK);
    case 'w': return MayAccess(path, W_OK);
    case 'x': return MayAccess(path, X_OK);
    default: return false;
  }
}

struct FileTestPlan {
  std::string tests;  // letters
  bool negated = false;
  std::vector<std::string> paths;
};

std::string PlanText(const FileTestPlan& plan) {
  std::string text = plan.negated ? "none of" : "all of";
  for (const char test : plan.tests) text += fmt::format(" -{}", test);
  return fmt::format("{} for {}", text, base::Join(plan.paths, ", "));
}

base::Finding CheckFileTest(const CheckContext& context, const FileTestPlan& plan) {
  base::Finding finding =
      StartFinding({"file", fmt::format("stat and access as user {}", static_cast<uint64_t>(geteuid()))});
  Expect(finding, PlanText(plan), "");
  std::vector<std::string> wrong;
  for (const auto& path : plan.paths) {
    const std::string full = context.system.root() + path;
    const auto facts = ReadFacts(full);
    if (!facts.ok()) return CannotTell(std::move(finding), facts.status());
    for (const char test : plan.tests) {
      if (Holds(test, full, *facts) == plan.negated) wrong.push_back(fmt::format("-{} {}", test, path));
    }
  }
  const size_t all = plan.tests.size() * plan.paths.size();
  finding.value = fmt::format("{} of {}", all - wrong.size(), all);
  if (wrong.empty()) return Pass(std::move(finding));
  return Fail(std::move(finding), fmt::format("{} {}: look at the file (stat FILE), put it right", FewNames(wrong),
                                              plan.negated ? "holds" : "does not hold"));
}

struct ContentsPlan {
  std::string path;
  std::vector<std::string> expressions;  // a leading ! is: no line matches
};

// Whether each expression is fulfilled, as text for those that are not.
base::StatusOr<std::vector<std::string>> UnmetExpressions(const ContentsPlan& plan,
                                                          const std::vector<ConfLine>& lines) {
  std::vector<std::string> unmet;
  for (const auto& expression : plan.expressions) {
    const bool negated = expression.starts_with('!');
    ASHLAR_ASSIGN_OR_RETURN(const NhcMatch match, NhcMatch::Parse(expression.substr(negated ? 1 : 0)));
    const auto found =
        std::find_if(lines.begin(), lines.end(), [&](const ConfLine& line) { return match.Matches(line.text); });
    if (!negated && found == lines.end()) unmet.push_back(fmt::format("no line matches {}", expression));
    if (negated && found != lines.end()) {
      unmet.push_back(fmt::format("line {} matches {}", found->number, expression.substr(1)));
    }
  }
  return unmet;
}

base::Finding CheckContents(const CheckContext& context, const ContentsPlan& plan) {
  base::Finding finding = StartFinding({"contents", plan.path});
  Expect(finding, base::Join(plan.expressions, ", "), "");
  const auto text = context.system.Read(plan.path);
  if (text.status().code() == base::StatusCode::kNotFound) {
    return Fail(std::move(finding), fmt::format("there is no file {}", plan.path));
  }
  if (!text.ok()) return CannotTell(std::move(finding), text.status());
  const auto lines = ReadConfLines(*text);
  if (!lines.ok()) return CannotTell(std::move(finding), base::Annotate(lines.status(), plan.path));
  for (const auto& line : *lines) {
    if (line.problem.empty()) continue;
    return CannotTell(std::move(finding), fmt::format("{} line {}: {}", plan.path, line.number, line.problem));
  }
  const auto unmet = UnmetExpressions(plan, *lines);
  if (!unmet.ok()) return CannotTell(std::move(finding), unmet.status());
  finding.value = fmt::format("{} of {}", plan.expressions.size() - unmet->size(), plan.expressions.size());
  if (unmet->empty()) return Pass(std::move(finding));
  return Fail(std::move(finding), fmt::format("{}: correct {}", FewNames(*unmet), plan.path));
}

base::Status WantFile(const std::string& path) {
  if (!path.starts_with('/')) {
    return base::Error(base::StatusCode::kInvalidArgument, "\"{}\" is no path from / on", path);
  }
  if (path.find_first_of("*?[") != std::string::npos) {
    return base::Error(base::StatusCode::kUnimplemented, "{} is a glob: name the files", path);
  }
  return base::OkStatus();
}

}  // namespace

base::StatusOr<MappedCheck> MapFileTest(const Arguments& arguments) {
  ASHLAR_ASSIGN_OR_RETURN(const NhcOptions options, ParseNhcOptions(arguments, "!GLNOSbcdefghkprstuwx"));
  FileTestPlan plan{.paths = options.rest};
  for (const auto& [letter, value] : options.given) {
    if (letter == 'N' || letter == 't') {
      return base::Error(base::StatusCode::kUnimplemented, "-{} is not read here: leave it out", letter);
    }
    if (letter == '!') {
      plan.negated = true;
    } else if (plan.tests.find(letter) == std::string::npos) {
      plan.tests.push_back(letter);
    }
  }
  if (plan.tests.empty() || plan.paths.empty()) {
    return base::Error(base::StatusCode::kInvalidArgument, "want a test as -r and a file");
  }
  for (const auto& path : plan.paths) ASHLAR_RETURN_IF_ERROR(WantFile(path));
  return MappedCheck{.becomes = PlanText(plan), .time_limit = kNhcDisk, .run = [plan](const CheckContext& context) {
                       return CheckFileTest(context, plan);
                     }};
}

base::StatusOr<MappedCheck> MapFileContents(const Arguments& arguments) {
  ASHLAR_RETURN_IF_ERROR(WantArguments(arguments, 2, kMaxNhcWords, "FILE and an expression or more"));
  ASHLAR_RETURN_IF_ERROR(WantFile(arguments[0]));
  ContentsPlan plan{arguments[0], {arguments.begin() + 1, arguments.end()}};
  for (const auto& expression : plan.expressions) {
    ASHLAR_RETURN_IF_ERROR(NhcMatch::Parse(expression.substr(expression.starts_with('!') ? 1 : 0)).status());
  }
  return MappedCheck{.becomes = fmt::format("lines of {}: {}", plan.path, base::Join(plan.expressions, ", ")),
                     .time_limit = kNhcDisk,
                     .run = [plan](const CheckContext& context) { return CheckContents(context, plan); }};
}

}  // namespace ashlar::node
