// SPDX-License-Identifier: BSL-1.0
/// The paths that a form can name, and the files axis limited to them.
#pragma once

#include "../../detail/utf8.hpp"
#include "../../gap/plan.hpp"
#include "gap_types.hpp"
#include "rules.hpp"

namespace cordon::container {

/// Docker refuses to mount on / ("destination can't be '/'"); Kubernetes leaves that to its runtimes. Kubernetes
/// refuses a colon in a mount path (validation of VolumeMounts: "must not contain ':'").
[[nodiscard]] constexpr bool can_name(form f, std::string_view place) {
  if (f == form::kubernetes && place.find(':') != place.npos) return false;
  return (f == form::oci || place != "/") && utf8::is_text(place);
}

/// Returns whether the text is a DNS label (RFC 1123), as names of Pods and volumes must be.
[[nodiscard]] constexpr bool is_label(std::string_view text) {
  if (text.empty() || text.size() > 63 || text.front() == '-' || text.back() == '-') return false;
  return text.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-") == text.npos;
}

/// Returns whether a ConfigMap volume at the mask can contain a mount point for the path (see kubernetes.hpp). Its file
/// names must not start with two dots (validation of KeyToPath).
[[nodiscard]] constexpr bool can_be_point(std::string_view mask, std::string_view place) {
  return !place.substr(mask.size()).starts_with("/..");
}

/// Returns the first path that is shown inside a hidden path inside a shown one, and for which a Pod cannot have a
/// mount point, or an empty text. O(n).
[[nodiscard]] constexpr std::string_view stuck_in_mask(step_function<path_tree> files) {
  const auto mount_at = [&](std::uint32_t i) {
    return mounts::mount_for(rights::from_bits(files.at(i).value), {.noexec = false});
  };
  const auto shows = [&](const mounts::mount& m) { return is_visible(m.directory) || is_visible(m.file) || m.socket; };
  for (std::uint32_t i = 0; i < files.size(); ++i) {
    if (!shows(mount_at(i))) continue;
    std::uint32_t mask = files.parent(i);
    if (mask == no_slot || is_visible(mount_at(mask).directory)) continue;
    while (files.parent(mask) != no_slot && !is_visible(mount_at(files.parent(mask)).directory))
      mask = files.parent(mask);
    if (files.parent(mask) != no_slot && !can_be_point(files.place(mask), files.place(i))) return files.place(i);
  }
  return {};
}

/// Writes the part of the files axis that the form can name into `kept`, an empty storage. A path without a name has
/// the rights of the path above; if those are fewer, that is a gap. Errors, all `bad_path`: the path above has more
/// rights; / is granted and the form cannot mount on it, as a wider policy would then show less; in a Pod, a grant
/// inside a mask has no mount point. O(n).
template <class S, class Gaps>
[[nodiscard]] constexpr diagnostic keep_named(step_function<path_tree> files, form f, S& kept, Gaps& gaps) {
  if (const std::string_view stuck = f == form::kubernetes ? stuck_in_mask(files) : ""; !stuck.empty())
    return {diagnostic_code::bad_path, 0, 0, stuck};
  step_function_builder<path_tree, S> out(kept);
  bool fits = true;
  for (std::uint32_t i = 0; i < files.size(); ++i) {
    const entry e = files[i];
    // A runtime's control group would deny the device, even if its file were there.
    if (is_grantable_device(e.place) && (files.at(files.parent(i)).value & ~e.value) == 0) {
      fits = gaps.add(gaps::device, e.place) && fits;
      continue;
    }
    if (can_name(f, e.place)) {
      out.add(e);
      continue;
    }
    if (e.place == "/" && e.value != 0) return {diagnostic_code::bad_path, 0, 0, e.place};
    std::uint32_t up = files.parent(i);
    while (up != no_slot && !can_name(f, files.place(up))) up = files.parent(up);
    const std::uint32_t around = files.at(up).value;
    if ((around & ~e.value) != 0) return {diagnostic_code::bad_path, 0, 0, e.place};
    if (e.value != around) fits = gaps.add(gaps::name, e.place) && fits;
  }
  const diagnostic d = out.close();
  return fits ? d : diagnostic{diagnostic_code::policy_too_large};
}

} // namespace cordon::container
