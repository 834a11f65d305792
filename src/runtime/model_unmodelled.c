/* SPDX-License-Identifier: MIT
 *
 * Calls that may wait, and that heddle does not model: they are made as long as they do not wait; then the run stops at
 * a limit, which is no finding.
 */
#include "ends.h"
#include "models.h"
#include "pipes.h"
#include "snapshot.h"

#include <fcntl.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/sem.h>

static void stop_if_own(int a, int b, const char *message) {
  if (!pipe_description(a) && !pipe_description(b)) return;
  take_site();
  finish_at_limit(message);
}

WRAPPED(ssize_t, splice, (int from, off64_t *from_offset, int to, off64_t *to_offset, size_t size, unsigned flags),
        (from, from_offset, to, to_offset, size, flags)) {
  stop_if_own(to, from, "splice of a pipe or socket");
  return __real_splice(from, from_offset, to, to_offset, size, flags);
}

/* What the kernel says to somebody who does not wait. */
static long check_wait(long result, bool would_wait, const char *message) {
  if (result >= 0) return result;
  if (!would_wait) return model_fail((int)-result);
  take_site();
  finish_at_limit(message);
}

WRAPPED(ssize_t, msgrcv, (int queue, void *message, size_t size, long type, int flags),
        (queue, message, size, type, flags)) {
  const uint64_t bytes = size + sizeof(long);
  model_writes(message, bytes, call_site());
  snapshot_make_writable(message, bytes);
  const long result = system_call(SYS_msgrcv, queue, message, size, type, flags | IPC_NOWAIT);
  return check_wait(result, !(flags & IPC_NOWAIT) && result == -ENOMSG, "msgrcv of a queue without a message");
}

WRAPPED(int, msgsnd, (int queue, const void *message, size_t size, int flags), (queue, message, size, flags)) {
  model_reads(message, size + sizeof(long), call_site());
  const long result = system_call(SYS_msgsnd, queue, message, size, flags | IPC_NOWAIT);
  return (int)check_wait(result, !(flags & IPC_NOWAIT) && result == -EAGAIN, "msgsnd to a queue that is full");
}

static bool may_wait(const struct sembuf *operations, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (operations[i].sem_flg & IPC_NOWAIT) return false;
  return true;
}

WRAPPED(int, semop, (int set, struct sembuf *operations, size_t count), (set, operations, count)) {
  struct sembuf own[64];
  model_reads(operations, count * sizeof *operations, call_site());
  if (count > sizeof own / sizeof own[0]) return model_fail(E2BIG);
  memcpy(own, operations, count * sizeof *operations);
  for (size_t i = 0; i < count; i++) own[i].sem_flg |= IPC_NOWAIT;
  const long result = system_call(SYS_semop, set, own, count);
  return (int)check_wait(result, result == -EAGAIN && may_wait(operations, count), "semop that would wait");
}
