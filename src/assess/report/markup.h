// Text made safe for XML and HTML, in content and in attribute values with double quotes.
#pragma once

#include <string>
#include <string_view>

namespace ashlar::assess {

// & < > " ' become references; characters that XML 1.0 does not allow, and bytes that are not UTF-8, become U+FFFD.
std::string EscapeMarkup(std::string_view text);

}  // namespace ashlar::assess
