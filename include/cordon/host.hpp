// SPDX-License-Identifier: BSL-1.0
/// Hosts: patterns, the axis that they make, its canonical form, and verdicts.
#pragma once

#include "host/asked.hpp"
#include "host/decide.hpp"
#include "host/host_axis.hpp"
#include "host/parse.hpp"
#include "host/set.hpp"
#include "host/words.hpp"
