// SPDX-License-Identifier: BSL-1.0
#include <arpa/inet.h>
#include <linux/io_uring.h>
#include <netinet/in.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>

#include "attempt.hpp"

namespace attempt {
namespace {

constexpr std::uint8_t op_socket = 45; // IORING_OP_SOCKET, Linux 5.19; headers may be older than the kernel

/// One io_uring with one place, enough to do one thing after the other.
class ring {
public:
  bool open() {
    descriptor_ = static_cast<int>(syscall(SYS_io_uring_setup, 1, &parameters_));
    if (descriptor_ < 0) return false;
    submissions_ = mapped(parameters_.sq_off.array + sizeof(std::uint32_t), IORING_OFF_SQ_RING);
    completions_ = mapped(parameters_.cq_off.cqes + 2 * sizeof(io_uring_cqe), IORING_OFF_CQ_RING);
    entries_ = reinterpret_cast<io_uring_sqe*>(mapped(sizeof(io_uring_sqe), IORING_OFF_SQES));
    return submissions_ != nullptr && completions_ != nullptr && entries_ != nullptr;
  }

  /// The result of the operation, or the negated errno.
  int perform(const io_uring_sqe& entry) {
    entries_[0] = entry;
    word(submissions_, parameters_.sq_off.array) = 0;
    __atomic_add_fetch(&word(submissions_, parameters_.sq_off.tail), 1, __ATOMIC_RELEASE);
    if (syscall(SYS_io_uring_enter, descriptor_, 1, 1, IORING_ENTER_GETEVENTS, nullptr, 0) < 0) return -errno;
    const std::uint32_t head = word(completions_, parameters_.cq_off.head);
    const std::uint32_t mask = word(completions_, parameters_.cq_off.ring_mask);
    const auto* done = reinterpret_cast<const io_uring_cqe*>(completions_ + parameters_.cq_off.cqes) + (head & mask);
    const int result = done->res;
    __atomic_add_fetch(&word(completions_, parameters_.cq_off.head), 1, __ATOMIC_RELEASE);
    return result;
  }

private:
  char* mapped(std::size_t size, long long offset) {
    void* place = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, descriptor_, offset);
    return place == MAP_FAILED ? nullptr : static_cast<char*>(place);
  }

  static std::uint32_t& word(char* base, std::uint32_t offset) {
    return *reinterpret_cast<std::uint32_t*>(base + offset);
  }

  int descriptor_ = -1;
  io_uring_params parameters_{};
  char* submissions_ = nullptr;
  char* completions_ = nullptr;
  io_uring_sqe* entries_ = nullptr;
};

outcome open_ring(arguments) {
  ring one;
  return one.open() ? outcome::happened : answer(-1);
}

/// Not one socket call is made: the ring makes the socket and connects it.
outcome connect_by_ring(arguments words) {
  ring one;
  if (!one.open()) return answer(-1);
  io_uring_sqe entry{};
  entry.opcode = op_socket;
  entry.fd = AF_INET;
  entry.off = SOCK_STREAM;
  const int channel = one.perform(entry);
  if (channel < 0) return refused_with(-channel);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(words.number(0)));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  entry = {};
  entry.opcode = IORING_OP_CONNECT;
  entry.fd = channel;
  entry.addr = reinterpret_cast<std::uint64_t>(&address);
  entry.off = sizeof address;
  const int result = one.perform(entry);
  if (result < 0) return refused_with(-result);
  return answer(write(channel, "attacked", 8));
}

#if defined(__x86_64__)
/// The i386 gate, open to 64-bit code as well: other numbers, another filter branch.
outcome call_i386(arguments words) {
  long result = words.number(0);
  asm volatile("int $0x80"
               : "+a"(result)
               : "b"(words.word(1)), "c"(words.word(2)), "d"(words.word(3))
               : "memory", "r8", "r9", "r10", "r11");
  const auto low = static_cast<std::int32_t>(result);
  return low < 0 ? refused_with(-low) : outcome::happened;
}

outcome call_x32(arguments words) {
  constexpr long x32_bit = 0x40000000;
  return answer(syscall(words.number(0) | x32_bit, words.word(1), words.word(2), words.word(3)));
}
#else
outcome call_i386(arguments) { return refused_with(ENOSYS); }
outcome call_x32(arguments) { return refused_with(ENOSYS); }
#endif

constexpr act table[] = {
    {"io_uring_setup", open_ring},
    {"io_uring_connect", connect_by_ring},
    {"call_i386", call_i386},
    {"call_x32", call_x32},
};

} // namespace

std::span<const act> ring_acts() { return table; }

} // namespace attempt
