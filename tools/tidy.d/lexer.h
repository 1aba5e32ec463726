// Just enough of C++'s lexical rules to look at code without its comments and literals.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tree.h"

namespace ashlar::tidy {

// The text with comments and the contents of string and character literals as blanks; line feeds and quotes stay.
std::string BlankCommentsAndLiterals(std::string_view text);

// The tokens of code that BlankCommentsAndLiterals made; preprocessor lines, continued ones too, have none.
std::vector<Token> Tokenize(std::string_view code);

}  // namespace ashlar::tidy
