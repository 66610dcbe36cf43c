// SPDX-License-Identifier: BSL-1.0
#include "commands.hpp"
#include "verify.hpp"

#include <cordon/format/error.hpp>
#include <cordon/run/resolve.hpp>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstring>

int main(int argc, char** argv) {
  using namespace cordon;
  std::signal(SIGPIPE, SIG_IGN); // a reader that goes away must not leave the tree behind
  const bool running = argc > 1 && std::strcmp(argv[1], "run") == 0;
  const int bad = running ? 125 : 2;
  const auto complain = [](const std::string& text) { std::fprintf(stderr, "cordon: %s\n", text.c_str()); };
  CLI::App app{"cordon runs programs that are not trusted under one policy", "cordon"};
  app.require_subcommand(1);
  app.set_version_flag("--version", "cordon 0.1.0");
  cli::action chosen;
  // CLI11 hands what follows `--` in a subcommand back to the main command: it is taken off first.
  char** const end = argv + argc;
  char** const dashes =
      running ? std::find_if(argv, end, [](const char* a) { return std::strcmp(a, "--") == 0; }) : end;
  const std::vector<std::string> after(dashes == end ? end : dashes + 1, end);
  argc = static_cast<int>(dashes - argv);
  cli::add_run(app, chosen, dashes == end ? nullptr : &after);
  for (const auto add : {cli::add_check, cli::add_meet, cli::add_within, cli::add_explain, cli::add_compile,
                         cli::add_doctor, cli::add_schema})
    add(app, chosen);
  cli::add_verify(app, chosen, [](const loaded_policy& p, landlock::target t) { return landlock::compile(p, t); });
  try {
    app.parse(argc, argv);
    return chosen();
  } catch (const CLI::Success& e) { return app.exit(e); } catch (const CLI::ParseError& e) {
    return complain(e.what()), bad;
  } catch (const format::bad_document& e) {
    // `check` and friends print what compilers print, so that editors can jump there.
    if (running) complain(e.what());
    else std::fprintf(stderr, "%s\n", e.what());
    return bad;
  } catch (const std::exception& e) { return complain(e.what()), bad; }
}
