// SPDX-License-Identifier: BSL-1.0
#include "places.hpp"

#include "text.hpp"

#include <cordon/format/place.hpp>
#include <cordon/run/links/link_checks.hpp>
#include <cordon/run/reasons.hpp>
#include <cordon/run/refused.hpp>
#include <cordon/run/resolve.hpp>

#include <vector>

namespace cordon::windows_shim {
namespace {

[[nodiscard]] bool is_same_name(const std::string& a, const std::string& b) {
  const std::wstring x = wide(a), y = wide(b);
  return ::CompareStringOrdinal(x.data(), static_cast<int>(x.size()), y.data(), static_cast<int>(y.size()), TRUE) ==
         CSTR_EQUAL;
}

[[nodiscard]] std::vector<cordon::detail::found_place> find(step_function<path_tree> all) {
  std::vector<cordon::detail::found_place> found;
  for (std::uint32_t i = 0; i < all.size(); ++i) {
    const std::string place(all.place(i));
    const rights r = rights::from_bits(all[i].value);
    found.push_back({place, r});
    if (place == "/" || place == run_temp) continue;
    DWORD error = 0;
    std::string real = real_place(path_at(place), error);
    if (real.empty()) {
      if (!r.empty()) throw refused::because<reasons::path_unresolved>(place, words_of(error));
      if (all.at(all.parent(i)).value != 0) throw refused::because<reasons::path_hidden_missing>(place);
      continue;
    }
    if (!is_same_name(real, place)) throw refused::because<reasons::path_other_name>(place, real);
    found.back().real = std::move(real);
  }
  return found;
}

} // namespace

std::string real_place(const std::filesystem::path& name, DWORD& error) {
  error = 0;
  constexpr DWORD everybody = FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE;
  const handle file(::CreateFileW(name.c_str(), FILE_READ_ATTRIBUTES, everybody, nullptr, OPEN_EXISTING,
                                  FILE_FLAG_BACKUP_SEMANTICS, nullptr));
  if (!file) {
    error = ::GetLastError();
    return std::string();
  }
  constexpr DWORD how = FILE_NAME_NORMALIZED | VOLUME_NAME_DOS;
  std::wstring text(::GetFinalPathNameByHandleW(file.get(), nullptr, 0, how), L'\0');
  text.resize(::GetFinalPathNameByHandleW(file.get(), text.data(), static_cast<DWORD>(text.size()), how));
  constexpr std::wstring_view plain = L"\\\\?\\";
  if (text.starts_with(plain)) text.erase(0, plain.size());
  std::string place = place_of(text);
  if (place.empty()) error = ERROR_BAD_PATHNAME; // a network path, or a path without a drive
  return place;
}

loaded_policy resolve(const loaded_policy& p) {
  return cordon::detail::with_places(p, find(p.workspace()), find(p.files()));
}

char system_drive() {
  wchar_t text[MAX_PATH];
  return ::GetWindowsDirectoryW(text, MAX_PATH) > 1 && text[1] == L':' ? static_cast<char>(text[0]) : 'C';
}

} // namespace cordon::windows_shim
