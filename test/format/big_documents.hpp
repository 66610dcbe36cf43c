// SPDX-License-Identifier: BSL-1.0
/// Documents of any size.
#pragma once

#include <string>

namespace big_documents {

/// cordon JSON with `count` file grants: a few levels deep, some paths nested, some with fewer rights.
inline std::string with_grants(int count) {
  std::string out = "{\"cordon\": 1, \"presets\": [], \"files\": [";
  for (int i = 0; i < count; ++i) {
    const std::string n = std::to_string(i * 7919LL % count);
    out += (i == 0 ? "\n" : ",\n") + std::string("{\"path\": \"/srv/projects/") + (i % 4 == 0 ? "team/" : "") + n +
           (i % 3 == 0 ? "/src/.git" : "") + "\", \"rights\": " + (i % 3 == 0 ? "\"read\"" : "\"write\"") + "}";
  }
  return out + "]}";
}

/// The same for variables: passing, set and removed.
inline std::string with_variables(int count) {
  std::string pass, set, remove;
  for (int i = 0; i < count; ++i) {
    const std::string n = std::to_string(i);
    std::string& list = i % 3 == 0 ? pass : i % 3 == 1 ? set : remove;
    list += (list.empty() ? "" : ",") + std::string("\"V") + n +
            (i % 3 == 1   ? "\":\"" + n + "\""
             : i % 7 == 0 ? "*\""
                          : "\"");
  }
  return "{\"cordon\": 1, \"environment\": {\"pass\": [" + pass + "], \"set\": {" + set + "}, \"remove\": [" + remove +
         "]}}";
}

} // namespace big_documents
