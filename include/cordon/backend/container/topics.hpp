// SPDX-License-Identifier: BSL-1.0
/// What containers cannot say.
#pragma once

#include "../mounts/compile.hpp"

namespace cordon::container {

namespace topics_of {

inline constexpr topic blind = mounts::blind("container.blind");
inline constexpr topic part = mounts::part("container.part");
inline constexpr topic busy = mounts::busy("container.busy");
inline constexpr topic own = mounts::own("container.own");
inline constexpr topic connect = mounts::connect("container.connect");
inline constexpr topic run = mounts::run("container.run");
inline constexpr topic name{
    "container.name",
    gap_kind::tightened,
    verb::everything,
    scope::beneath,
    {},
    "a name that is no UTF-8 cannot stand in JSON, nor a colon in a Kubernetes mount: it has what is around it"};
inline constexpr topic mask{
    "container.mask",
    gap_kind::unenforced,
    right::list,
    scope::place,
    {},
    "what is hidden inside something shown is an empty directory of the mode of what it hides, and "
    "can be listed as empty; in a Pod the names of what is shown inside it can be listed too"};
inline constexpr topic null{
    "container.null",
    gap_kind::unenforced,
    right::read | right::write,
    scope::place,
    {},
    "a file that is hidden inside something shown is /dev/null: it opens, is empty, and forgets what is written to it"};
inline constexpr topic way{
    "container.way",
    gap_kind::unenforced,
    right::list,
    scope::place,
    {},
    "directories on the way to what is granted are the image's: their names, all from the policy "
    "or the image, can be listed"};
inline constexpr topic sockets{
    "container.sockets",
    gap_kind::tightened,
    right::connect,
    scope::beneath,
    {},
    "no unix socket can be connected to below level network: the filter refuses to make one"};
inline constexpr topic spawn{"container.spawn",
                             gap_kind::unenforced,
                             {},
                             scope::place,
                             facility::spawn,
                             "new processes can be started: a Pod cannot carry a filter of system calls"};
inline constexpr topic machine = mounts::machine("container.machine");
inline constexpr topic ports{
    "container.ports",
    gap_kind::unenforced,
    {},
    scope::place,
    facility::listen | facility::any_port,
    "a container on a network can listen on any port, for the machine and its other containers"};
inline constexpr topic inside{"container.private",
                              gap_kind::tightened,
                              {},
                              scope::place,
                              facility::listen | facility::any_port | facility::loopback,
                              "the network is the container's own: nobody reaches a port that is listened on from "
                              "outside, or no server of the machine's loopback is reached"};
inline constexpr topic hosts{"container.hosts",
                             gap_kind::tightened,
                             {},
                             scope::place,
                             facility::some_host,
                             "no host can be reached: a container's network does not tell hosts apart by their names"};
inline constexpr topic calls{
    "container.calls",
    gap_kind::unenforced,
    {},
    scope::place,
    {},
    "a call that the runtime's libseccomp has no name for passes, unless system calls are strict"};
inline constexpr topic unknown_call{"container.unknown_call",
                                    gap_kind::unenforced,
                                    {},
                                    scope::place,
                                    {},
                                    "no machine has a system call of this name: that it is denied denies nothing"};
inline constexpr topic profile{"container.profile",
                               gap_kind::unenforced,
                               {},
                               scope::place,
                               {},
                               "a Pod names the runtime's own profile of system calls, which is not the policy's"};
inline constexpr topic limits{"container.limits",           gap_kind::unenforced, {}, scope::place, {},
                              "a Pod cannot say this limit"};

} // namespace topics_of

inline constexpr topic topics[]{topics_of::blind,   topics_of::part,    topics_of::busy,    topics_of::own,
                                topics_of::connect, topics_of::run,     topics_of::name,    topics_of::mask,
                                topics_of::null,    topics_of::way,     topics_of::sockets, topics_of::spawn,
                                topics_of::machine, topics_of::ports,   topics_of::inside,  topics_of::hosts,
                                topics_of::calls,   topics_of::profile, topics_of::limits,  topics_of::unknown_call};

} // namespace cordon::container
