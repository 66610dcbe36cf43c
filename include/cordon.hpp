// SPDX-License-Identifier: BSL-1.0
/// cordon: one policy for untrusted programs. This header is the public API of the algebra: the policy type, its order
/// and meet, and the clauses that build a policy in C++. It needs only the standard library and allocates nothing.
/// The other public headers, by task:
///
///   policy as text                  cordon/notation/literals.hpp, cordon/notation/parse.hpp, cordon/notation/print.hpp
///   policies of any size            cordon/policy/heap.hpp
///   queries on a policy             cordon/query/query.hpp, cordon/query/explain.hpp
///   queries on a plan               cordon/query/query_plan.hpp
///   rules of one mechanism          cordon/backend/NAME.hpp; all of them: cordon/backend/backends.hpp
///   proof of rules                  cordon/verify/prove.hpp
///   many queries on hosts           cordon/host/host.hpp, cordon/host/index.hpp
///   arguments of a command line     cordon/guard/guard.hpp, cordon/guard/preflight.hpp, cordon/guard/nested_sandbox.hpp
///   documents (link the shims)      cordon/format/read.hpp, cordon/format/write.hpp
///   policy file for this host       cordon/run/load.hpp
///   a run                           cordon/run/run.hpp, cordon/run/async_run.hpp, cordon/run/report.hpp
///   many runs, N at a time          cordon/run/run_pool.hpp
///   mechanisms of this host         cordon/run/availability.hpp
///   a child of Boost.Process        cordon/linux/prepare.hpp, cordon/linux/spawn.hpp
///   file tools for host programs    cordon/linux/workspace_files.hpp
///
/// A namespace `detail` is not part of the API. cordon/README.md describes the folders.
#pragma once

#if !defined(_MSVC_LANG) && __cplusplus < 202002L
#error "cordon needs C++20"
#endif

#include "cordon/policy/dsl.hpp"
#include "cordon/policy/narrow.hpp"
#include "cordon/policy/policy.hpp"
#include "cordon/policy/widen.hpp"
#include "cordon/policy/within.hpp"
