// SPDX-License-Identifier: BSL-1.0
// Boost.JSON, for systems for which no archive of it is at hand.
#include <boost/json/src.hpp>
