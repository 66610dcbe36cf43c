// SPDX-License-Identifier: BSL-1.0
#include <cordon/format/read.hpp>

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <random>

using namespace cordon;
using namespace cordon::format;

namespace {

const host_facts this_host{platform::linux_, "/home/u", "/srv", nullptr};

/// The detected format of the text, and its error.
std::string verdict_of(const std::string& content) {
  try {
    return read("p", content, this_host).presets ? "presets" : "read";
  } catch (const bad_document& e) { return std::string(name(e.code())); }
}

/// A directory for this test, removed at its end.
struct scratch {
  std::filesystem::path folder =
      std::filesystem::temp_directory_path() / ("cordon-read-test-" + std::to_string(std::random_device{}()));
  scratch() { std::filesystem::create_directory(folder); }
  ~scratch() { std::filesystem::remove_all(folder); }

  std::string file(const std::string& name, const std::string& content) const {
    std::ofstream(folder / name, std::ios::binary) << content;
    return (folder / name).string();
  }
};

std::string refusal_of(const std::string& file) {
  try {
    (void)read_file(file, this_host);
  } catch (const bad_document& e) { return std::string(name(e.code())) + " " + e.what(); }
  return "read";
}

} // namespace

TEST_CASE("read: the keys of a document determine its format") {
  CHECK(verdict_of(R"({"cordon": 1})") == "read");
  CHECK(verdict_of(R"({"workspace_roots": ["/a"]})") == "read");
  CHECK(verdict_of(R"({"capabilities": {"process": ["exec"]}})") == "read");
  CHECK(verdict_of(R"({"capabilities": null})") == "read");
  CHECK(verdict_of("{}") == "read");
  CHECK(verdict_of(R"({"cordon": 1, "workspace_roots": ["/a"]})") == "unknown_key");
  CHECK(verdict_of(R"({"capabilities": ["process.exec"]})") == "missing_key");
  CHECK(verdict_of(R"({"capabilities": "none"})") == "missing_key");
  CHECK(verdict_of(R"({"network": "none"})") == "missing_key");
  CHECK(verdict_of(R"({"nonsense": 1})") == "unknown_key");
  CHECK(verdict_of("[]") == "bad_type");
  CHECK(verdict_of("\"text\"") == "bad_type");
  CHECK(verdict_of("") == "syntax");
}

TEST_CASE("read: relative paths in a file are relative to its directory") {
  const scratch here;
  const document d =
      read_file(here.file("p.json", R"({"cordon": 1, "files": [{"path": "a", "rights": "read"}]})"), this_host);
  CHECK(d.files->at(0).place == (here.folder / "a").string());
}

TEST_CASE("read: a file that cannot be read is an error with the reason") {
  const scratch here;
  CHECK(refusal_of((here.folder / "none").string())
            .find("unreadable " + (here.folder / "none").string() + ": no such file") == 0);
  CHECK(refusal_of(here.folder.string()).find("is a directory") != std::string::npos);
  CHECK(refusal_of(here.file("empty", "")) ==
        "syntax " + (here.folder / "empty").string() + ":1:1: the JSON text ends too early");
  CHECK(refusal_of(here.file("bad", "{\n]")).find("bad:2:1: ") != std::string::npos);
}

TEST_CASE("read: the content of a file is all of its bytes") {
  const scratch here;
  std::string bytes(200'000, 'x');
  bytes[7] = '\0', bytes[8] = '\r', bytes[9] = '\n', bytes[65'536] = '\x1a';
  CHECK(content_of(here.file("bytes", bytes)) == bytes);
}
