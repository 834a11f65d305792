/* SPDX-License-Identifier: MIT
 *
 * In place of libstdc++'s header of the same name, which only semaphores need: under heddle they are POSIX's.
 */
#ifndef _GLIBCXX_ATOMIC_TIMED_WAIT_H
#define _GLIBCXX_ATOMIC_TIMED_WAIT_H 1

#pragma GCC system_header

#include <bits/atomic_wait.h>
#include <bits/chrono.h>
#include <bits/this_thread_sleep.h>
#include <sys/time.h>

#define __cpp_lib_atomic_timed_wait 201907L
#endif
