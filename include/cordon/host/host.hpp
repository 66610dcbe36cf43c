// SPDX-License-Identifier: BSL-1.0
/// Hosts: patterns, the axis made of them, its canonical form, and verdicts.
#pragma once

#include "canonical_patterns.hpp"
#include "decide.hpp"
#include "host_axis.hpp"
#include "parse.hpp"
#include "requested_host.hpp"
#include "set.hpp"
