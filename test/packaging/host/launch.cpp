// SPDX-License-Identifier: BSL-1.0
// The parts of the launcher that need a library of Boost: the reader of a JSON policy, and the report as JSON.
#include <cordon/run/load.hpp>
#include <cordon/run/report.hpp>

#include <cstdio>
#include <exception>

/// 0 if a program runs under the policy of a file, and the report says so.
extern "C" __attribute__((visibility("default"))) int run_echo(const char* file) {
  try {
    cordon::run_request request = cordon::request_for(cordon::load_policy(file), {"/usr/bin/echo", "hello"});
    request.in = cordon::input::nothing();
    request.keep.emplace();
    const cordon::report r = cordon::run(std::move(request));
    const std::string text = cordon::to_json(r);
    const bool good = r.output.text() == "hello\n" && text.find("\"policy\"") != std::string::npos;
    if (!good) std::printf("%s\n", text.c_str());
    return good ? 0 : 1;
  } catch (const std::exception& fault) {
    std::printf("%s\n", fault.what());
    return 2;
  }
}
