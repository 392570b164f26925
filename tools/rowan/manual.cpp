// rowan man: manual pages, from the definitions of the commands themselves.
#include <algorithm>
#include <cctype>
#include <filesystem>
#include <sstream>

#include <fmt/format.h>

#include "tools/rowan/command.hpp"
#include "tools/rowan/help.hpp"
#include "tools/rowan/names.hpp"
#include "tools/rowan/writer.hpp"
#include <rowan/version.hpp>

namespace rowan::tool {
namespace {

/// Text that troff takes as it stands.
std::string roff(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if ((c == '.' || c == '\'') && (out.empty() || out.back() == '\n')) out += "\\&";
    if (c == '-') out += "\\";
    out += c == '\\' ? std::string("\\e") : std::string(1, c);
  }
  return out;
}

std::string roff_capitals(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return text;
}

/// "rowan-model-show": the page's name.
std::string page_of(std::string name) {
  std::replace(name.begin(), name.end(), ' ', '-');
  return name;
}

std::string roff_synopsis(const Called& command) {
  std::string line = "\\fB" + roff(command.name) + "\\fR [\\fIOPTION\\fR]...";
  for (const CLI::Option* option : command.app->get_options()) {
    if (!option->get_positional()) continue;
    const std::string word =
        "\\fI" + roff(option->get_name()) + "\\fR" + (option->get_items_expected_max() > 1 ? "..." : "");
    line += option->get_required() ? " " + word : " [" + word + "]";
  }
  return line + (command.app->get_subcommands({}).empty() ? "" : " \\fICOMMAND\\fR") + "\n";
}

std::string roff_entry(const CLI::Option& option) {
  std::string names;
  const auto add = [&](const std::string& name) {
    names += (names.empty() ? "" : ", ") + ("\\fB" + roff(name) + "\\fR");
  };
  for (const std::string& name : option.get_snames()) add("-" + name);
  for (const std::string& name : option.get_lnames()) add("--" + name);
  if (names.empty()) names = "\\fI" + roff(option.get_name()) + "\\fR";
  const std::string type = shown_type(option);
  std::string text = ".TP\n" + names + (type.empty() ? "" : " \\fI" + roff(type) + "\\fR") + "\n" +
                     roff(option.get_description()) + "\n";
  const std::string choices = CLI::detail::join(choices_of(option), ", ");
  return choices.empty() ? text : text + ".br\nOne of: " + roff(choices) + ".\n";
}

std::string roff_options(const CLI::App& app) {
  std::string arguments, groups;
  for (const std::string& group : app.get_groups()) {
    std::string entries;
    for (const CLI::Option* option : app.get_options([&](const CLI::Option* o) { return o->get_group() == group; }))
      (option->get_positional() ? arguments : entries) += roff_entry(*option);
    if (!entries.empty()) groups += (group == "Options" ? "" : ".SS " + roff(group) + "\n") + entries;
  }
  return (arguments.empty() ? "" : ".SH ARGUMENTS\n" + arguments) + ".SH OPTIONS\n" + groups;
}

std::string roff_commands(const Called& command) {
  std::string text;
  for (const CLI::App* below : command.app->get_subcommands({}))
    text += ".TP\n\\fB" + roff(page_of(command.name + " " + below->get_name())) + "\\fR(1)\n" +
            roff(below->get_description()) + "\n";
  return text.empty() ? "" : ".SH COMMANDS\n" + text;
}

/// The end of the help: "Examples:" and what is indented behind it becomes a section, other lines a paragraph each.
std::string roff_footer(const std::string& text) {
  std::string out;
  std::istringstream lines(text);
  bool open = false;
  for (std::string line; std::getline(lines, line);) {
    const bool indented = line.starts_with("  ");
    if (open && !indented) out += ".fi\n", open = false;
    if (line.empty()) continue;
    if (!indented && line.ends_with(":")) {
      out += ".SH " + roff(roff_capitals(line.substr(0, line.size() - 1))) + "\n.nf\n", open = true;
    } else {
      out += (indented ? "" : ".PP\n") + roff(indented ? line.substr(2) : line) + "\n";
    }
  }
  return out + (open ? ".fi\n" : "");
}

std::string see_also(const CLI::App& program, const Called& command) {
  std::string list;
  for (const Called& other : all_commands(program))
    if (other.name != command.name) list += (list.empty() ? ".BR " : " ,\n.BR ") + roff(page_of(other.name)) + " (1)";
  return ".SH \"SEE ALSO\"\n" + list + "\n";
}

std::string manual(const CLI::App& program, const Called& command) {
  const std::string page = page_of(command.name);
  std::string about = command.app->get_description();
  if (about.ends_with(".")) about.pop_back();
  return fmt::format(".TH {} 1 \"\" \"rowan {}\" \"User Commands\"\n", roff_capitals(roff(page)), version()) +
         ".SH NAME\n" + roff(page) + " \\- " + roff(about) + "\n.SH SYNOPSIS\n" + roff_synopsis(command) +
         roff_commands(command) + roff_options(*command.app) + roff_footer(command.app->get_footer()) +
         ".SH \"EXIT STATUS\"\n0 done, 1 failed, 2 wrong usage.\n"
         ".SH ENVIRONMENT\n.TP\n.B ROWAN_MODEL\na policy file that is in force unless an option names another\n"
         ".TP\n.B ROWAN_INSTRUCTIONS\nthe vector instructions that kernels may use, as rowan info lists them\n"
         ".TP\n.B NO_COLOR\nno colours on terminals\n" +
         see_also(program, command);
}

struct ManSettings {
  std::vector<std::string> words;
  std::string folder;
};

int run(const CLI::App& program, const ManSettings& s) {
  if (s.folder.empty()) {
    say(manual(program, command_called(program, s.words)));
    return kOk;
  }
  std::filesystem::create_directories(s.folder);
  for (const Called& command : all_commands(program)) {
    Writer file((std::filesystem::path(s.folder) / (page_of(command.name) + ".1")).string());
    file.print("{}", manual(program, command));
    file.finish();
  }
  return kOk;
}

}  // namespace

Command add_man(CLI::App& app) {
  auto s = std::make_shared<ManSettings>();
  CLI::App* command = app.add_subcommand("man", "a command's manual page");
  auto* words = command->add_option("COMMAND", s->words, "the command; if not given, the program");
  words->check(offers(commands_below(app)))->type_name("");
  command->add_option("--all", s->folder, "write every page into a folder")->type_name("DIR")->excludes(words);
  command->group("About rowan")->footer("Examples:\n  rowan man multiply | man -l -\n  rowan man --all share/man/man1");
  return {command, [&app, s] { return run(app, *s); }};
}

}  // namespace rowan::tool
