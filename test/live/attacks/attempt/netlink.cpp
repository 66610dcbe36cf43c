// SPDX-License-Identifier: BSL-1.0
/// Requests to the kernel about interfaces, addresses and routes: one that reads, and some that change.
#include <arpa/inet.h>
#include <ifaddrs.h>
#include <linux/fib_rules.h>
#include <linux/neighbour.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <net/if.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "attempt.hpp"

namespace attempt {
namespace {

/// What node and Python do at their start: the addresses of all interfaces, by a dump of NETLINK_ROUTE.
outcome list_addresses(arguments) {
  ifaddrs* all = nullptr;
  if (getifaddrs(&all) != 0) return answer(-1);
  bool found = false;
  for (const ifaddrs* each = all; each != nullptr; each = each->ifa_next)
    found = found || (each->ifa_addr != nullptr && each->ifa_addr->sa_family == AF_INET &&
                      std::strcmp(each->ifa_name, "lo") == 0 && (each->ifa_flags & IFF_UP) != 0);
  freeifaddrs(all);
  return found ? outcome::happened : refused_because("no_loopback");
}

/// A request: its head, the fixed part of its type, and at most one IPv4 address.
class request {
public:
  template <class Body> request(std::uint16_t type, std::uint16_t flags, const Body& body) {
    nlmsghdr head{};
    head.nlmsg_type = type, head.nlmsg_flags = static_cast<std::uint16_t>(NLM_F_REQUEST | NLM_F_ACK | flags);
    add(&head, sizeof head);
    add(&body, sizeof body);
  }

  request& with(std::uint16_t attribute, const char* address) {
    in_addr value{};
    inet_pton(AF_INET, address, &value);
    const rtattr head{RTA_LENGTH(sizeof value), attribute};
    add(&head, sizeof head);
    add(&value, sizeof value);
    return *this;
  }

  /// Happened if the kernel did it, else refused with the error of its message.
  [[nodiscard]] outcome send_it() {
    const auto size = static_cast<std::uint32_t>(size_);
    std::memcpy(bytes_.data() + offsetof(nlmsghdr, nlmsg_len), &size, sizeof size);
    const int channel = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE);
    if (channel < 0 || send(channel, bytes_.data(), size_, 0) < 0) return answer(-1);
    alignas(nlmsghdr) std::array<char, 512> text{};
    if (recv(channel, text.data(), text.size(), 0) < static_cast<ssize_t>(NLMSG_LENGTH(sizeof(nlmsgerr))))
      return answer(-1);
    nlmsgerr said{};
    std::memcpy(&said, text.data() + NLMSG_HDRLEN, sizeof said);
    return said.error == 0 ? outcome::happened : refused_with(-said.error);
  }

private:
  void add(const void* from, std::size_t size) {
    std::memcpy(bytes_.data() + size_, from, size);
    size_ += NLMSG_ALIGN(size);
  }

  alignas(nlmsghdr) std::array<char, 128> bytes_{};
  std::size_t size_ = 0;
};

unsigned loopback() { return if_nametoindex("lo"); }

/// Without a change: the kernel checks CAP_NET_ADMIN first.
outcome change_link(arguments) {
  ifinfomsg link{};
  link.ifi_index = static_cast<int>(loopback());
  return request(RTM_NEWLINK, 0, link).send_it();
}

ifaddrmsg of_loopback() {
  ifaddrmsg address{};
  address.ifa_family = AF_INET, address.ifa_prefixlen = 8, address.ifa_index = loopback();
  return address;
}

/// The address that is there already.
outcome add_address(arguments) {
  return request(RTM_NEWADDR, NLM_F_CREATE | NLM_F_EXCL, of_loopback()).with(IFA_LOCAL, "127.0.0.1").send_it();
}

// The others take away what is not there.

outcome remove_address(arguments) {
  return request(RTM_DELADDR, 0, of_loopback()).with(IFA_LOCAL, "127.99.99.99").send_it();
}

outcome remove_route(arguments) {
  rtmsg route{};
  route.rtm_family = AF_INET, route.rtm_dst_len = 32, route.rtm_table = RT_TABLE_MAIN;
  return request(RTM_DELROUTE, 0, route).with(RTA_DST, "198.51.100.9").send_it();
}

outcome remove_rule(arguments) {
  fib_rule_hdr rule{};
  rule.family = AF_INET, rule.src_len = 32, rule.table = 99, rule.action = FR_ACT_TO_TBL;
  return request(RTM_DELRULE, 0, rule).with(FRA_SRC, "198.51.100.9").send_it();
}

outcome remove_neighbour(arguments) {
  ndmsg neighbour{};
  neighbour.ndm_family = AF_INET, neighbour.ndm_ifindex = static_cast<int>(loopback());
  return request(RTM_DELNEIGH, 0, neighbour).with(NDA_DST, "127.99.99.99").send_it();
}

constexpr act table[] = {{"list_addresses", list_addresses},    {"change_link", change_link},
                         {"add_address", add_address},          {"remove_address", remove_address},
                         {"remove_route", remove_route},        {"remove_rule", remove_rule},
                         {"remove_neighbour", remove_neighbour}};

} // namespace

std::span<const act> netlink_acts() { return table; }

} // namespace attempt
