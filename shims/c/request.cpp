// SPDX-License-Identifier: BSL-1.0
#include "request.hpp"

#include "policy.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>

namespace cordon::c {
namespace {

/// What the first release of the interface had.
constexpr std::size_t least_size = offsetof(cordon_request, user) + sizeof(cordon_request::user);

/// Returns: the request in the layout of this library. Members that an older caller lacks are zero.
[[nodiscard]] cordon_request known_part(const cordon_request* from) {
  const std::size_t size = needed(from, "the request").size;
  if (size < least_size)
    throw std::invalid_argument("the request has a size of " + std::to_string(size) + " bytes, less than " +
                                std::to_string(least_size) + "; set its member size to sizeof(cordon_request)");
  const auto* const bytes = reinterpret_cast<const unsigned char*>(from);
  const std::size_t known = std::min(size, sizeof(cordon_request));
  if (std::any_of(bytes + known, bytes + size, [](unsigned char byte) { return byte != 0; }))
    throw std::invalid_argument("the request sets a member that cordon " + std::string(cordon_version()) +
                                " does not know; set it to zero, or use a newer library");
  cordon_request to{};
  std::memcpy(&to, from, known);
  return to;
}

/// The texts of a list that ends with NULL.
[[nodiscard]] std::vector<std::string> texts(const char* const* list) {
  std::vector<std::string> all;
  for (; list != nullptr && *list != nullptr; ++list) all.emplace_back(*list);
  return all;
}

[[nodiscard]] host::published_port published(const std::string& text) {
  const host::parsed_published_port p = host::parse_published_port(text);
  if (!p)
    throw std::invalid_argument("the request publishes " + text +
                                ", which is not [ADDRESS:]PORT[:PORT]; write a port such as 8080:80");
  return p.value;
}

void limit_time(loaded_policy& to, std::uint64_t milliseconds) {
  constexpr std::uint64_t unit = 1'000'000; // nanoseconds
  if (milliseconds == 0) return;
  const std::uint64_t wanted = std::min(milliseconds, limits::greatest / unit) * unit;
  to.limits.set(limit::timeout, std::min(wanted, to.limits[limit::timeout]));
}

} // namespace

run_request request_of(const cordon_request* request) {
  const cordon_request given = known_part(request);
  if (given.input == nullptr && given.input_size != 0)
    throw std::invalid_argument("the request's input is NULL, but its input_size is not 0; set both or none");
  run_request made =
      request_for(needed(given.policy, "the request's policy").here, texts(&needed(given.argv, "the request's argv")));
  limit_time(made.policy, given.timeout_ms);
  if (given.directory != nullptr) made.directory = given.directory;
  if (given.environment != nullptr) made.environment = texts(given.environment);
  made.in = given.input == nullptr ? input::nothing() : input::of(std::string(given.input, given.input_size));
  made.accepted_gaps = texts(given.accepted_gaps);
  if (given.session != nullptr) made.session = given.session;
  for (const std::string& text : texts(given.publish)) made.publish.push_back(published(text));
  if (given.on_output == nullptr) return made;
  made.keep = captured_size{0, 0}; // cordon reads the streams, and the report keeps nothing
  made.on_output = [call = given.on_output, user = given.user](stream from, std::string_view bytes) {
    call(user, from == stream::output ? 1 : 2, bytes.data(), bytes.size());
  };
  return made;
}

} // namespace cordon::c
