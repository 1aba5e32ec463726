#include "cli/reference.h"

#include <vector>

#include "cli/program.h"

namespace ashlar::cli {
namespace {

struct OptionText {
  std::string names;  // "-b,--minbytes SIZE" as CLI11 writes them
  std::string description;
  std::vector<std::string> words;  // "-b", "--minbytes"
};

std::vector<OptionText> OptionsOf(const CLI::App& app) {
  std::vector<OptionText> options;
  for (const CLI::Option* option : app.get_options()) {
    if (option->get_group().empty()) continue;  // hidden: between the program and the ranks that it starts
    OptionText text{option->get_name(true, true), option->get_description(), {}};
    if (option->get_expected_max() > 0 && !option->get_type_name().empty()) {
      text.names += " " + option->get_type_name();
    }
    for (const std::string& name : option->get_snames()) text.words.push_back("-" + name);
    for (const std::string& name : option->get_lnames()) text.words.push_back("--" + name);
    options.push_back(std::move(text));
  }
  return options;
}

// Text safe inside a roff paragraph: no line starts with a control character, backslashes and hyphens stand for
// themselves.
std::string Roff(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '\\') {
      out += "\\e";
    } else if (c == '-') {
      out += "\\-";
    } else {
      out += c;
    }
  }
  if (out.starts_with('.') || out.starts_with('\'')) out.insert(0, "\\&");
  return out;
}

void AppendManOptions(const CLI::App& app, std::string& out) {
  for (const OptionText& option : OptionsOf(app)) {
    out += fmt::format(".TP\n.B {}\n{}\n", Roff(option.names), Roff(option.description));
  }
  for (const CLI::App* child : app.get_subcommands([](const CLI::App*) { return true; })) {
    out += fmt::format(".PP\n.B {}\n{}\n", Roff(child->get_name()), Roff(child->get_description()));
    AppendManOptions(*child, out);
  }
}

// Every word that may follow a command: its options and its subcommands with theirs.
void CollectWords(const CLI::App& app, std::vector<std::string>& words) {
  for (const OptionText& option : OptionsOf(app)) words.insert(words.end(), option.words.begin(), option.words.end());
  for (const CLI::App* child : app.get_subcommands([](const CLI::App*) { return true; })) {
    words.push_back(child->get_name());
    CollectWords(*child, words);
  }
}

std::string WordsAfter(const CommandRow& row) {
  const auto command = row.make();
  const auto app = DescribeCommand(row, *command);
  std::vector<std::string> words;
  CollectWords(*app, words);
  return base::Join(words, " ");
}

std::string BashCompletion(std::span<const CommandRow> table) {
  std::string out =
      "# bash completion for ashlar; load it with: source <(ashlar completion bash)\n"
      "_ashlar() {\n"
      "  local line=\"${COMP_WORDS[*]:1:COMP_CWORD-1}\" words=\"\"\n"
      "  case \"$line\" in\n";
  std::vector<std::string> first;
  for (const CommandRow& row : table) {
    const std::string name(row.name);
    const size_t blank = name.find(' ');
    first.push_back(name.substr(0, blank));
    out += fmt::format("    \"{}\"|\"{} \"*) words=\"{}\" ;;\n", name, name, WordsAfter(row));
  }
  std::string seconds;
  for (const CommandRow& row : table) {
    const std::string name(row.name);
    if (name.starts_with("bench ")) seconds += name.substr(6) + " ";
  }
  if (!seconds.empty()) out += fmt::format("    bench) words=\"{}\" ;;\n", base::Trim(seconds));
  std::sort(first.begin(), first.end());
  first.erase(std::unique(first.begin(), first.end()), first.end());
  out += fmt::format("    \"\") words=\"{} help man completion --version\" ;;\n", base::Join(first, " "));
  out +=
      "  esac\n"
      "  mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"${COMP_WORDS[COMP_CWORD]}\")\n"
      "  [[ ${#COMPREPLY[@]} -gt 0 ]] || mapfile -t COMPREPLY < <(compgen -f -- \"${COMP_WORDS[COMP_CWORD]}\")\n"
      "}\n"
      "complete -F _ashlar ashlar\n";
  return out;
}

std::string FishQuoted(std::string_view text) {
  std::string out = "'";
  for (const char c : text) {
    if (c == '\'' || c == '\\') out += '\\';
    out += c;
  }
  return out + "'";
}

std::string FishCompletion(std::span<const CommandRow> table) {
  std::string out = "# fish completion for ashlar; load it with: ashlar completion fish | source\n";
  for (const CommandRow& row : table) {
    const auto name = base::Split(row.name, ' ');
    const std::string before = name.size() == 1 ? "__fish_use_subcommand"
                                                : fmt::format("__fish_seen_subcommand_from {}", name.front());
    out += fmt::format("complete -c ashlar -f -n '{}' -a {} -d {}\n", before, name.back(), FishQuoted(row.summary));
    const auto command = row.make();
    const auto app = DescribeCommand(row, *command);
    for (const OptionText& option : OptionsOf(*app)) {
      for (const std::string& word : option.words) {
        const bool is_long = word.starts_with("--");
        out += fmt::format("complete -c ashlar -n '__fish_seen_subcommand_from {}' -{} {} -d {}\n", name.back(),
                           is_long            ? 'l'
                           : word.size() == 2 ? 's'
                                              : 'o',
                           word.substr(is_long ? 2 : 1), FishQuoted(option.description));
      }
    }
  }
  return out;
}

}  // namespace

std::string Overview(std::span<const CommandRow> table) {
  std::string out =
      "ashlar keeps an AI cluster well-architected: it measures, judges and shows the evidence.\n\nCommands:\n";
  base::TextTable rows;
  for (const CommandRow& row : table) rows.rows.push_back({fmt::format("  {}", row.name), std::string(row.summary)});
  rows.rows.push_back({"  help COMMAND", "What a command does, its options and an example"});
  rows.rows.push_back({"  man", "The man page, in roff: ashlar man | man -l -"});
  rows.rows.push_back({"  completion SHELL", "Completion for bash, zsh or fish"});
  out += base::FormatTable(rows);
  out += "\nExit status: 0 everything holds, 1 something falls short, 2 wrong usage, 3 could not run.\n";
  return out;
}

std::string ManPage(std::span<const CommandRow> table) {
  std::string out = fmt::format(
      ".TH ASHLAR 1 \"\" \"ashlar {}\" \"User Commands\"\n.SH NAME\nashlar \\- keeps an AI cluster well\\-architected\n"
      ".SH SYNOPSIS\n.B ashlar\n.I COMMAND\n[OPTION]...\n.SH DESCRIPTION\n"
      "Measures whether machines, training jobs, models, the model API and the bill are as they should be, and shows\n"
      "the evidence.\n.SH COMMANDS\n",
      kVersion);
  for (const CommandRow& row : table) {
    const auto command = row.make();
    const auto app = DescribeCommand(row, *command);
    out += fmt::format(".SS ashlar {}\n{}.\n", Roff(row.name), Roff(row.summary));
    AppendManOptions(*app, out);
    out += fmt::format(".PP\nExample:\n.PP\n.nf\n.RS\n{}\n.RE\n.fi\n", Roff(row.example));
  }
  out +=
      ".SH EXIT STATUS\n.TP\n.B 0\neverything asked for holds\n.TP\n.B 1\nmeasured, and something falls short\n"
      ".TP\n.B 2\nthe command line is wrong\n.TP\n.B 3\nnothing could be measured\n"
      ".SH ENVIRONMENT\n.TP\n.B XDG_STATE_HOME\nwhere the ledger and the report are kept, in the folder ashlar\n"
      ".TP\n.B ASHLAR_LEDGER\npath or postgresql:// URL of the ledger\n.TP\n.B NO_COLOR\nno colour when set\n";
  return out;
}

base::StatusOr<std::string> Completion(std::span<const CommandRow> table, std::string_view shell) {
  if (shell == "bash") return BashCompletion(table);
  if (shell == "zsh") return "autoload -U +X bashcompinit && bashcompinit\n" + BashCompletion(table);
  if (shell == "fish") return FishCompletion(table);
  return base::Error(base::StatusCode::kInvalidArgument, "completion for \"{}\": want bash, zsh or fish", shell);
}

}  // namespace ashlar::cli
