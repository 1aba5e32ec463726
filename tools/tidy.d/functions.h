// Finds the functions of a C++ file by their shape: signature, body, depth of nesting.
//
// Works on tokens, so that coroutines and macros that a parser of another compiler trips over are measured too. It
// reads the house's style; code that clang-format has seen is what it expects.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "tree.h"

namespace ashlar::tidy {

struct Function {
  std::string_view name;   // the last word before its parameters; empty for a lambda
  size_t first_token = 0;  // of the signature
  size_t last_token = 0;   // the closing brace
  size_t first_line = 0;
  size_t last_line = 0;
  size_t parameters = 0;
  size_t bool_parameters = 0;
  size_t deepest = 0;  // braces of control statements inside one another; a lambda starts anew
  size_t deepest_line = 0;

  size_t Lines() const { return last_line - first_line + 1; }
};

// Every function and lambda with a body in `tokens`, in the order of their closing braces.
std::vector<Function> FindFunctions(const std::vector<Token>& tokens);

}  // namespace ashlar::tidy
