// SPDX-License-Identifier: BSL-1.0
/// cordon: one policy for programs that are not trusted. This header is the algebra: the policy value, its order and
/// meet, and the ways to write one in C++. It needs nothing but the standard library and allocates nothing.
#pragma once

#if !defined(_MSVC_LANG) && __cplusplus < 202002L
#error "cordon needs C++20"
#endif

#include "cordon/policy/dsl.hpp"
#include "cordon/policy/narrow.hpp"
#include "cordon/policy/policy.hpp"
#include "cordon/policy/widen.hpp"
#include "cordon/policy/within.hpp"
