// SPDX-License-Identifier: BSL-1.0
/// Uses what the library defines, as a consumer that knows nothing of its ABI: with declarations ahead of the headers,
/// using-declarations, calls that argument-dependent lookup resolves, and a specialization in the namespace.
#include <memory>
#include <string>

namespace cordon {
class control_group;
class prepared;
class process_run;
struct host_policy;
struct report;
struct run_request;
} // namespace cordon

struct holder {
  std::unique_ptr<cordon::process_run> program;
  std::unique_ptr<cordon::prepared> input;
  cordon::report* last = nullptr;
  holder();
  ~holder();
};

#include <cordon.hpp>
#include <cordon/format/base64.hpp>
#include <cordon/format/excess.hpp>
#include <cordon/format/read.hpp>
#include <cordon/linux/control_group.hpp>
#include <cordon/linux/launch.hpp>
#include <cordon/linux/prepare.hpp>
#include <cordon/linux/workspace_files.hpp>
#include <cordon/run/availability.hpp>
#include <cordon/run/digest.hpp>
#include <cordon/run/load.hpp>
#include <cordon/run/record.hpp>
#include <cordon/run/report.hpp>
#include <cordon/run/run_pool.hpp>

namespace cordon {
template <> struct callback<int(holder&)> { int value = 0; };
} // namespace cordon

holder::holder() = default;
holder::~holder() = default;

namespace {

using cordon::run;
using namespace cordon::format;

/// Names every other function and class of the library, so that the linker must find each.
void name_all(const cordon::host_policy& p, cordon::run_request request, const cordon::report& r) {
  holder all;
  const cordon::limits limits{};
  const cordon::control_group group(limits, 0);
  all.input = std::make_unique<cordon::prepared>(prepare(resolve(p), {.group = &group}));
  cordon::recorder tape(request);
  cordon::run_pool pool(1);
  const cordon::run_stop_source stop;
  request.stop = stop.get_token();
  const cordon::run_stop_callback call(request.stop, [] {});
  all.program = std::make_unique<cordon::process_run>(std::move(request));
  const cordon::workspace_files files(p.policy);
  cordon::linux_shim::launched child = cordon::linux_shim::launch({}, all.input->confinement());
  forget_init(child);
  bring_down(child);
  const cordon::record made = std::move(tape).finish(r);
  cordon::tape replay({made});
  const document d = read_file("a.policy", cordon::facts_of_host());
  const std::string texts[]{to_json(made), made.all_of(cordon::stream::output), replay.answer({}).directory,
                            cordon::digest_of(cordon::to_base64("a")),
                            probe_backend(cordon::launcher_id::automatic).why};
  static_cast<void>(lower_lexically(d, cordon::facts_of_host()) <= (p & p).policy);
  static_cast<void>(texts[0].empty() && request.stop.stop_requested());
}

} // namespace

int main(int count, char**) {
  const cordon::host_policy p = cordon::load_policy_text("a", "run /usr\nrun /bin\nrun /lib\nrun /lib64\n");
  if (count > 9) name_all(p, {}, cordon::report());
  const std::string text = to_json(run(request_for(p, {"/bin/true"})));
  return cordon::callback<int(holder&)>{}.value + (text.empty() ? 1 : 0);
}
