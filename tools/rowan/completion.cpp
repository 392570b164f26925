// rowan completion: scripts that make a shell complete commands, options and what they take.
#include "tools/rowan/completion.hpp"

#include "tools/rowan/command.hpp"
#include "tools/rowan/names.hpp"
#include "tools/rowan/writer.hpp"

namespace rowan::tool {

std::vector<Completed> completed(const CLI::App& command) {
  std::vector<Completed> all;
  for (const CLI::Option* option : command.get_options()) {
    Completed one{
        .names = {}, .about = option->get_description(), .takes = Completed::value, .choices = choices_of(*option)};
    for (const std::string& name : option->get_snames()) one.names.push_back("-" + name);
    for (const std::string& name : option->get_lnames()) one.names.push_back("--" + name);
    const std::string type = shown_type(*option);
    if (option->get_items_expected_max() == 0)
      one.takes = Completed::flag;
    else if (type == "DIR")
      one.takes = Completed::folders;
    else if (type == "FILE" || (one.names.empty() && one.choices.empty()))
      one.takes = Completed::files;
    all.push_back(std::move(one));
  }
  return all;
}

Command add_completion(CLI::App& app) {
  auto shell = std::make_shared<std::string>();
  CLI::App* command = app.add_subcommand("completion", "a script with which a shell completes what rowan takes");
  command->add_option("SHELL", *shell, "bash, zsh or fish")
      ->required()
      ->check(one_of("shell", {"bash", "zsh", "fish"}))
      ->type_name("");
  command->group("About rowan")
      ->footer(
          "Examples:\n  source <(rowan completion bash)\n"
          "  rowan completion zsh >~/.zfunc/_rowan            (a folder of fpath)\n"
          "  rowan completion fish >~/.config/fish/completions/rowan.fish");
  return {command, [&app, shell] {
            say(*shell == "bash" ? bash_completion(app) : *shell == "zsh" ? zsh_completion(app) : fish_completion(app));
            return kOk;
          }};
}

}  // namespace rowan::tool
