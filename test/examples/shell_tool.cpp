// SPDX-License-Identifier: BSL-1.0
/// The shell tool of a coding agent: calls as lines of JSON on stdin, output and outcomes as lines of JSON on stdout.
///   shell_tool POLICY DIRECTORY        {"argv": ["ls", "-l"], "input": "", "seconds": 10}
#include <cordon/run/load.hpp>
#include <cordon/run/report.hpp>

#include <boost/json.hpp>

#include <iostream>
#include <stdexcept>
#include <string>
#include <vector>

namespace json = boost::json;

namespace {

void answer(const json::object& line) { std::cout << json::serialize(line) << std::endl; }

/// A text that JSON can hold: bytes that are no ASCII become `?`.
std::string shown(std::string_view bytes) {
  std::string out(bytes);
  for (char& c : out)
    if (static_cast<unsigned char>(c) > 126) c = '?';
  return out;
}

void call(const cordon::host_policy& policy, const std::string& directory, const json::object& asked) {
  cordon::run_request r = cordon::request_for(policy, json::value_to<std::vector<std::string>>(asked.at("argv")));
  r.directory = directory;
  r.in = asked.contains("input") ? cordon::input::of(json::value_to<std::string>(asked.at("input")))
                                 : cordon::input::nothing();
  if (asked.contains("seconds")) { // a call may shorten the policy's own limit, not extend it
    cordon::limits shorter;
    if (!shorter.try_set(cordon::limit::timeout, asked.at("seconds").to_number<std::uint64_t>() * 1'000'000'000))
      throw std::invalid_argument("seconds is 0; give at least 1, or leave it out");
    r.policy.limits = r.policy.limits & shorter;
  }
  r.keep.emplace(); // instead of this program's own streams
  r.on_output = [](cordon::stream from, std::string_view piece) {
    answer({{from == cordon::stream::output ? "out" : "err", shown(piece)}});
  };
  const cordon::report done = cordon::run(std::move(r));
  json::object line{{"ended", cordon::name(done.ended.how)}, {"status", cordon::exit_status(done.ended)}};
  if (!done.ended.why.empty()) line["why"] = done.ended.why;
  json::array gaps;
  for (const cordon::reported_gap& g : done.gaps) gaps.emplace_back(g.id);
  line["gaps"] = gaps;
  answer(line);
}

} // namespace

int main(int argc, char** argv) {
  if (argc != 3) return std::cerr << "usage: shell_tool POLICY DIRECTORY\n", 2;
  try {
    const cordon::host_policy policy = cordon::load_policy(argv[1]);
    for (std::string line; std::getline(std::cin, line);) try {
        call(policy, argv[2], json::parse(line).as_object());
      } catch (const std::exception& e) { answer({{"error", e.what()}}); }
    return 0;
  } catch (const std::exception& e) { return std::cerr << e.what() << '\n', 2; }
}
