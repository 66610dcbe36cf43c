// SPDX-License-Identifier: BSL-1.0
/// cordon: one policy for programs that are not trusted. This header is the official API of the algebra: the policy value,
/// its order and meet, and the ways to write one in C++. It needs nothing but the standard library and allocates nothing.
/// Public headers by job, beside this one:
///
///   text in a literal or a buffer   cordon/notation/literals.hpp, cordon/notation/parse.hpp, cordon/notation/print.hpp
///   policies of any size            cordon/policy/heap.hpp
///   questions to a policy           cordon/query/query.hpp, cordon/query/explain.hpp
///   questions to a plan             cordon/query/query_plan.hpp
///   rules of one mechanism          cordon/backend/NAME.hpp; all of them: cordon/backend/backends.hpp
///   proof of rules                  cordon/verify/prove.hpp
///   hosts, many questions           cordon/host/host.hpp, cordon/host/index.hpp
///   arguments of a command line     cordon/guard/guard.hpp, cordon/guard/preflight.hpp, cordon/guard/nested_sandbox.hpp
///   documents (Boost.JSON)          cordon/format/read.hpp, cordon/format/write.hpp
///   a file that is enforced here    cordon/run/load.hpp
///   a run                           cordon/run/run.hpp, cordon/run/async_run.hpp, cordon/run/report.hpp
///   what this host can enforce      cordon/run/availability.hpp
///   a child of Boost.Process        cordon/linux/prepare.hpp, cordon/linux/spawn.hpp
///   file tools for host programs    cordon/linux/workspace_files.hpp
///
/// What lies in a namespace `detail` is no API. README.md beside these folders has the map.
#pragma once

#if !defined(_MSVC_LANG) && __cplusplus < 202002L
#error "cordon needs C++20"
#endif

#include "cordon/policy/dsl.hpp"
#include "cordon/policy/narrow.hpp"
#include "cordon/policy/policy.hpp"
#include "cordon/policy/widen.hpp"
#include "cordon/policy/within.hpp"
