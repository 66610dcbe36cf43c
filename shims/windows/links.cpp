// SPDX-License-Identifier: BSL-1.0
#include <cordon/run/links/links.hpp>

#include <utility>

namespace cordon {

// Windows trusts no link: see `windows_shim::resolve`.
link_facts cordon::abi_0::links_of_host(std::string home) { return {nullptr, true, std::move(home), {}}; }

} // namespace cordon
