// SPDX-License-Identifier: BSL-1.0
// The only file that is compiled with the path of the source tree: every other object is the same in each clone.
#include "vectors.hpp"

const char* const vectors::folder_of_sources = CORDON_VECTORS;
