/* SPDX-License-Identifier: MIT
 *
 * Waiting for atomic variables, in place of libstdc++'s header of the same name, as heddle explores it: what has the
 * size of a futex is one; anything else has a futex that counts its notifications, which variables may share. Nobody
 * spins before sleeping, and notifying does not ask whether somebody sleeps: both are but quicker, and would be many
 * runs.
 */
#ifndef _GLIBCXX_ATOMIC_WAIT_H
#define _GLIBCXX_ATOMIC_WAIT_H 1

#pragma GCC system_header

#include <bits/c++config.h>
#include <bits/gthr.h>
#include <bits/std_mutex.h>
#include <cerrno>
#include <climits>
#include <ext/numeric_traits.h>
#include <linux/futex.h>
#include <syscall.h>
#include <type_traits>
#include <unistd.h>

#define __cpp_lib_atomic_wait 201907L
#define _GLIBCXX_HAVE_PLATFORM_WAIT 1

namespace std {
_GLIBCXX_BEGIN_NAMESPACE_VERSION
namespace __detail {
using __platform_wait_t = int;
static constexpr size_t __platform_wait_alignment = 4;
} // namespace __detail

template <typename _Tp>
inline constexpr bool __platform_wait_uses_type = is_scalar_v<_Tp> && sizeof(_Tp) == sizeof(int);

namespace __detail {
inline void __thread_yield() noexcept {
  __gthread_yield();
}

inline void __thread_relax() noexcept {
  __builtin_ia32_pause();
}

template <typename _Pred> bool __atomic_spin(_Pred &__pred) noexcept {
  return __pred();
}

template <typename _Tp> bool __atomic_compare(const _Tp &__a, const _Tp &__b) {
  return __builtin_memcmp(&__a, &__b, sizeof(_Tp)) == 0;
}

inline void __platform_wait(const __platform_wait_t *__address, __platform_wait_t __old) noexcept {
  ::syscall(SYS_futex, __address, FUTEX_WAIT_PRIVATE, __old, nullptr);
}

inline void __platform_notify(const __platform_wait_t *__address, bool __all) noexcept {
  ::syscall(SYS_futex, __address, FUTEX_WAKE_PRIVATE, __all ? INT_MAX : 1);
}

inline __platform_wait_t __notifications[64];

inline __platform_wait_t *__notifications_of(const void *__address) noexcept {
  return &__notifications[reinterpret_cast<__UINTPTR_TYPE__>(__address) / 4 % 64];
}
} // namespace __detail

template <typename _Pred>
void __atomic_wait_address_bare(const __detail::__platform_wait_t *__address, _Pred __pred) noexcept {
  for (;;) {
    const __detail::__platform_wait_t __now = __atomic_load_n(__address, __ATOMIC_ACQUIRE);
    if (__pred()) return;
    __detail::__platform_wait(__address, __now);
  }
}

template <typename _Tp, typename _Pred> void __atomic_wait_address(const _Tp *__address, _Pred __pred) noexcept {
  if constexpr (__platform_wait_uses_type<_Tp>)
    std::__atomic_wait_address_bare(reinterpret_cast<const __detail::__platform_wait_t *>(__address), __pred);
  else
    std::__atomic_wait_address_bare(__detail::__notifications_of(__address), __pred);
}

template <typename _Tp, typename _ValFn>
void __atomic_wait_address_v(const _Tp *__address, _Tp __old, _ValFn __value) noexcept {
  if constexpr (__platform_wait_uses_type<_Tp>) {
    while (__detail::__atomic_compare(__old, __value()))
      __detail::__platform_wait(reinterpret_cast<const __detail::__platform_wait_t *>(__address),
                                __builtin_bit_cast(__detail::__platform_wait_t, __old));
  } else {
    const auto __is_another = [&] { return !__detail::__atomic_compare(__old, __value()); };
    std::__atomic_wait_address_bare(__detail::__notifications_of(__address), __is_another);
  }
}

inline void __atomic_notify_address_bare(const __detail::__platform_wait_t *__address, bool __all) noexcept {
  __detail::__platform_notify(__address, __all);
}

/* Those who share a futex for notifications are all woken. */
template <typename _Tp> void __atomic_notify_address(const _Tp *__address, bool __all) noexcept {
  if constexpr (__platform_wait_uses_type<_Tp>) {
    __detail::__platform_notify(reinterpret_cast<const __detail::__platform_wait_t *>(__address), __all);
  } else {
    __detail::__platform_wait_t *__futex = __detail::__notifications_of(__address);
    __atomic_fetch_add(__futex, 1, __ATOMIC_SEQ_CST);
    __detail::__platform_notify(__futex, true);
  }
}

_GLIBCXX_END_NAMESPACE_VERSION
} // namespace std
#endif
