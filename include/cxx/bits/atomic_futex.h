/* SPDX-License-Identifier: MIT
 *
 * libstdc++'s header of the same name, with the functions that std::future waits with and that are in the library
 * otherwise: here they are compiled with the program, and so explored like it.
 */
#include_next <bits/atomic_futex.h>

#ifndef _HEDDLE_ATOMIC_FUTEX_H
#define _HEDDLE_ATOMIC_FUTEX_H 1

#pragma GCC system_header

#include <cerrno>
#include <climits>
#include <ctime>
#include <linux/futex.h>
#include <syscall.h>
#include <unistd.h>

#define __heddle_inline inline __attribute__((always_inline))

namespace std {
_GLIBCXX_BEGIN_NAMESPACE_VERSION

/* False if the time is over. */
__heddle_inline bool __heddle_futex_wait(unsigned *__address, unsigned __value, int __clock, bool __has_timeout,
                                         chrono::seconds __s, chrono::nanoseconds __ns) {
  const timespec __time = {static_cast<time_t>(__s.count()), static_cast<long>(__ns.count())};
  const int __operation = FUTEX_WAIT_BITSET | __clock;
  return ::syscall(SYS_futex, __address, __operation, __value, __has_timeout ? &__time : nullptr, nullptr,
                   FUTEX_BITSET_MATCH_ANY) == 0 ||
         errno != ETIMEDOUT;
}

__heddle_inline bool __atomic_futex_unsigned_base::_M_futex_wait_until(unsigned *__address, unsigned __value,
                                                                       bool __has_timeout, chrono::seconds __s,
                                                                       chrono::nanoseconds __ns) {
  return std::__heddle_futex_wait(__address, __value, FUTEX_CLOCK_REALTIME, __has_timeout, __s, __ns);
}

__heddle_inline bool __atomic_futex_unsigned_base::_M_futex_wait_until_steady(unsigned *__address, unsigned __value,
                                                                              bool __has_timeout, chrono::seconds __s,
                                                                              chrono::nanoseconds __ns) {
  return std::__heddle_futex_wait(__address, __value, 0, __has_timeout, __s, __ns);
}

__heddle_inline void __atomic_futex_unsigned_base::_M_futex_notify_all(unsigned *__address) {
  ::syscall(SYS_futex, __address, FUTEX_WAKE, INT_MAX);
}

_GLIBCXX_END_NAMESPACE_VERSION
} // namespace std

#undef __heddle_inline
#endif
