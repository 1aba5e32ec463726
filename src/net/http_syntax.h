// The characters and lists of HTTP (RFC 9110 section 5.6). Any thread may call these.
#pragma once

#include <string_view>

namespace ashlar::net {

// 1*tchar: what a method or a header name may be.
bool IsToken(std::string_view text);

// Visible ASCII, bytes from 0x80, blanks and tabs: what a header value may hold. Never CR, LF, NUL or another control.
bool IsFieldValue(std::string_view text);

// Visible ASCII without '#': what a request target may hold.
bool IsTargetText(std::string_view text);

// host[:port] as in a Host header: no user name, no path, not empty.
bool IsAuthority(std::string_view text);

// ASCII letters without regard to case.
bool EqualsIgnoringCase(std::string_view a, std::string_view b);

// Without blanks and tabs at both ends.
std::string_view TrimBlanks(std::string_view text);

}  // namespace ashlar::net
