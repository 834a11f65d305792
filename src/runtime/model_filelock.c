/* SPDX-License-Identifier: MIT
 *
 * Locks on files. Those of flock(2) and those of fcntl's F_OFD_SETLK belong to who opened the file, and copies of a
 * descriptor share them. Locking, unlocking and closing what has a lock are visible operations that depend on
 * everything. Those of F_SETLK and lockf(3) belong to the process, so that its threads never wait for each other's:
 * they are visible operations only in programs of which some run has locks of the other kind, which is learned like
 * shared memory. The kernel's own locks are left alone: other processes explore the same program, with the same files.
 */
#include "children.h"
#include "ends.h"
#include "filelocks.h"
#include "files.h"
#include "models.h"
#include "sharing.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

static bool is_known(int descriptor) {
  return descriptor >= 0 && descriptor < (int)MAX_LOCKED_DESCRIPTORS && rt->file_locks.openings[descriptor];
}

void filelock_begin_run(void) {
  if (rt->file_locks.is_used) memset(&rt->file_locks, 0, sizeof rt->file_locks);
}

static opening_id opening_of(int descriptor) {
  if (descriptor >= (int)MAX_LOCKED_DESCRIPTORS) finish_at_limit("a lock by a descriptor above 1023");
  rt->file_locks.is_used = true;
  if (!is_known(descriptor)) rt->file_locks.openings[descriptor] = ++rt->file_locks.n_openings;
  return rt->file_locks.openings[descriptor];
}

/* It may be locked later: what is a copy must be known. */
void filelock_duplicate(int from, int to) {
  if (from >= 0 && from < (int)MAX_LOCKED_DESCRIPTORS && to >= 0 && to < (int)MAX_LOCKED_DESCRIPTORS && from != to)
    rt->file_locks.openings[to] = opening_of(from);
}

/* ---- locks ---- */

static struct file_lock *lock_of(opening_id opening, bool is_range) {
  for (uint32_t i = 0; i < MAX_FILE_LOCKS; i++)
    if (rt->file_locks.locks[i].opening == opening && (!opening || rt->file_locks.locks[i].is_range == is_range))
      return &rt->file_locks.locks[i];
  return NULL;
}

static void add_lock(const struct file_lock *lock) {
  struct file_lock *place = lock_of(0, false);
  if (!place) finish_at_limit("more than 256 locks on files");
  rt->file_locks.is_used = true;
  *place = *lock;
}

static bool is_same_file(const struct file_lock *a, const struct file_lock *b) {
  return a->device == b->device && a->inode == b->inode && a->is_range == b->is_range;
}

static bool conflict(const struct file_lock *a, const struct file_lock *b) {
  return a->opening && a->opening != b->opening && is_same_file(a, b) && (a->is_exclusive || b->is_exclusive) &&
         a->first <= b->last && b->first <= a->last;
}

/* The first of those in the way, NULL none. */
static const struct file_lock *find_conflict(const struct file_lock *wanted) {
  const struct file_lock *found = NULL;
  for (uint32_t i = 0; i < MAX_FILE_LOCKS; i++) {
    const struct file_lock *lock = &rt->file_locks.locks[i];
    if (conflict(lock, wanted) && (!found || lock->first < found->first)) found = lock;
  }
  return found;
}

bool filelock_can_move(const struct thread *thread) {
  return !find_conflict(thread->polled);
}

static void take_turn(uint8_t kind, const struct file_lock *wanted, bool waits, site_id site) {
  spin_end(self());
  self()->polled = wanted;
  self()->was_interrupted = false;
  schedule_operation((struct operation){
      .kind = kind, .site = site, .can_block = waits, .interruption = waits ? IS_RESTARTED : CONTINUES});
}

/* ---- whole files ---- */

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
  const bool gets_it = !find_conflict(wanted);
  trace_record(gets_it ? EVENT_FILE_LOCK : EVENT_FILE_LOCKED, 0, 0, site);
  if (!gets_it) return model_fail(EWOULDBLOCK);
  races_acquire(&rt->file_locks_object);
  add_lock(wanted);
  return 0;
}

/* Which file it is, also when a run has a copy of it. */
static int read_file(int descriptor, struct file_lock *lock, struct stat *file) {
  const long problem = system_call(SYS_fstat, descriptor, file);
  if (problem < 0) return model_fail((int)-problem);
  files_correct(descriptor, file);
  lock->device = file->st_dev;
  lock->inode = file->st_ino;
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
  struct file_lock wanted = {.is_exclusive = mode == LOCK_EX, .last = INT64_MAX};
  struct stat file;
  if (mode != LOCK_SH && mode != LOCK_EX && mode != LOCK_UN) return model_fail(EINVAL);
  if (read_file(descriptor, &wanted, &file)) return -1;
  wanted.opening = opening_of(descriptor);
  struct file_lock *old = lock_of(wanted.opening, false);
  if (mode != LOCK_UN && old && old->is_exclusive == wanted.is_exclusive) return 0;
  if (old) unlock(old, site);
  return mode == LOCK_UN ? 0 : lock_file(&wanted, !(operation & LOCK_NB), site);
}

/* ---- bytes ---- */

bool filelock_is_command(int command) {
  return command == F_SETLK || command == F_SETLKW || command == F_GETLK || command == F_OFD_SETLK ||
         command == F_OFD_SETLKW || command == F_OFD_GETLK;
}

/* What is left of a lock of the same owner when these bytes are no longer part of it: up to two pieces. */
static void cut_out(struct file_lock *lock, const struct file_lock *bytes) {
  struct file_lock rest = *lock;
  const bool has_left = lock->first<bytes->first, has_right = lock->last> bytes->last;
  if (!has_left && !has_right) lock->opening = 0;
  if (has_left) lock->last = bytes->first - 1;
  if (!has_right) return;
  rest.first = bytes->last + 1;
  if (has_left)
    add_lock(&rest);
  else
    *lock = rest;
}

static bool is_own(const struct file_lock *lock, const struct file_lock *bytes) {
  return lock->opening == bytes->opening && is_same_file(lock, bytes);
}

static void free_bytes(const struct file_lock *bytes) {
  for (uint32_t i = 0; i < MAX_FILE_LOCKS; i++) {
    struct file_lock *lock = &rt->file_locks.locks[i];
    if (is_own(lock, bytes) && lock->first <= bytes->last && bytes->first <= lock->last) cut_out(lock, bytes);
  }
}

/* One lock with its neighbours of the same kind. */
static void take_bytes(struct file_lock bytes) {
  free_bytes(&bytes);
  for (uint32_t i = 0; i < MAX_FILE_LOCKS; i++) {
    struct file_lock *lock = &rt->file_locks.locks[i];
    if (!is_own(lock, &bytes) || lock->is_exclusive != bytes.is_exclusive) continue;
    if (bytes.first > 0 && lock->last == bytes.first - 1)
      bytes.first = lock->first, lock->opening = 0;
    else if (lock->first - 1 == bytes.last)
      bytes.last = lock->last, lock->opening = 0;
  }
  add_lock(&bytes);
}

static void use_openings(void) {
  const uint64_t word = (uint64_t)&rt->openings_lock;
  const struct granule *granule = sharing_record_at(word);
  if (granule && granule->shared) return;
  sharing_make_shared(word, sizeof rt->openings_lock);
  rt->has_marked = true;
}

/* Is this a step? */
static bool is_seen(const struct file_lock *lock) {
  const struct granule *granule = sharing_record_at((uint64_t)&rt->openings_lock);
  return lock->opening != THE_PROCESS || (granule && granule->shared);
}

static int set_lock(const struct file_lock *wanted, bool unlocks, bool waits, site_id site) {
  const uint8_t kind = unlocks ? EVENT_FILE_UNLOCK : EVENT_FILE_LOCK;
  const bool seen = is_seen(wanted);
  if (seen) take_turn(kind, wanted, waits && !unlocks, site);
  if (seen && self()->was_interrupted) return model_fail(EINTR);
  const bool gets_it = unlocks || !find_conflict(wanted);
  if (seen) trace_record(gets_it ? kind : EVENT_FILE_LOCKED, 0, 0, site);
  if (!gets_it) return model_fail(EAGAIN);
  if (unlocks) {
    if (seen) races_release(&rt->file_locks_object);
    free_bytes(wanted);
    return 0;
  }
  if (seen) races_acquire(&rt->file_locks_object);
  take_bytes(*wanted);
  return 0;
}

static int tell_conflict(const struct file_lock *wanted, struct flock *asked, site_id site) {
  if (is_seen(wanted)) take_turn(EVENT_FILE_LOOK, NULL, false, site);
  if (is_seen(wanted)) trace_record(EVENT_FILE_LOOK, 0, 0, site);
  const struct file_lock *found = find_conflict(wanted);
  struct flock told = *asked;
  told.l_type = F_UNLCK;
  if (found) {
    told = (struct flock){
        .l_type = found->is_exclusive ? F_WRLCK : F_RDLCK, .l_whence = SEEK_SET, .l_start = found->first};
    told.l_len = found->last == INT64_MAX ? 0 : found->last - found->first + 1;
    told.l_pid = found->opening == THE_PROCESS ? getpid() : -1;
  }
  model_store(asked, &told, sizeof told, site);
  return 0;
}

static int64_t start_of(int descriptor, const struct flock *lock, const struct stat *file) {
  if (lock->l_whence == SEEK_CUR) return system_call(SYS_lseek, descriptor, 0, SEEK_CUR);
  return lock->l_whence == SEEK_END ? file->st_size : 0;
}

/* 0, or the errno. */
static int read_bytes(int descriptor, const struct flock *lock, const struct stat *file, struct file_lock *bytes) {
  int64_t first;
  if (lock->l_whence != SEEK_SET && lock->l_whence != SEEK_CUR && lock->l_whence != SEEK_END) return EINVAL;
  if (__builtin_add_overflow(start_of(descriptor, lock, file), lock->l_start, &first)) return EOVERFLOW;
  if (first < 0) return EINVAL;
  bytes->first = lock->l_len < 0 ? first + lock->l_len : first;
  bytes->last = lock->l_len < 0 ? first - 1 : INT64_MAX;
  if (bytes->first < 0) return EINVAL;
  if (lock->l_len > 0 && __builtin_add_overflow(first, lock->l_len - 1, &bytes->last)) return EOVERFLOW;
  return 0;
}

static bool is_ofd(int command) {
  return command == F_OFD_SETLK || command == F_OFD_SETLKW || command == F_OFD_GETLK;
}

/* Who wants to write must have opened it for that. */
static int check_lock(int descriptor, int command, const struct flock *lock) {
  const long mode = system_call(SYS_fcntl, descriptor, F_GETFL) & O_ACCMODE;
  const bool asks = command == F_GETLK || command == F_OFD_GETLK;
  if (lock->l_type != F_RDLCK && lock->l_type != F_WRLCK && (lock->l_type != F_UNLCK || asks)) return EINVAL;
  if (is_ofd(command) && lock->l_pid != 0) return EINVAL;
  if (asks) return 0;
  if (lock->l_type == F_RDLCK && mode == O_WRONLY) return EBADF;
  return lock->l_type == F_WRLCK && mode == O_RDONLY ? EBADF : 0;
}

int filelock_control(int descriptor, int command, struct flock *lock, site_id site) {
  struct file_lock wanted = {.is_range = true};
  struct stat file;
  if (read_file(descriptor, &wanted, &file)) return -1;
  model_reads(lock, sizeof *lock, site);
  const struct flock given = *lock;
  int problem = check_lock(descriptor, command, &given);
  if (!problem) problem = read_bytes(descriptor, &given, &file, &wanted);
  if (problem) return model_fail(problem);
  wanted.is_exclusive = given.l_type == F_WRLCK;
  wanted.opening = is_ofd(command) ? opening_of(descriptor) : THE_PROCESS;
  if (is_ofd(command)) use_openings();
  if (command == F_GETLK || command == F_OFD_GETLK) return tell_conflict(&wanted, lock, site);
  return set_lock(&wanted, given.l_type == F_UNLCK, command == F_SETLKW || command == F_OFD_SETLKW, site);
}

static int lock_section(int descriptor, int command, off_t size) {
  struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_CUR, .l_len = size};
  const site_id site = take_site();
  switch (command) {
  case F_LOCK: return filelock_control(descriptor, F_SETLKW, &lock, site);
  case F_TLOCK: return filelock_control(descriptor, F_SETLK, &lock, site);
  case F_ULOCK: lock.l_type = F_UNLCK; return filelock_control(descriptor, F_SETLK, &lock, site);
  case F_TEST:
    lock.l_type = F_RDLCK;
    if (filelock_control(descriptor, F_GETLK, &lock, site)) return -1;
    return lock.l_type == F_UNLCK || lock.l_pid == getpid() ? 0 : model_fail(EACCES);
  default: return model_fail(EINVAL);
  }
}

#define WRAPPED_SECTION(name)                                                                                          \
  int __real_##name(int descriptor, int command, off_t size);                                                          \
  EXPORTED int __wrap_##name(int descriptor, int command, off_t size);                                                 \
  int __wrap_##name(int descriptor, int command, off_t size) {                                                         \
    if (controlled) return lock_section(descriptor, command, size);                                                    \
    child_report(CHILD_LOCKS_FILE, call_site());                                                                       \
    return __real_##name(descriptor, command, size);                                                                   \
  }

WRAPPED_SECTION(lockf)
WRAPPED_SECTION(lockf64)

/* ---- closing ---- */

static bool has_copy(opening_id opening) {
  for (uint32_t i = 0; i < MAX_LOCKED_DESCRIPTORS; i++)
    if (rt->file_locks.openings[i] == opening) return true;
  return false;
}

/* Closing any descriptor of the file gives back what the process has of it. */
static void free_of_process(int descriptor, site_id site) {
  struct file_lock all = {.is_range = true, .opening = THE_PROCESS, .last = INT64_MAX};
  struct stat file;
  if (!lock_of(THE_PROCESS, true) || system_call(SYS_fstat, descriptor, &file) < 0) return;
  files_correct(descriptor, &file);
  all.device = file.st_dev;
  all.inode = file.st_ino;
  for (uint32_t i = 0; i < MAX_FILE_LOCKS; i++)
    if (is_own(&rt->file_locks.locks[i], &all)) {
      set_lock(&all, true, false, site);
      return;
    }
}

void filelock_close(int descriptor, site_id site) {
  if (rt->file_locks.is_used) free_of_process(descriptor, site);
  if (!is_known(descriptor)) return;
  const opening_id opening = rt->file_locks.openings[descriptor];
  rt->file_locks.openings[descriptor] = 0;
  if (has_copy(opening)) return;
  struct file_lock *lock = lock_of(opening, false);
  if (lock) unlock(lock, site);
  for (lock = lock_of(opening, true); lock; lock = lock_of(opening, true)) unlock(lock, site);
}
