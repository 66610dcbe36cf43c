// SPDX-License-Identifier: BSL-1.0
/// A host of the launcher: the program may write one of two directories, and without cordon both.
#include <cordon/run/load.hpp>
#include <cordon/run/report.hpp>
#include <cordon/run/run.hpp>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>

namespace {

/// Writes a file in each directory, and says which of them exist then: "in", "out".
std::string written(const std::filesystem::path& top, const std::string& how) {
  std::string found;
  for (const char* const name : {"in", "out"}) {
    std::filesystem::create_directory(top / name);
    std::filesystem::remove(top / name / "file");
  }
  const std::string script = "cd " + top.string() + "; echo 1 > in/file; echo 2 > out/file";
  if (how.empty()) {
    if (std::system(("(" + script + ") 2>/dev/null").c_str()) != 0) return "no shell";
  } else {
    const cordon::host_policy policy = cordon::load_policy_text("job", how);
    cordon::run_request request = cordon::request_for(policy, {"/bin/sh", "-c", script});
    request.in = cordon::input::nothing();
    request.keep.emplace();
    request.directory = "/";
    const cordon::report r = cordon::run(std::move(request));
    if (cordon::to_json(r).find("\"selected\"") == std::string::npos) return "no report";
  }
  for (const char* const name : {"in", "out"})
    if (std::filesystem::exists(top / name / "file")) found += std::string(name) + ' ';
  return found;
}

} // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  const std::filesystem::path top = argv[1];
  const std::string policy = "level process_exec\nrun /\nwrite " + (top / "in").string() + "\nnetwork none\n";
  const std::string free = written(top, ""), confined = written(top, policy);
  std::printf("without cordon: %s\nconfined: %s\n", free.c_str(), confined.c_str());
  return free == "in out " && confined == "in " ? 0 : 1;
}
