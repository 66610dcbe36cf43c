// SPDX-License-Identifier: BSL-1.0
#include <cordon/format/idna.hpp>

namespace cordon::format {

// macOS has no public function for this; policies must write names as A-labels there (xn--...).
std::string idna_label_of_system(std::string_view label) { return label.starts_with("xn--") ? std::string(label) : ""; }

} // namespace cordon::format
