/* SPDX-License-Identifier: MIT
 *
 * syscall(): futexes are modelled, and what a function of the C library does is that function's. Of other calls that
 * change nothing, the kernel is asked. Any other call is made as well, but nobody sees what it does, and it may block:
 * the result is incomplete then.
 */
#include "ends.h"
#include "futexes.h"
#include "models.h"
#include "pipes.h"
#include "unfollowed.h"

#include <errno.h>
#include <sched.h>
#include <stdarg.h>
#include <sys/syscall.h>
#include <unistd.h>

int __wrap_sched_yield(void);
ssize_t __wrap_read(int descriptor, void *buffer, size_t size);
ssize_t __wrap_write(int descriptor, const void *buffer, size_t size);
int __wrap_close(int descriptor);
int __wrap_clock_gettime(clockid_t clock, struct timespec *time);
int __wrap_nanosleep(const struct timespec *duration, struct timespec *rest);
_Noreturn void __wrap__exit(int status);
long __real_syscall(long number, ...);
EXPORTED long __wrap_syscall(long number, ...);

/* They touch no memory, and their results stay the same. */
static bool is_harmless(long number) {
  switch (number) {
  case SYS_getpid:
  case SYS_getppid:
  case SYS_getpgrp:
  case SYS_getpgid:
  case SYS_getsid:
  case SYS_getuid:
  case SYS_geteuid:
  case SYS_getgid:
  case SYS_getegid:
  case SYS_membarrier: return true;
  default: return false;
  }
}

/* Their first argument is a descriptor, of which the kernel knows nothing if it is heddle's. */
static bool is_of_descriptor(long number) {
  switch (number) {
  case SYS_readv:
  case SYS_writev:
  case SYS_ioctl:
  case SYS_fcntl:
  case SYS_dup:
  case SYS_dup2:
  case SYS_dup3:
  case SYS_bind:
  case SYS_listen:
  case SYS_accept:
  case SYS_accept4:
  case SYS_connect:
  case SYS_shutdown:
  case SYS_sendto:
  case SYS_recvfrom:
  case SYS_sendmsg:
  case SYS_recvmsg:
  case SYS_getsockname:
  case SYS_getpeername:
  case SYS_getsockopt:
  case SYS_setsockopt:
  case SYS_epoll_ctl:
  case SYS_epoll_wait:
  case SYS_epoll_pwait:
  case SYS_timerfd_settime:
  case SYS_timerfd_gettime: return true;
  default: return false;
  }
}

static void check_descriptor(long number, long descriptor) {
  if (!is_of_descriptor(number) || !pipe_description((int)descriptor)) return;
  take_site();
  finish_at_limit("a system call by its number, of a pipe or socket");
}

/* Threads have numbers of their own, as in the kernel; main has that of the process. */
static long thread_number(void) {
  return system_call(SYS_getpid, 0) + self()->id;
}

static long call(long number, const long arguments[6], char *frame) {
  switch (number) {
  case SYS_futex: return futex_call(arguments, take_site(), frame);
  case SYS_gettid: return thread_number();
  case SYS_sched_yield: return __wrap_sched_yield();
  case SYS_read: return __wrap_read((int)arguments[0], (void *)arguments[1], (size_t)arguments[2]);
  case SYS_write: return __wrap_write((int)arguments[0], (const void *)arguments[1], (size_t)arguments[2]);
  case SYS_close: return __wrap_close((int)arguments[0]);
  case SYS_clock_gettime: return __wrap_clock_gettime((clockid_t)arguments[0], (struct timespec *)arguments[1]);
  case SYS_nanosleep: return __wrap_nanosleep((const struct timespec *)arguments[0], (struct timespec *)arguments[1]);
  case SYS_exit_group: __wrap__exit((int)arguments[0]);
  default: break;
  }
  check_descriptor(number, arguments[0]);
  if (!is_harmless(number)) unfollowed_system_call(number, take_site());
  return __real_syscall(number, arguments[0], arguments[1], arguments[2], arguments[3], arguments[4], arguments[5]);
}

long __wrap_syscall(long number, ...) {
  char *frame = SPIN_FRAME();
  long arguments[6];
  va_list rest;
  va_start(rest, number);
  for (int i = 0; i < 6; i++) arguments[i] = va_arg(rest, long); /* whatever is there, when the call has fewer */
  va_end(rest);
  if (controlled) return call(number, arguments, frame);
  return __real_syscall(number, arguments[0], arguments[1], arguments[2], arguments[3], arguments[4], arguments[5]);
}
