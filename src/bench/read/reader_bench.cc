// Reading logs: a large one with every rank's messages in it, and many small ones; the ceiling is finding the lines.
#include "bench/read/reader.h"

#include <benchmark/benchmark.h>

#include <cstring>

namespace ashlar::bench {
namespace {

constexpr size_t kLargeBytes = size_t{64} << 20U;
constexpr int kFiles = 400;

std::string Sample() {
  return os::ReadWholeFile(os::RealFileSystem(), ASHLAR_SOURCE_ROOT "/src/bench/read/testdata/all_reduce_2_17.log",
                           {base::kMiB})
      .value();
}

// One run after another under one mark, and between its lines the messages of 8 ranks under theirs.
std::string Interleaved() {
  const std::string sample = Sample();
  const auto lines = base::SplitLines(sample);
  std::string text;
  while (text.size() < kLargeBytes) {
    for (std::string_view line : lines) {
      text += fmt::format("[1,0]<stdout>:{}\n", line);
      for (int rank = 0; rank < 8; ++rank) {
        text += fmt::format(
            "[1,{0}]<stdout>:node-{0}:4711:4712 [{0}] NCCL INFO Channel 0{0}/0 : {0}[{0}] -> 1[1] via P2P\n", rank);
      }
    }
  }
  return text;
}

void ReadLarge(benchmark::State& state) {
  const std::string text = Interleaved();
  for (auto unused : state) {
    if (ReadText(text, "large.log").empty()) state.SkipWithError("nothing was read");
  }
  state.SetBytesProcessed(static_cast<int64_t>(text.size()) * static_cast<int64_t>(state.iterations()));
}
BENCHMARK(ReadLarge)->Unit(benchmark::kMillisecond)->Name("read/one interleaved log of 64 MiB");

void FindLines(benchmark::State& state) {
  const std::string text = Interleaved();
  for (auto unused : state) {
    size_t lines = 0;
    const char* at = text.data();
    const char* const end = at + text.size();
    while (at != nullptr && at < end) {
      at = static_cast<const char*>(std::memchr(at, '\n', static_cast<size_t>(end - at)));
      if (at != nullptr) ++at;
      ++lines;
    }
    benchmark::DoNotOptimize(lines);
  }
  state.SetBytesProcessed(static_cast<int64_t>(text.size()) * static_cast<int64_t>(state.iterations()));
}
BENCHMARK(FindLines)->Unit(benchmark::kMillisecond)->Name("read/finding its lines alone");

void ReadMany(benchmark::State& state) {
  auto& files = os::RealFileSystem();
  const auto folder = os::TemporaryDirectory::Create();
  const std::string sample = Sample();
  for (int i = 0; i < kFiles; ++i) {
    const auto file = files.Open(fmt::format("{}/{}.log", folder->path(), i), os::OpenMode::kCreateNew);
    if (!file.ok() || !(*file)->Append(sample).ok()) state.SkipWithError("the logs cannot be made");
  }
  for (auto unused : state) {
    if (ReadResults(files, {folder->path()}, "").runs.size() != kFiles) state.SkipWithError("logs are missing");
  }
  state.SetItemsProcessed(kFiles * static_cast<int64_t>(state.iterations()));
}
BENCHMARK(ReadMany)->Unit(benchmark::kMillisecond)->Name("read/400 logs of one folder");

}  // namespace
}  // namespace ashlar::bench
