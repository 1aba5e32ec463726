#include "node/kernel/pressure.h"

#include "node/kernel/text_scanner.h"

namespace ashlar::node {
namespace {

// "avg10=0.12"; nullopt when the key is another one or the value no percentage.
std::optional<double> ReadAverage(std::string_view word, std::string_view key) {
  if (!word.starts_with(key)) return std::nullopt;
  const auto number = base::ParseDouble(word.substr(key.size()));
  if (!number || *number < 0 || *number > 100) return std::nullopt;
  return number;
}

std::optional<PressureLine> ReadLine(WordScanner& words) {
  constexpr std::string_view kTotal = "total=";
  const auto ten = ReadAverage(words.Next(), "avg10=");
  const auto sixty = ReadAverage(words.Next(), "avg60=");
  const auto three_hundred = ReadAverage(words.Next(), "avg300=");
  const std::string_view last = words.Next();
  if (!ten || !sixty || !three_hundred || !last.starts_with(kTotal) || !words.AtEnd()) return std::nullopt;
  const auto total = base::ParseUint64(last.substr(kTotal.size()));
  if (!total) return std::nullopt;
  return PressureLine{*ten, *sixty, *three_hundred, *total};
}

}  // namespace

base::StatusOr<Pressure> ParsePressure(std::string_view text) {
  Pressure pressure;
  LineScanner lines(text);
  std::string_view line;
  while (lines.Next(line)) {
    WordScanner words(line);
    const std::string_view kind = words.Next();
    const auto read = ReadLine(words);
    if (!read || (kind != "some" && kind != "full")) {
      return MalformedLine("/proc/pressure", lines.number(), line, "no pressure line");
    }
    (kind == "some" ? pressure.some : pressure.full) = read;
  }
  if (!pressure.some && !pressure.full) {
    return base::Error(base::StatusCode::kInvalidArgument, "/proc/pressure: an empty file");
  }
  return pressure;
}

}  // namespace ashlar::node
