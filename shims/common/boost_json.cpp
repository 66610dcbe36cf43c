// SPDX-License-Identifier: BSL-1.0
// Builds Boost.JSON, for systems without an archive of it.
#include <boost/json/src.hpp>
