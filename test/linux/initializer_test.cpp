// SPDX-License-Identifier: BSL-1.0
// Initializers that Boost.Process would silently skip must not compile.
#include "../holds.hpp"

#include <boost/process/v2/environment.hpp>
#include <boost/process/v2/start_dir.hpp>
#include <boost/process/v2/stdio.hpp>
#include <cordon/linux/spawn.hpp>

#include <string>

namespace {

namespace v2 = boost::process::v2;
using v2::error_code;
using launcher = v2::posix::default_launcher;
using path = v2::filesystem::path;
using argv = const char* const*;

struct plain {
  error_code on_exec_setup(launcher&, const path&, argv) { return {}; }
};
struct for_const {
  error_code on_exec_setup(launcher&, const path&, argv) const { return {}; }
};
struct generic {
  error_code on_setup(auto& l, const path&, argv&) { return l.pid < 0 ? error_code() : error_code(); }
};
struct overloaded {
  error_code on_setup(launcher&, const path&, argv) { return {}; }
  int on_setup() { return 0; }
};
struct derived : plain {};
struct final_one final {
  void on_success(launcher&, const path&, argv) {}
};
struct abstract {
  virtual error_code on_setup(launcher&, const path&, argv) = 0;
  virtual ~abstract() = default;
};
struct after_failure {
  void on_error(launcher&, const path&, argv, const error_code&) {}
};
struct after_failed_exec {
  void on_exec_error(launcher&, const path&, argv, const error_code&) {}
};
struct after_failed_fork {
  void on_fork_error(launcher&, const path&, argv, const error_code&) {}
};
struct after_fork {
  void on_fork_success(launcher&, const path&, argv) {}
};
struct each {
  error_code on_setup(launcher&, const path&, argv) { return {}; }
  error_code on_exec_setup(launcher&, const path&, argv) { return {}; }
  void on_success(launcher&, const path&, argv) {}
  void on_fork_success(launcher&, const path&, argv) {}
  void on_error(launcher&, const path&, argv, const error_code&) {}
  void on_fork_error(launcher&, const path&, argv, const error_code&) {}
  void on_exec_error(launcher&, const path&, argv, const error_code&) {}
};

struct misspelt {
  error_code on_exec_set_up(launcher&, const path&, argv) { return {}; }
};
struct other_launcher {
  error_code on_exec_setup(std::string&, const path&, argv) { return {}; }
};
struct fewer_parameters {
  error_code on_exec_setup(launcher&, const path&) { return {}; }
};
struct no_result {
  void on_exec_setup(launcher&, const path&, argv) {}
};
struct other_arity {
  void on_error(launcher&, const error_code&, const path&, argv, const error_code&) {}
};
class hidden {
  [[maybe_unused]] error_code on_exec_setup(launcher&, const path&, argv) { return {}; }
};
struct only_data {
  int on_exec_setup;
};
struct final_misfit final {
  error_code on_exec_setup(int) { return {}; }
};
struct half_right {
  error_code on_setup(launcher&, const path&, argv) { return {}; }
  error_code on_exec_setup(int) { return {}; }
};
struct half_right_final final {
  error_code on_setup(launcher&, const path&, argv) { return {}; }
  error_code on_exec_setup(int) { return {}; }
};
struct half_const {
  error_code on_setup(launcher&, const path&, argv) const { return {}; }
  error_code on_exec_setup(launcher&, const path&, argv) { return {}; }
};

} // namespace

TEST_SUITE("initializer") {

  TEST_CASE("initializer: a type with a callable hook is an initializer") {
    HOLDS(cordon::spawn_initializer<plain>);
    HOLDS(cordon::spawn_initializer<for_const>);
    HOLDS(cordon::spawn_initializer<const for_const>);
    HOLDS(cordon::spawn_initializer<generic>);
    HOLDS(cordon::spawn_initializer<overloaded>);
    HOLDS(cordon::spawn_initializer<derived>);
    HOLDS(cordon::spawn_initializer<final_one>);
    HOLDS(cordon::spawn_initializer<abstract>);
    HOLDS(cordon::spawn_initializer<after_failure>);
    HOLDS(cordon::spawn_initializer<after_failed_exec>);
    HOLDS(cordon::spawn_initializer<after_failed_fork>);
    HOLDS(cordon::spawn_initializer<after_fork>);
    HOLDS(cordon::spawn_initializer<each>);
  }

  TEST_CASE("initializer: the initializers of Boost.Process are initializers") {
    HOLDS(cordon::spawn_initializer<v2::process_start_dir>);
    HOLDS(cordon::spawn_initializer<v2::process_stdio>);
    HOLDS(cordon::spawn_initializer<v2::process_environment>);
    HOLDS(cordon::spawn_initializer<v2::posix::bind_fd>);
    HOLDS(!cordon::spawn_initializer<const v2::process_start_dir>);
  }

  TEST_CASE("initializer: a type whose hook would be skipped is not an initializer") {
    HOLDS(!cordon::spawn_initializer<const plain>);
    HOLDS(!cordon::spawn_initializer<misspelt>);
    HOLDS(!cordon::spawn_initializer<other_launcher>);
    HOLDS(!cordon::spawn_initializer<fewer_parameters>);
    HOLDS(!cordon::spawn_initializer<no_result>);
    HOLDS(!cordon::spawn_initializer<other_arity>);
    HOLDS(!cordon::spawn_initializer<hidden>);
    HOLDS(!cordon::spawn_initializer<only_data>);
    HOLDS(!cordon::spawn_initializer<final_misfit>);
    HOLDS(!cordon::spawn_initializer<int>);
    HOLDS(!cordon::spawn_initializer<std::string>);
  }

  TEST_CASE("initializer: one callable hook does not make up for one that would be skipped") {
    HOLDS(!cordon::spawn_initializer<half_right>);
    HOLDS(!cordon::spawn_initializer<half_right_final>);
    HOLDS(!cordon::spawn_initializer<const half_const>);
    HOLDS(cordon::spawn_initializer<half_const>);
  }

} // TEST_SUITE
