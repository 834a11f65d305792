/* SPDX-License-Identifier: MIT
 *
 * fcntl and ioctl: what they do to descriptors that are heddle's own. Locks are model_filelock.c's.
 */
#include "children.h"
#include "ends.h"
#include "filelocks.h"
#include "files.h"
#include "models.h"
#include "pipes.h"
#include "snapshot.h"
#include "unfollowed.h"

#include <fcntl.h>
#include <stdarg.h>
#include <sys/ioctl.h>
#include <termios.h>

/* ---- fcntl ---- */

static int control(int descriptor, int command, long argument, int result) {
  struct description *end = pipe_description(descriptor);
  const bool copies = command == F_DUPFD || command == F_DUPFD_CLOEXEC;
  if (copies && result >= 0) filelock_duplicate(descriptor, result);
  if (copies && result >= 0) files_duplicate(descriptor, result);
  if (!end || result < 0) return result;
  if (command == F_SETFL) end->nonblocking = argument & O_NONBLOCK;
  if (copies) pipe_duplicate(descriptor, result);
  return result;
}

#define WRAPPED_CONTROL(name)                                                                                          \
  int __real_##name(int descriptor, int command, ...);                                                                 \
  EXPORTED int __wrap_##name(int descriptor, int command, ...);                                                        \
  int __wrap_##name(int descriptor, int command, ...) {                                                                \
    va_list rest;                                                                                                      \
    va_start(rest, command);                                                                                           \
    const long argument = va_arg(rest, long); /* whatever is there, when the command takes none */                     \
    va_end(rest);                                                                                                      \
    if (!controlled && filelock_is_command(command)) child_report(CHILD_LOCKS_FILE, call_site());                      \
    if (controlled && filelock_is_command(command))                                                                    \
      return filelock_control(descriptor, command, (struct flock *)argument, take_site());                             \
    if (controlled && (command == F_DUPFD || command == F_DUPFD_CLOEXEC)) files_touch();                               \
    const int result = __real_##name(descriptor, command, argument);                                                   \
    return controlled ? control(descriptor, command, argument, result) : result;                                       \
  }

WRAPPED_CONTROL(fcntl)
WRAPPED_CONTROL(fcntl64)

/* ---- ioctl ---- */

static struct object *object_of(const struct description *end) {
  if (end->socket) return &end->socket->object;
  if (end->epoll) return &end->epoll->object;
  return end->input ? &end->input->object : &end->output->object;
}

/* Of records, the first. */
static int bytes_to_read(const struct description *end) {
  struct record record = {0};
  if (!end->input) return 0;
  if (!end->input->keeps_records) return (int)end->input->used;
  if (end->input->used) pipe_copy_out(end->input, 0, &record, sizeof record);
  return (int)record.size_bytes;
}

static int look_for_bytes(const struct description *end, int *count, site_id site) {
  struct object *object = object_of(end);
  if (end->epoll || (end->input && end->input->is_counter)) return model_fail(ENOTTY);
  if (!end->is_shared) schedule_object(EVENT_DESCRIPTOR_LOOK, object, site, false);
  if (!end->is_shared) record_object(EVENT_DESCRIPTOR_LOOK, object, site, 0);
  const int found = end->is_shared ? shared_bytes_to_read(end, site) : bytes_to_read(end);
  model_store(count, &found, sizeof found, site);
  return 0;
}

static int ask_own(struct description *end, int descriptor, unsigned long request, void *argument, site_id site) {
  switch (request) {
  case FIONREAD: return look_for_bytes(end, argument, site);
  case FIONBIO:
    model_reads(argument, sizeof(int), site);
    end->nonblocking = *(int *)argument != 0;
    break;
  case FIOCLEX:
  case FIONCLEX: break;
  case TCGETS: return model_fail(ENOTTY);
  default: finish_at_limit("an ioctl of a pipe, socket or counter that heddle does not know");
  }
  const long result = system_call(SYS_ioctl, descriptor, request, argument);
  return result < 0 ? model_fail((int)-result) : (int)result;
}

/* How many bytes the kernel writes; -1: it is not known. */
static long bytes_written(unsigned long request) {
  switch (request) {
  case FIOCLEX:
  case FIONCLEX:
  case FIONBIO: return 0;
  case FIONREAD: return sizeof(int);
  case TIOCGWINSZ: return sizeof(struct winsize);
  case TCGETS: return 36; /* the kernel's struct termios */
  default: return -1;
  }
}

static int ask_kernel(int descriptor, unsigned long request, void *argument, site_id site) {
  const long written = bytes_written(request);
  if (written < 0) unfollowed_request(request, site);
  if (written > 0) model_writes(argument, (uint64_t)written, site);
  if (written > 0) snapshot_make_writable(argument, (size_t)written);
  const long result = system_call(SYS_ioctl, descriptor, request, argument);
  return result < 0 ? model_fail((int)-result) : (int)result;
}

int __real_ioctl(int descriptor, unsigned long request, ...);
EXPORTED int __wrap_ioctl(int descriptor, unsigned long request, ...);
int __wrap_ioctl(int descriptor, unsigned long request, ...) {
  va_list rest;
  va_start(rest, request);
  void *argument = va_arg(rest, void *); /* whatever is there, when the request takes none */
  va_end(rest);
  if (!controlled) return __real_ioctl(descriptor, request, argument);
  struct description *end = pipe_description(descriptor);
  return end ? ask_own(end, descriptor, request, argument, take_site())
             : ask_kernel(descriptor, request, argument, take_site());
}
