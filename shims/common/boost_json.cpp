// SPDX-License-Identifier: BSL-1.0
// Boost.JSON, for systems without a library of it.
#include <boost/json/src.hpp>
