// SPDX-License-Identifier: BSL-1.0
/// Reads SDDL texts, one a line: does Windows' own parser take each, and does it find in it what is written there?
#include <cstdio>
#include <iostream>
#include <string>

#include <windows.h>

#include <sddl.h>

namespace {

/// The number of entries that the text shows, or -1 if it is not taken.
int entries_of(const std::string& text, bool& isolated) {
  PSECURITY_DESCRIPTOR descriptor = nullptr;
  if (!ConvertStringSecurityDescriptorToSecurityDescriptorA(text.c_str(), SDDL_REVISION_1, &descriptor, nullptr))
    return -1;
  SECURITY_DESCRIPTOR_CONTROL control{};
  DWORD revision = 0;
  BOOL present = FALSE, defaulted = FALSE;
  PACL list = nullptr;
  int count = -1;
  if (GetSecurityDescriptorControl(descriptor, &control, &revision) &&
      GetSecurityDescriptorDacl(descriptor, &present, &list, &defaulted) && present && list != nullptr &&
      IsValidAcl(list))
    count = list->AceCount;
  isolated = (control & SE_DACL_PROTECTED) != 0;
  LocalFree(descriptor);
  return count;
}

} // namespace

int main() {
  std::string text;
  int count = 0, wrong = 0;
  bool isolated = false;
  if (entries_of("D:(A;OICI;nonsense;;;S-1-1-0)", isolated) != -1) {
    std::puts("FAIL the parser takes anything");
    return 1;
  }
  while (std::getline(std::cin, text)) {
    if (!text.empty() && text.back() == '\r') text.pop_back();
    int shown = 0;
    for (const char c : text) shown += c == '(';
    ++count;
    if (entries_of(text, isolated) == shown && isolated == (text.compare(0, 3, "D:P") == 0)) continue;
    ++wrong;
    std::printf("FAIL %s\n", text.c_str());
  }
  std::printf("%d SDDL texts parsed by Windows' parser, %d wrong\n", count, wrong);
  return wrong == 0 && count != 0 ? 0 : 1;
}
