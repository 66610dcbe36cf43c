// SPDX-License-Identifier: BSL-1.0
#include "subcommand.hpp"

#include <cordon/format/schema/schema.hpp>
#include <cordon/run/outcome.hpp>
#include <cordon/run/selection.hpp>

#include <cstdio>
#include <memory>

namespace cordon::cli {

void describe_schema(subcommand& c) {
  const auto asked = std::make_shared<std::string>("document");
  c.about("print the JSON Schema of policy documents or of run reports");
  c.option("WHAT", *asked, "document or report");
  c.action([asked] {
    format::described what{};
    if (!from_name(format::described_names, *asked, what))
      throw usage_error("unknown schema: " + *asked + "; known here: document report");
    std::fputs(format::schema(what, {selection_names, ending_names}).c_str(), stdout);
    return 0;
  });
}

} // namespace cordon::cli
