// SPDX-License-Identifier: BSL-1.0
#include "commands.hpp"

#include <cordon/format/schema.hpp>
#include <cordon/run/outcome.hpp>
#include <cordon/run/selection.hpp>

#include <cstdio>
#include <memory>

namespace cordon::cli {

void add_schema(CLI::App& app, action& chosen) {
  CLI::App* const command = app.add_subcommand("schema", "print the JSON Schema of policy documents or of run reports");
  const auto what = std::make_shared<format::described>(format::described::document);
  command->add_option_function<std::string>(
      "WHAT",
      [what](const std::string& text) {
        if (!from_name(format::described_names, text, *what))
          throw usage_error("no schema is called " + text + "; known here: document report");
      },
      "document or report; left out: document");
  command->callback([what, &chosen] {
    chosen = [what] {
      std::fputs(format::schema(*what, {selection_names, ending_names}).c_str(), stdout);
      return 0;
    };
  });
}

} // namespace cordon::cli
