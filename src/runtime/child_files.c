/* SPDX-License-Identifier: MIT
 *
 * What children do to files. They have the real ones, while what a run does to files is private to it. So that no run
 * depends on what a child of an earlier one did, and the user's files stay as they are, a child asks before it changes
 * a file; and where the run has changed some, also before it looks at one. The kernel asks for it (seccomp with
 * notifications: the child, and all that it starts, waits in the system call until we answer). If the answer is no, the
 * run ends at a limit, before anything has happened.
 *
 *     child                                   program
 *     installs the filter, tells its number   takes a copy of the descriptor (pidfd_getfd)
 *     continues                               answers whenever it stands still for children
 */
#include "child_files.h"
#include "children.h"
#include "files.h"
#include "texts.h"

#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/openat2.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/stat.h>

#define MAX_LISTENERS 64u
#define FIRST_LISTENER 512
#define PATH_BYTES CHILD_PATH_BYTES

static int listeners[MAX_LISTENERS];
static uint32_t n_listeners;

/* ---- the calls ---- */

enum file_deed { LOOKS, OPENS, CHANGES, MAKES };

/* Where its path is, and the descriptor of the directory that the path begins in; -1: the working directory. */
struct file_call {
  uint32_t number;
  uint8_t deed; /* enum file_deed */
  int8_t path, directory;
};

static const struct file_call calls[] = {
    {SYS_open, OPENS, 0, -1},       {SYS_openat, OPENS, 1, 0},      {SYS_openat2, OPENS, 1, 0},
    {SYS_creat, MAKES, 0, -1},      {SYS_truncate, CHANGES, 0, -1}, {SYS_unlink, CHANGES, 0, -1},
    {SYS_unlinkat, CHANGES, 1, 0},  {SYS_rename, CHANGES, 0, -1},   {SYS_renameat, CHANGES, 1, 0},
    {SYS_renameat2, CHANGES, 1, 0}, {SYS_link, CHANGES, 0, -1},     {SYS_linkat, CHANGES, 1, 0},
    {SYS_symlink, MAKES, 1, -1},    {SYS_symlinkat, MAKES, 2, 1},   {SYS_mkdir, MAKES, 0, -1},
    {SYS_mkdirat, MAKES, 1, 0},     {SYS_rmdir, CHANGES, 0, -1},    {SYS_mknod, MAKES, 0, -1},
    {SYS_mknodat, MAKES, 1, 0},     {SYS_chmod, CHANGES, 0, -1},    {SYS_fchmodat, CHANGES, 1, 0},
    {SYS_chown, CHANGES, 0, -1},    {SYS_lchown, CHANGES, 0, -1},   {SYS_fchownat, CHANGES, 1, 0},
    {SYS_utimensat, CHANGES, 1, 0}, {SYS_execve, LOOKS, 0, -1},     {SYS_stat, LOOKS, 0, -1},
    {SYS_lstat, LOOKS, 0, -1},      {SYS_newfstatat, LOOKS, 1, 0},  {SYS_statx, LOOKS, 1, 0},
    {SYS_access, LOOKS, 0, -1},     {SYS_faccessat, LOOKS, 1, 0},   {SYS_faccessat2, LOOKS, 1, 0},
    {SYS_readlink, LOOKS, 0, -1},   {SYS_readlinkat, LOOKS, 1, 0},
};
#define N_CALLS (sizeof calls / sizeof calls[0])

static const struct file_call *call_of(uint32_t number) {
  for (uint32_t i = 0; i < N_CALLS; i++)
    if (calls[i].number == number) return &calls[i];
  return NULL;
}

/* ---- in the child ---- */

#define OFFSET(member) ((uint32_t)offsetof(struct seccomp_data, member))

static void add(struct sock_fprog *program, uint16_t code, uint32_t k, uint8_t if_true, uint8_t if_false) {
  program->filter[program->len++] = (struct sock_filter){code, if_true, if_false, k};
}

/* if (number == call) return asks */
static void add_call(struct sock_fprog *program, uint32_t number) {
  add(program, BPF_JMP | BPF_JEQ | BPF_K, number, 0, 1);
  add(program, BPF_RET | BPF_K, SECCOMP_RET_USER_NOTIF, 0, 0);
}

/* if (number == open) return flags & (a change) ? asks : allowed */
static void add_open(struct sock_fprog *program, uint32_t number, int argument) {
  const uint32_t changes = O_WRONLY | O_RDWR | O_CREAT | O_TRUNC;
  add(program, BPF_JMP | BPF_JEQ | BPF_K, number, 0, 4);
  add(program, BPF_LD | BPF_W | BPF_ABS, OFFSET(args) + 8 * (uint32_t)argument, 0, 0);
  add(program, BPF_JMP | BPF_JSET | BPF_K, changes, 0, 1);
  add(program, BPF_RET | BPF_K, SECCOMP_RET_USER_NOTIF, 0, 0);
  add(program, BPF_RET | BPF_K, SECCOMP_RET_ALLOW, 0, 0);
}

static void make_filter(struct sock_fprog *program, bool asks_to_look) {
  add(program, BPF_LD | BPF_W | BPF_ABS, OFFSET(arch), 0, 0);
  add(program, BPF_JMP | BPF_JEQ | BPF_K, AUDIT_ARCH_X86_64, 1, 0);
  add(program, BPF_RET | BPF_K, SECCOMP_RET_ALLOW, 0, 0);
  add(program, BPF_LD | BPF_W | BPF_ABS, OFFSET(nr), 0, 0);
  for (uint32_t i = 0; i < N_CALLS; i++)
    if (calls[i].deed > OPENS || asks_to_look || calls[i].number == SYS_openat2) add_call(program, calls[i].number);
  if (!asks_to_look) add_open(program, SYS_open, 1);
  if (!asks_to_look) add_open(program, SYS_openat, 2);
  add(program, BPF_RET | BPF_K, SECCOMP_RET_ALLOW, 0, 0);
}

long child_files_install(bool asks_to_look) {
  struct sock_filter instructions[2 * N_CALLS + 32];
  struct sock_fprog program = {0, instructions};
  make_filter(&program, asks_to_look);
  prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  return system_call(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER, &program);
}

/* ---- in the program ---- */

void child_files_begin_run(void) {
  n_listeners = 0;
}

bool child_files_listen(int pid, int descriptor) {
  const long process = system_call(SYS_pidfd_open, pid, 0);
  const long low = process < 0 ? process : system_call(SYS_pidfd_getfd, process, descriptor, 0);
  const long high = low < 0 ? low : system_call(SYS_fcntl, low, F_DUPFD_CLOEXEC, FIRST_LISTENER);
  if (low >= 0) system_call(SYS_close, low);
  if (process >= 0) system_call(SYS_close, process);
  if (high < 0 || n_listeners == MAX_LISTENERS) return false;
  listeners[n_listeners++] = (int)high;
  return true;
}

/* ---- answering ---- */

static bool read_memory(uint32_t pid, uint64_t address, char *to, size_t room) {
  char path[64];
  put_text(put_number(put_text(path, "/proc/"), pid), "/mem");
  const long memory = system_call(SYS_open, path, O_RDONLY | O_CLOEXEC);
  if (memory < 0) return false;
  const long count = system_call(SYS_pread64, memory, to, room, address);
  system_call(SYS_close, memory);
  return count > 0;
}

/* Of as many pages as it lies on. */
static bool read_path(uint32_t pid, uint64_t address, char *to) {
  const size_t first = 4096 - address % 4096;
  memset(to, 0, PATH_BYTES);
  if (!read_memory(pid, address, to, first < PATH_BYTES ? first : PATH_BYTES - 1)) return false;
  for (size_t i = 0; i < first && i < PATH_BYTES; i++)
    if (!to[i]) return true;
  return first < PATH_BYTES && read_memory(pid, address + first, to + first, PATH_BYTES - 1 - first);
}

static long open_directory(const struct seccomp_notif *asked, const struct file_call *call) {
  const int number = call->directory < 0 ? AT_FDCWD : (int)asked->data.args[call->directory];
  char path[64];
  char *at = put_number(put_text(path, "/proc/"), asked->pid);
  if (number == AT_FDCWD)
    put_text(at, "/cwd");
  else
    put_number(put_text(at, "/fd/"), (uint32_t)number);
  return system_call(SYS_open, path, O_PATH | O_CLOEXEC);
}

static uint64_t flags_of(const struct seccomp_notif *asked) {
  struct open_how how = {0};
  if (asked->data.nr == SYS_open) return asked->data.args[1];
  if (asked->data.nr == SYS_openat) return asked->data.args[2];
  read_memory(asked->pid, asked->data.args[2], (char *)&how, sizeof how);
  return how.flags;
}

static enum files_use use_of(const struct seccomp_notif *asked, const struct file_call *call) {
  const uint64_t flags = call->deed == OPENS ? flags_of(asked) : 0;
  if (call->deed == MAKES || flags & O_CREAT) return FILES_MAKE;
  return call->deed == CHANGES || flags & (O_WRONLY | O_RDWR | O_TRUNC) ? FILES_CHANGE : FILES_LOOK;
}

/* False: the run must not go on. */
static bool is_harmless(const struct seccomp_notif *asked, char *path) {
  const struct file_call *call = call_of((uint32_t)asked->data.nr);
  if (!call || !read_path(asked->pid, asked->data.args[call->path], path)) return true; /* the kernel says EFAULT */
  const long directory = open_directory(asked, call);
  const bool answer = directory < 0 || files_allow((int)directory, path, use_of(asked, call));
  if (directory >= 0) system_call(SYS_close, directory);
  return answer;
}

static bool answer(int listener, char *path) {
  struct seccomp_notif asked = {0};
  if (system_call(SYS_ioctl, listener, SECCOMP_IOCTL_NOTIF_RECV, &asked) < 0) return true;
  if (!is_harmless(&asked, path)) return false;
  const struct seccomp_notif_resp answer = {.id = asked.id, .flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE};
  system_call(SYS_ioctl, listener, SECCOMP_IOCTL_NOTIF_SEND, &answer);
  return true;
}

bool child_files_answer(char *path) {
  for (uint32_t i = 0; i < n_listeners; i++) {
    struct pollfd entry = {.fd = listeners[i], .events = POLLIN};
    while (system_call(SYS_poll, &entry, 1, 0) > 0 && entry.revents & POLLIN)
      if (!answer(listeners[i], path)) return false;
    if (!(entry.revents & POLLHUP)) continue;
    system_call(SYS_close, listeners[i]);
    listeners[i--] = listeners[--n_listeners];
  }
  return true;
}
