// What a C++ file depends on inside the house: itself and everything it includes, as one number.
#pragma once

#include <ostream>

#include "tree.h"

namespace ashlar::tidy {

// One line for each source and header of src/: "HASH path". The hash changes with the text of the file or of any file
// of the house that it includes, directly or not; compilers' and libraries' headers do not count.
void PrintClosures(const Tree& tree, std::ostream& out);

}  // namespace ashlar::tidy
