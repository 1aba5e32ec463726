#include "assess/report/markup.h"

#include <gtest/gtest.h>

namespace ashlar::assess {
namespace {

struct Row {
  std::string_view text;
  std::string_view escaped;
};

// Allowed characters: XML 1.0 (fifth edition), production 2.
TEST(MarkupTest, Escapes) {
  const Row rows[] = {
      {"", ""},
      {"plain", "plain"},
      {"<script>alert('x')</script>", "&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;"},
      {"a & \"b\"", "a &amp; &quot;b&quot;"},
      {"tab\tand\nline", "tab\tand\nline"},
      {std::string_view("nul\0bell\x07", 9),
       "nul\xEF\xBF\xBD"
       "bell\xEF\xBF\xBD"},
      {"µs → €", "µs → €"},
      {"bad \xC3(", "bad \xEF\xBF\xBD("},
      {"cut \xE2\x82", "cut \xEF\xBF\xBD\xEF\xBF\xBD"},
      {"\xEF\xBF\xBE", "\xEF\xBF\xBD"},
      {"\xF0\x9F\x98\x80", "\xF0\x9F\x98\x80"},
  };
  for (const Row& row : rows) EXPECT_EQ(EscapeMarkup(row.text), row.escaped) << row.text;
}

}  // namespace
}  // namespace ashlar::assess
