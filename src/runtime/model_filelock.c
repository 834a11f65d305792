/* SPDX-License-Identifier: MIT
 *
 * flock(2): a lock on a file belongs to who opened it, and copies of a descriptor share it. Locking, unlocking and
 * closing what has a lock are visible operations that depend on everything. The kernel's own locks are left alone:
 * other processes explore the same program, with the same files.
 */
#include "children.h"
#include "ends.h"
#include "filelocks.h"
#include "models.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>

static bool is_known(int descriptor) {
  return descriptor >= 0 && descriptor < (int)MAX_LOCKED_DESCRIPTORS && rt->file_locks.openings[descriptor];
}

void filelock_begin_run(void) {
  if (rt->file_locks.n_openings) memset(&rt->file_locks, 0, sizeof rt->file_locks);
}

static opening_id opening_of(int descriptor) {
  if (descriptor >= (int)MAX_LOCKED_DESCRIPTORS) finish_at_limit("flock of a descriptor above 1023");
  if (!is_known(descriptor)) rt->file_locks.openings[descriptor] = ++rt->file_locks.n_openings;
  return rt->file_locks.openings[descriptor];
}

/* It may be locked later: what is a copy must be known. */
void filelock_duplicate(int from, int to) {
  if (from >= 0 && from < (int)MAX_LOCKED_DESCRIPTORS && to >= 0 && to < (int)MAX_LOCKED_DESCRIPTORS && from != to)
    rt->file_locks.openings[to] = opening_of(from);
}

/* ---- locks ---- */

static struct file_lock *lock_of(opening_id opening) {
  for (uint32_t i = 0; i < MAX_FILE_LOCKS; i++)
    if (rt->file_locks.locks[i].opening == opening) return &rt->file_locks.locks[i];
  return NULL;
}

static bool conflict(const struct file_lock *a, const struct file_lock *b) {
  return a->opening && a->opening != b->opening && a->device == b->device && a->inode == b->inode &&
         (a->is_exclusive || b->is_exclusive);
}

static bool is_available(const struct file_lock *wanted) {
  for (uint32_t i = 0; i < MAX_FILE_LOCKS; i++)
    if (conflict(&rt->file_locks.locks[i], wanted)) return false;
  return true;
}

bool filelock_can_move(const struct thread *thread) {
  return is_available(thread->polled);
}

static void take_turn(uint8_t kind, const struct file_lock *wanted, bool waits, site_id site) {
  spin_end(self());
  self()->polled = wanted;
  self()->was_interrupted = false;
  schedule_operation((struct operation){
      .kind = kind, .site = site, .can_block = waits, .interruption = waits ? IS_RESTARTED : CONTINUES});
}

static void unlock(struct file_lock *lock, site_id site) {
  const opening_id opening = lock->opening;
  take_turn(EVENT_FILE_UNLOCK, NULL, false, site);
  trace_record(EVENT_FILE_UNLOCK, 0, 0, site);
  if (lock->opening != opening) return; /* another thread did, with a copy */
  races_release(&rt->file_locks_object);
  lock->opening = 0;
}

static int lock_file(const struct file_lock *wanted, bool waits, site_id site) {
  take_turn(EVENT_FILE_LOCK, wanted, waits, site);
  if (self()->was_interrupted) return model_fail(EINTR);
  const bool gets_it = is_available(wanted);
  trace_record(gets_it ? EVENT_FILE_LOCK : EVENT_FILE_LOCKED, 0, 0, site);
  if (!gets_it) return model_fail(EWOULDBLOCK);
  struct file_lock *place = lock_of(0);
  if (!place) finish_at_limit("more than 128 locks on files");
  races_acquire(&rt->file_locks_object);
  *place = *wanted;
  return 0;
}

int __real_flock(int descriptor, int operation);
static int model_flock(int descriptor, int operation);
EXPORTED int __wrap_flock(int descriptor, int operation);
/* In a child there would be the kernel's locks, of which the program's are none. */
int __wrap_flock(int descriptor, int operation) {
  if (controlled) return model_flock(descriptor, operation);
  child_report(CHILD_LOCKS_FILE, call_site());
  return __real_flock(descriptor, operation);
}

/* What it had before is given back first, as the kernel does. */
static int model_flock(int descriptor, int operation) {
  const site_id site = take_site();
  const int mode = operation & ~LOCK_NB;
  struct stat file;
  if (mode != LOCK_SH && mode != LOCK_EX && mode != LOCK_UN) return model_fail(EINVAL);
  const long problem = system_call(SYS_fstat, descriptor, &file);
  if (problem < 0) return model_fail((int)-problem);
  const struct file_lock wanted = {file.st_dev, file.st_ino, opening_of(descriptor), mode == LOCK_EX};
  struct file_lock *old = lock_of(wanted.opening);
  if (mode != LOCK_UN && old && old->is_exclusive == wanted.is_exclusive) return 0;
  if (old) unlock(old, site);
  return mode == LOCK_UN ? 0 : lock_file(&wanted, !(operation & LOCK_NB), site);
}

/* ---- closing ---- */

static bool has_copy(opening_id opening) {
  for (uint32_t i = 0; i < MAX_LOCKED_DESCRIPTORS; i++)
    if (rt->file_locks.openings[i] == opening) return true;
  return false;
}

void filelock_close(int descriptor, site_id site) {
  if (!is_known(descriptor)) return;
  const opening_id opening = rt->file_locks.openings[descriptor];
  rt->file_locks.openings[descriptor] = 0;
  struct file_lock *lock = lock_of(opening);
  if (lock && !has_copy(opening)) unlock(lock, site);
}
