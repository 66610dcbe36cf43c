// SPDX-License-Identifier: BSL-1.0
#include "../common/host.hpp"
#include "held_streams.hpp"

#include <cordon/run/links/links.hpp>
#include <cordon/run/reasons.hpp>
#include <cordon/run/refused.hpp>

#include <dirent.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>
#include <utility>

namespace cordon::shim {

arguments begin_process(int argc, char** argv) {
  static const held_streams streams;
  // A closed reader, or a limit on file sizes, must not leave the tree behind: both become errors of write(2).
  for (const int number : {SIGPIPE, SIGXFSZ}) std::signal(number, SIG_IGN);
  return {argv, argv + argc};
}

std::string missing_resource() {
  struct least_limit {
    int resource;
    const char *name, *remedy;
    rlim_t kibibytes;
  };
  // The observed use of a run, plus half.
  constexpr least_limit all[]{{RLIMIT_STACK, "stack", "ulimit -s", 256}, {RLIMIT_DATA, "data", "ulimit -d", 2048}};
  for (const least_limit& l : all) {
    rlimit now{};
    if (::getrlimit(static_cast<decltype(RLIMIT_STACK)>(l.resource), &now) != 0 || now.rlim_cur / 1024 >= l.kibibytes)
      continue;
    return std::string("the limit of this process's ") + l.name + " is " + std::to_string(now.rlim_cur / 1024) +
           " KiB: cordon needs " + std::to_string(l.kibibytes) + "; raise it (" + l.remedy + " " +
           std::to_string(l.kibibytes) + ")";
  }
  return {};
}

std::string home_place() {
  const char* const home = std::getenv("HOME");
  return home != nullptr && home[0] == '/' ? home : "";
}

std::string home_of_account(long long owner) {
  // A line is NAME:PASSWORD:USER:GROUP:COMMENT:HOME:SHELL. getpwuid(3) would load libraries, which a static program
  // lacks.
  std::ifstream accounts("/etc/passwd");
  const std::string number = std::to_string(owner);
  for (std::string line; std::getline(accounts, line);) {
    std::vector<std::string> fields;
    std::istringstream in(line);
    for (std::string field; std::getline(in, field, ':');) fields.push_back(field);
    if (fields.size() > 5 && fields[2] == number && fields[5].starts_with('/')) return fields[5];
  }
  return {};
}

std::string account_home() { return home_of_account(static_cast<long long>(::geteuid())); }

std::optional<long long> caller() {
  if (::geteuid() == 0) return {};
  return static_cast<long long>(::geteuid());
}

std::string place_of_file(const std::string& name) {
  std::error_code ec;
  const std::filesystem::path real = std::filesystem::canonical(name, ec);
  if (ec) throw refused::because<reasons::path_unknown>(name, ec.message());
  return real.string();
}

judged_name way_to(std::string name, const std::string& directory) {
  std::error_code ec;
  const std::filesystem::path whole = std::filesystem::absolute(directory, ec);
  if (ec) throw refused::because<reasons::path_unknown>(name, ec.message());
  cordon::detail::followed way = cordon::detail::follow(whole.string(), links_of_host({}).read);
  struct stat st {};
  if (::lstat(way.end.c_str(), &st) != 0) throw refused::because<reasons::path_unknown>(name, std::strerror(errno));
  return {std::move(name), std::move(way.end), std::move(way.links)};
}

long long owner(const std::string& place) {
  struct stat st {};
  return ::stat(place.c_str(), &st) == 0 ? static_cast<long long>(st.st_uid) : -1;
}

std::optional<std::vector<std::string>> names_in(std::string_view directory) {
  constexpr std::size_t most = 512;
  const std::unique_ptr<DIR, int (*)(DIR*)> stream(::opendir(std::string(directory).c_str()), ::closedir);
  if (stream == nullptr) return std::nullopt;
  std::vector<std::string> names;
  errno = 0;
  for (const dirent* e = ::readdir(stream.get()); e != nullptr; e = ::readdir(stream.get())) {
    if (names.size() == most) return std::nullopt;
    names.emplace_back(e->d_name);
  }
  if (errno != 0) return std::nullopt;
  return names;
}

std::vector<std::string> open_places() { return {}; }

std::string host_name() {
  char name[256] = {};
  return ::gethostname(name, sizeof name - 1) == 0 ? name : "";
}

void write_on(stream to, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t n = ::write(to == stream::output ? STDOUT_FILENO : STDERR_FILENO, bytes.data(), bytes.size());
    if (n < 0 && errno != EINTR) return;
    if (n > 0) bytes.remove_prefix(static_cast<std::size_t>(n));
  }
}

void end_by_signal(int signal) {
  std::fflush(nullptr);
  // A handler of core files (core(5)) also runs with a limit of 0, but not for a process whose memory is private.
  const rlimit none{};
  ::setrlimit(RLIMIT_CORE, &none);
#ifdef __linux__
  ::prctl(PR_SET_DUMPABLE, 0);
#endif
  std::signal(signal, SIG_DFL);
  sigset_t one;
  sigemptyset(&one); // a macro on some systems: without `::`
  sigaddset(&one, signal);
  ::kill(::getpid(), signal);
  ::sigprocmask(SIG_UNBLOCK, &one, nullptr);
}

bool writes_to_terminal() { return ::isatty(STDOUT_FILENO) != 0; }

bool is_watched() { return ::isatty(STDERR_FILENO) != 0 && ::tcgetpgrp(STDERR_FILENO) == ::getpgrp(); }

} // namespace cordon::shim
