// ashlar: see `ashlar help`.
#include <string>
#include <vector>

#include "cli/commands.h"
#include "cli/program.h"

int main(int count, char** arguments) {
  const std::vector<std::string> words(arguments + 1, arguments + count);
  return static_cast<int>(ashlar::cli::RunProgram(ashlar::cli::CommandTable(), words));
}
