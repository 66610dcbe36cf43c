// SPDX-License-Identifier: BSL-1.0
#include <cordon/version.hpp>

#include <cstdio>

int main() { std::printf("%.*s\n", static_cast<int>(cordon::version.size()), cordon::version.data()); }
