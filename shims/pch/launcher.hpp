// SPDX-License-Identifier: BSL-1.0
// Precompiled where the compiler can: what most files of the launcher include. Each file still includes what it uses, and
// compiles alone (-Db_pch=false).
#include <cordon/policy/heap.hpp>
#include <cordon/run/run.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>
