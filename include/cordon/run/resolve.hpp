// SPDX-License-Identifier: BSL-1.0
/// A policy for enforcement names real places: symbolic links are resolved once, before anything is opened, and the
/// shim refuses a place that has become a link since. Two places that resolve to one place meet.
#pragma once

#include "../heap.hpp"
#include "../preset.hpp"

#include <filesystem>
#include <map>
#include <stdexcept>
#include <string>

namespace cordon {

/// Why a program is not started; the text says what to change.
class refused : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};

/// Does a place exist, links followed? For `host_facts::exists`.
[[nodiscard]] inline bool place_exists(std::string_view place) {
  std::error_code ec;
  return std::filesystem::exists(std::filesystem::path(place), ec);
}

/// Where a place really is. Throws `refused` for a grant that leads nowhere; a place without rights that does not
/// exist keeps its name, since there is nothing yet to be hidden and nothing may come.
[[nodiscard]] inline std::string resolved_place(const std::string& place, rights allowed) {
  if (place == run_temp) return place;
  std::error_code ec;
  const std::filesystem::path real = std::filesystem::canonical(place, ec);
  if (!ec) return real.string();
  if (allowed.empty()) return std::filesystem::weakly_canonical(place, ec).lexically_normal().string();
  std::error_code ignored;
  const bool link = std::filesystem::is_symlink(std::filesystem::symlink_status(place, ignored));
  throw refused("the policy grants " + place + ", " +
                (ec == std::errc::no_such_file_or_directory
                     ? (link ? "a link that leads nowhere" : "which does not exist")
                     : "which cannot be resolved: " + ec.message()));
}

/// The same policy with the places of both path axes resolved. O(n) look-ups.
[[nodiscard]] inline loaded_policy resolve(const loaded_policy& p) {
  loaded_policy to;
  to.plain() = p.plain();
  detail::each_part([&]<part P>() {
    const auto all = p.view<P>();
    const diagnostic d = to.write<P>([&](auto& out) {
      if constexpr (P == part::workspace || P == part::files) {
        std::map<std::string, rights> places;
        for (std::uint32_t i = 0; i < all.size(); ++i) {
          const rights r = rights::from_bits(all[i].value);
          const auto [at, added] = places.emplace(resolved_place(std::string(all.place(i)), r), r);
          if (!added) at->second = at->second & r;
        }
        for (const auto& [place, r] : places) out.add({place, r.bits(), {}});
      } else
        for (std::uint32_t i = 0; i < all.size(); ++i) out.add(all[i]);
    });
    if (d.code != errc::ok) throw std::length_error("cordon: the policy is too large");
    return true;
  });
  return to;
}

} // namespace cordon
