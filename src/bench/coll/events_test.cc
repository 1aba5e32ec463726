#include "bench/coll/events.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "bench/coll/collectives.h"
#include "bench/coll/limits.h"

namespace ashlar::bench {
namespace {

using ::testing::HasSubstr;

std::vector<std::string> ReadAll(std::string_view stream, size_t piece, base::Status* error) {
  std::vector<std::string> seen;
  EventReader reader([&seen](SessionEvent event, const base::Json& body) {
    seen.push_back(fmt::format("{} {}", static_cast<int>(event), base::WriteJson(body)));
  });
  for (size_t at = 0; at < stream.size(); at += piece) reader.Take(stream.substr(at, piece));
  *error = reader.error();
  return seen;
}

TEST(Events, ComeThroughInWhateverPieces) {
  const std::string stream = EventLine(SessionEvent::kHeader, base::JsonObject{{"a", 1}}) + "mpirun says hello\n\n" +
                             EventLine(SessionEvent::kRow, base::JsonObject{{"text", "with \n in it"}}) +
                             EventLine(SessionEvent::kDocument, nullptr);
  for (const size_t piece : {size_t{1}, size_t{7}, stream.size()}) {
    base::Status error;
    EXPECT_THAT(ReadAll(stream, piece, &error),
                ::testing::ElementsAre("0 {\"a\":1}", "1 {\"text\":\"with \\n in it\"}", "2 null"));
    EXPECT_TRUE(error.ok());
  }
}

TEST(Events, TheFirstErrorCounts) {
  base::Status error;
  const std::string stream = ErrorLine(base::Error(base::StatusCode::kNotFound, "no module")) +
                             ErrorLine(base::Error(base::StatusCode::kInternal, "second"));
  EXPECT_TRUE(ReadAll(stream, 100, &error).empty());
  EXPECT_EQ(error.code(), base::StatusCode::kNotFound);
  EXPECT_EQ(base::Message(error), "no module");
}

TEST(Events, DamagedLinesAreAnError) {
  for (const char* line : {"{\"ashlar\":", "{\"ashlar\":3}\n", "{\"ashlar\":\"row\",}\n"}) {
    base::Status error;
    EXPECT_TRUE(ReadAll(std::string(line) + "\n", 100, &error).empty());
    EXPECT_EQ(error.code(), base::StatusCode::kInvalidArgument) << line;
  }
  base::Status error;
  ReadAll("{\"ashlar\":\"error\"}\n", 100, &error);
  EXPECT_THAT(std::string(base::Message(error)), HasSubstr("without a word"));
}

TEST(Events, LinesOverTheLimitAreDropped) {
  base::Status error;
  const std::string row = EventLine(SessionEvent::kRow, 1);
  EXPECT_EQ(ReadAll(std::string(kMaxEventLineBytes, 'x') + "\n" + row, 1 << 20U, &error).size(), 1U);
  EXPECT_TRUE(error.ok());
  EXPECT_EQ(ReadAll(std::string(kMaxEventLineBytes + 1, 'x') + "\n" + row, 1 << 20U, &error).size(), 1U);
  EXPECT_EQ(error.code(), base::StatusCode::kResourceExhausted);
}

}  // namespace
}  // namespace ashlar::bench
