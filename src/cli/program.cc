#include "cli/program.h"

#include <cstdio>

#include "cli/reference.h"

namespace ashlar::cli {
namespace {

void Print(std::FILE* to, const std::string& text) {
  std::fwrite(text.data(), 1, text.size(), to);
  std::fflush(to);
}

base::ExitStatus Fail(const base::Status& status) {
  Print(stderr, fmt::format("ashlar: {}\n", base::Message(status)));
  return base::MapStatus(status.code()).exit_status;
}

base::ExitStatus RefuseWords(std::span<const CommandRow> table, const std::vector<std::string>& words) {
  std::string known;
  for (const CommandRow& row : table) known += fmt::format("{}{}", known.empty() ? "" : ", ", row.name);
  Print(stderr, fmt::format("ashlar: no command \"{}\": want one of {} (see `ashlar help`)\n", words.front(), known));
  return base::ExitStatus::kUsage;
}

// help, man and completion describe the table itself, so they stand beside it and not in it.
bool RunReference(std::span<const CommandRow> table, const std::vector<std::string>& words, base::ExitStatus& status) {
  const std::string& word = words.front();
  status = base::ExitStatus::kPass;
  if (word == "--version") {
    Print(stdout, fmt::format("ashlar {}\n", kVersion));
  } else if (word == "man") {
    Print(stdout, ManPage(table));
  } else if (word == "completion") {
    const auto script = Completion(table, words.size() > 1 ? words[1] : "");
    if (script.ok()) {
      Print(stdout, *script);
    } else {
      status = Fail(script.status());
    }
  } else {
    return false;
  }
  return true;
}

base::ExitStatus RunCommand(const CommandRow& row, std::vector<std::string> arguments) {
  const auto command = row.make();
  const auto app = DescribeCommand(row, *command);
  std::reverse(arguments.begin(), arguments.end());  // CLI11 takes them last first
  try {
    app->parse(arguments);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) {
      app->exit(error);  // --help
      return base::ExitStatus::kPass;
    }
    Print(stderr, fmt::format("ashlar {}: {}\nTry: ashlar {} --help\n", row.name, error.what(), row.name));
    return base::ExitStatus::kUsage;
  }
  const auto status = command->Run();
  return status.ok() ? *status : Fail(status.status());
}

}  // namespace

const CommandRow* FindCommand(std::span<const CommandRow> table, const std::vector<std::string>& words) {
  const CommandRow* best = nullptr;
  size_t best_length = 0;
  for (const CommandRow& row : table) {
    const auto name = base::Split(row.name, ' ');
    if (name.size() > words.size() || name.size() <= best_length) continue;
    if (std::equal(name.begin(), name.end(), words.begin())) {
      best = &row;
      best_length = name.size();
    }
  }
  return best;
}

std::unique_ptr<CLI::App> DescribeCommand(const CommandRow& row, Command& command) {
  auto app = std::make_unique<CLI::App>(std::string(row.summary), fmt::format("ashlar {}", row.name));
  command.Describe(*app);
  app->footer(fmt::format("Example:\n  {}", row.example));
  return app;
}

base::ExitStatus RunProgram(std::span<const CommandRow> table, const std::vector<std::string>& words) {
  if (words.empty() || words == std::vector<std::string>{"help"} || words.front() == "--help" ||
      words.front() == "-h") {
    Print(stdout, Overview(table));
    return base::ExitStatus::kPass;
  }
  base::ExitStatus status;
  if (RunReference(table, words, status)) return status;
  std::vector<std::string> rest(words.begin() + (words.front() == "help" ? 1 : 0), words.end());
  const CommandRow* row = FindCommand(table, rest);
  if (row == nullptr) return RefuseWords(table, rest);
  rest.erase(rest.begin(), rest.begin() + static_cast<ptrdiff_t>(base::Split(row->name, ' ').size()));
  if (words.front() == "help") rest = {"--help"};
  return RunCommand(*row, rest);
}

}  // namespace ashlar::cli
