/* SPDX-License-Identifier: MIT
 *
 * libstdc++'s header of the same name, with the functions of std::thread that are in the library otherwise: here they
 * are compiled with the program, and so explored like it.
 */
#include_next <bits/std_thread.h>

#ifndef _HEDDLE_STD_THREAD_H
#define _HEDDLE_STD_THREAD_H 1

#pragma GCC system_header

#include <bits/functexcept.h>
#include <cerrno>

#define __heddle_inline inline __attribute__((always_inline))

extern "C" int get_nprocs(void) noexcept;

namespace std {
_GLIBCXX_BEGIN_NAMESPACE_VERSION

__heddle_inline thread::_State::~_State() = default;

/* What a new thread does; reports name the thread by its symbol. */
inline void *__heddle_run_thread(void *__state) __asm__("std::thread");
inline void *__heddle_run_thread(void *__state) {
  thread::_State_ptr __owner(static_cast<thread::_State *>(__state));
  __owner->_M_run();
  return nullptr;
}

__heddle_inline void thread::_M_start_thread(_State_ptr __state, void (*)()) {
  const int __error = __gthread_create(&_M_id._M_thread, &__heddle_run_thread, __state.get());
  if (__error) __throw_system_error(__error);
  __state.release();
}

__heddle_inline void thread::join() {
  int __error = EINVAL;
  if (joinable()) __error = __gthread_join(_M_id._M_thread, nullptr);
  if (__error) __throw_system_error(__error);
  _M_id = id();
}

__heddle_inline void thread::detach() {
  int __error = EINVAL;
  if (joinable()) __error = __gthread_detach(_M_id._M_thread);
  if (__error) __throw_system_error(__error);
  _M_id = id();
}

__heddle_inline unsigned int thread::hardware_concurrency() noexcept {
  const int __count = get_nprocs();
  return __count < 0 ? 0 : __count;
}

_GLIBCXX_END_NAMESPACE_VERSION
} // namespace std

#undef __heddle_inline
#endif
