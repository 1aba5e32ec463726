// Checks the files that standard input names, one a line, relative to the current folder, and prints what it finds.
// With --closures it prints hashes instead (closures.h). tools/tidy runs it.
#include <iostream>
#include <string>
#include <string_view>
#include <vector>

#include "closures.h"
#include "rules.h"

int main(int argc, char** argv) {
  std::vector<std::string> paths;
  for (std::string path; std::getline(std::cin, path);) paths.push_back(path);
  const ashlar::tidy::Tree tree = ashlar::tidy::ReadTree(std::move(paths));
  if (argc > 1 && std::string_view(argv[1]) == "--closures") {
    ashlar::tidy::PrintClosures(tree, std::cout);
    return 0;
  }
  ashlar::tidy::Report report;
  for (const ashlar::tidy::Rule& rule : ashlar::tidy::Rules()) rule.check(tree, report);
  for (const ashlar::tidy::Finding& finding : report.Sorted()) {
    std::cout << finding.path << ':' << finding.line << ": " << finding.rule << ": " << finding.message << '\n';
  }
  return 0;
}
