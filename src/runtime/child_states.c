/* SPDX-License-Identifier: MIT
 *
 * What the processes below this one are doing, as /proc says. A task waits if it is in a system call that ends only
 * when somebody else does something: it reads from a pipe or socket, waits for a child, a signal, a futex. It sleeps if
 * time alone ends the call. Of what cannot be read, a program that has other rights for instance, we say that it runs.
 *
 * All stand still if each of them was seen to wait, and none has run between two looks: the sum of both is the same.
 */
#include "children.h"
#include "runtime.h"
#include "texts.h"

#include <fcntl.h>
#include <linux/futex.h>
#include <sys/wait.h>

#define MOST_DEEP 16
#define PATH_BYTES 96
#define WAS_READ(count) ((count) > 0)

/* ---- /proc ---- */

/* "/proc/PID/task/TID/file"; without a task "/proc/PID/file". */
static void make_path(char *path, int pid, int task, const char *file) {
  char *at = put_number(put_text(path, "/proc/"), pid);
  if (task) at = put_number(put_text(at, "/task/"), task);
  put_text(put_text(at, "/"), file);
}

static long read_text(const char *path, char *text, size_t room) {
  const long file = system_call(SYS_open, path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return file;
  const long count = system_call(SYS_read, file, text, room - 1);
  system_call(SYS_close, file);
  text[count > 0 ? count : 0] = 0;
  return count;
}

static long read_task(int pid, int task, const char *file, char *text, size_t room) {
  char path[PATH_BYTES];
  make_path(path, pid, task, file);
  return read_text(path, text, room);
}

static uint64_t parse(const char **text) {
  const bool is_hexadecimal = (*text)[0] == '0' && (*text)[1] == 'x';
  uint64_t value = 0;
  if (is_hexadecimal) *text += 2;
  for (;; (*text)++) {
    const char c = **text;
    if (c >= '0' && c <= '9')
      value = value * (is_hexadecimal ? 16 : 10) + (uint64_t)(c - '0');
    else if (is_hexadecimal && c >= 'a' && c <= 'f')
      value = value * 16 + (uint64_t)(c - 'a' + 10);
    else
      break;
  }
  while (**text == ' ') (*text)++;
  return value;
}

/* ---- one task ---- */

static bool starts_with(const char *text, const char *start) {
  while (*start)
    if (*text++ != *start++) return false;
  return true;
}

static bool is_channel(int pid, uint64_t descriptor) {
  char path[PATH_BYTES], target[64];
  put_number(put_text(put_number(put_text(path, "/proc/"), pid), "/fd/"), (long)descriptor);
  const long length = system_call(SYS_readlink, path, target, sizeof target - 1);
  if (length < 0) return false;
  target[length] = 0;
  return starts_with(target, "pipe:") || starts_with(target, "socket:") || starts_with(target, "anon_inode:[eventfd");
}

static enum child_state until(bool is_forever) {
  return is_forever ? CHILD_WAITS : CHILD_SLEEPS;
}

static enum child_state in_futex(const uint64_t arguments[6]) {
  const uint64_t operation = arguments[1] & FUTEX_CMD_MASK;
  if (operation != FUTEX_WAIT && operation != FUTEX_WAIT_BITSET) return CHILD_RUNS;
  return until(!arguments[3]);
}

static enum child_state in_call(int pid, uint64_t call, const uint64_t arguments[6]) {
  switch (call) {
  case SYS_read:
  case SYS_readv:
  case SYS_write:
  case SYS_writev:
  case SYS_recvfrom:
  case SYS_recvmsg:
  case SYS_sendto:
  case SYS_sendmsg: return is_channel(pid, arguments[0]) ? CHILD_WAITS : CHILD_RUNS;
  case SYS_poll: return until((int)arguments[2] < 0);
  case SYS_ppoll: return until(!arguments[2]);
  case SYS_select:
  case SYS_pselect6: return until(!arguments[4]);
  case SYS_epoll_wait:
  case SYS_epoll_pwait: return until((int)arguments[3] < 0);
  case SYS_rt_sigtimedwait: return until(!arguments[2]);
  case SYS_futex: return in_futex(arguments);
  case SYS_wait4:
  case SYS_waitid:
  case SYS_pause:
  case SYS_rt_sigsuspend: return CHILD_WAITS;
  case SYS_nanosleep:
  case SYS_clock_nanosleep: return CHILD_SLEEPS;
  default: return CHILD_RUNS;
  }
}

/* "pid (name) S ...": dead, or stopped until somebody lets it continue. */
static bool stands_still(int pid, int task) {
  char text[512];
  if (!WAS_READ(read_task(pid, task, "stat", text, sizeof text))) return true; /* it is gone */
  const char *state = text;
  for (const char *at = text; *at; at++)
    if (*at == ')') state = at + 1;
  while (*state == ' ') state++;
  return *state == 'Z' || *state == 'X' || *state == 'T';
}

static uint64_t mix(uint64_t sum, const char *text) {
  for (; *text; text++) sum = (sum ^ (unsigned char)*text) * 0x100000001b3ull;
  return sum;
}

static enum child_state look_at_task(int pid, int task, uint64_t *sum) {
  char text[256];
  if (!WAS_READ(read_task(pid, task, "schedstat", text, sizeof text)) && !stands_still(pid, task)) return CHILD_RUNS;
  *sum = mix(*sum * 31 + (uint64_t)task, text);
  const bool is_told = WAS_READ(read_task(pid, task, "syscall", text, sizeof text));
  *sum = mix(*sum, text);
  if (!is_told || text[0] < '0' || text[0] > '9') return stands_still(pid, task) ? CHILD_WAITS : CHILD_RUNS;
  const char *at = text;
  uint64_t arguments[6];
  const uint64_t call = parse(&at);
  for (int i = 0; i < 6; i++) arguments[i] = parse(&at);
  return in_call(pid, call, arguments);
}

/* ---- all of them ---- */

struct directory_entry {
  uint64_t inode, offset;
  uint16_t size_bytes;
  uint8_t type;
  char name[];
};

static enum child_state busier(enum child_state a, enum child_state b) {
  return a > b ? a : b;
}

static enum child_state look_below(int pid, int task, int depth, uint64_t *sum);

static enum child_state look_at_process(int pid, int depth, uint64_t *sum) {
  char path[PATH_BYTES], entries[2048] __attribute__((aligned(8)));
  enum child_state state = CHILD_GONE;
  make_path(path, pid, 0, "task");
  const long directory = system_call(SYS_open, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (directory < 0) return CHILD_GONE;
  for (long count; (count = system_call(SYS_getdents64, directory, entries, sizeof entries)) > 0;)
    for (long at = 0; at < count;) {
      const struct directory_entry *entry = (const struct directory_entry *)(entries + at);
      const char *name = entry->name;
      at += entry->size_bytes;
      if (name[0] == '.') continue;
      const int task = (int)parse(&name);
      state = busier(state, look_at_task(pid, task, sum));
      state = busier(state, look_below(pid, task, depth + 1, sum));
    }
  system_call(SYS_close, directory);
  return state;
}

static enum child_state look_below(int pid, int task, int depth, uint64_t *sum) {
  char text[2048];
  if (read_task(pid, task, "children", text, sizeof text) < 0) return stands_still(pid, task) ? CHILD_GONE : CHILD_RUNS;
  if (depth > MOST_DEEP) return CHILD_RUNS;
  enum child_state state = CHILD_GONE;
  for (const char *at = text; *at;) {
    const int child = (int)parse(&at);
    if (!child) break;
    state = busier(state, look_at_process(child, depth, sum));
  }
  return state;
}

/* ---- the children of this process ---- */

bool child_states_each(void (*function)(int pid)) {
  char text[4096];
  if (read_text("/proc/thread-self/children", text, sizeof text) < 0) return false;
  for (const char *at = text; *at;) {
    const int child = (int)parse(&at);
    if (!child) break;
    function(child);
  }
  return true;
}

/* Has it ended? Its status stays with the kernel. */
static bool is_over(int pid) {
  siginfo_t information = {0};
  return system_call(SYS_waitid, P_PID, pid, &information, WEXITED | WNOHANG | WNOWAIT, 0) < 0 || information.si_pid;
}

/* Where the kernel has no list of children. */
static enum child_state look_at_known(void) {
  for (uint32_t i = 0; i < MAX_CHILDREN; i++)
    if (rt->children.list[i].pid && !is_over(rt->children.list[i].pid)) return CHILD_RUNS;
  return CHILD_GONE;
}

enum child_state child_states_look(uint64_t *sum) {
  char text[4096];
  enum child_state state = CHILD_GONE;
  *sum = 0;
  if (read_text("/proc/thread-self/children", text, sizeof text) < 0) return look_at_known();
  for (const char *at = text; *at;) {
    const int child = (int)parse(&at);
    if (!child) break;
    if (!is_over(child)) state = busier(state, look_at_process(child, 0, sum));
  }
  return state;
}
