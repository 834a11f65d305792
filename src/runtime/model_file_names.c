/* SPDX-License-Identifier: MIT
 *
 * Names of files (files.h): asking for what has a name, and making, changing and removing names and directories. What
 * is below /proc or /sys is the kernel's, and so is everything with --files real.
 */
#include "ends.h"
#include "files.h"
#include "models.h"
#include "snapshot.h"
#include "sockets.h"
#include "unfollowed.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/time.h>
#include <unistd.h>
#include <utime.h>

/* ---- status ---- */

#define TELLS_OF_DESCRIPTOR(name, status_type, real)                                                                   \
  WRAPPED(int, name, (int descriptor, status_type *status), (descriptor, status)) {                                    \
    if (!files_has(descriptor) && !files_has_directory(descriptor)) return (int)real;                                  \
    const site_id site = take_site();                                                                                  \
    struct stat told;                                                                                                  \
    const long result = files_status(descriptor, &told, site);                                                         \
    if (result < 0) return model_fail((int)-result);                                                                   \
    model_store(status, &told, sizeof told, site);                                                                     \
    return 0;                                                                                                          \
  }

_Static_assert(sizeof(struct stat) == sizeof(struct stat64), "they are the same");
TELLS_OF_DESCRIPTOR(fstat, struct stat, FOLLOWED_REAL(fstat, descriptor, status))
TELLS_OF_DESCRIPTOR(fstat64, struct stat64, FOLLOWED_REAL(fstat64, descriptor, status))

/* True: *result is what the call returns. */
static bool tell(int directory, const char *path, bool follows, void *status, int *result) {
  struct stat told;
  const site_id site = call_site();
  if (!files_are_private()) return false;
  model_reads_string(path, site);
  if (!files_stat(directory, path, follows, &told, result, site)) return false;
  if (*result == 0) model_store(status, &told, sizeof told, site);
  return true;
}

#define TELLS_OF_NAME(name, status_type, follows, real)                                                                \
  WRAPPED(int, name, (const char *path, status_type *status), (path, status)) {                                        \
    int result;                                                                                                        \
    return tell(AT_FDCWD, path, follows, status, &result) ? result : (int)real;                                        \
  }

TELLS_OF_NAME(stat, struct stat, true, FOLLOWED_REAL(stat, path, status))
TELLS_OF_NAME(stat64, struct stat64, true, FOLLOWED_REAL(stat64, path, status))
TELLS_OF_NAME(lstat, struct stat, false, FOLLOWED_REAL(lstat, path, status))
TELLS_OF_NAME(lstat64, struct stat64, false, FOLLOWED_REAL(lstat64, path, status))

int __wrap_fstat(int descriptor, struct stat *status);

#define TELLS_OF_PLACE(name, status_type)                                                                              \
  WRAPPED(int, name, (int directory, const char *path, status_type *status, int flags),                                \
          (directory, path, status, flags)) {                                                                          \
    int result;                                                                                                        \
    const bool is_itself = flags & AT_EMPTY_PATH && path && !*path;                                                    \
    if (is_itself && directory != AT_FDCWD) return __wrap_fstat(directory, (struct stat *)status);                     \
    if (tell(directory, path, !(flags & AT_SYMLINK_NOFOLLOW), status, &result)) return result;                         \
    return (int)FOLLOWED_REAL(fstatat, directory, path, status, flags);                                                \
  }

TELLS_OF_PLACE(fstatat, struct stat)
TELLS_OF_PLACE(fstatat64, struct stat64)

/* By the owner's bits, unless this is root. */
static int look_at_mode(const struct stat *status, int mode) {
  const bool is_root = system_call(SYS_geteuid, 0) == 0;
  const unsigned has = status->st_mode >> 6 & 7, all = (status->st_mode & 0111) || S_ISDIR(status->st_mode) ? 7 : 6;
  return ((unsigned)mode & ~(is_root ? all : has)) ? model_fail(EACCES) : 0;
}

static bool may_access(int directory, const char *path, int mode, bool follows, int *result) {
  struct stat told;
  const site_id site = take_site();
  if (!files_are_private()) return false;
  model_reads_string(path, site);
  if (directory == AT_FDCWD && socket_has_path(path, site)) {
    *result = 0;
    return true;
  }
  if (!files_stat(directory, path, follows, &told, result, site)) return false;
  if (*result == 0) *result = look_at_mode(&told, mode);
  return true;
}

WRAPPED(int, access, (const char *path, int mode), (path, mode)) {
  int result;
  return may_access(AT_FDCWD, path, mode, true, &result) ? result : (int)FOLLOWED_REAL(access, path, mode);
}

WRAPPED(int, faccessat, (int directory, const char *path, int mode, int flags), (directory, path, mode, flags)) {
  int result;
  if (may_access(directory, path, mode, !(flags & AT_SYMLINK_NOFOLLOW), &result)) return result;
  return (int)FOLLOWED_REAL(faccessat, directory, path, mode, flags);
}

/* What a file system has free is not the run's. */
WRAPPED(int, statvfs, (const char *path, struct statvfs *status), (path, status)) {
  int error = 0;
  const char *real = files_are_private() ? files_real_directory(AT_FDCWD, path, &error, call_site()) : NULL;
  if (error) return model_fail(error);
  return (int)FOLLOWED_REAL(statvfs, real ? real : path, status);
}

/* ---- names ---- */

/* A call that files.h does, or the kernel. */
#define ON_NAME(name, parameters, arguments, path, done, real)                                                         \
  WRAPPED(int, name, parameters, arguments) {                                                                          \
    int outcome;                                                                                                       \
    const site_id site = call_site();                                                                                  \
    if (files_are_private()) model_reads_string(path, site);                                                           \
    if (files_are_private() && (done)) return outcome;                                                                 \
    return (int)real;                                                                                                  \
  }

/* The path may be one of a socket, of which nobody else knows. */
static bool unlink_path(int directory, const char *path, int *outcome, site_id site) {
  *outcome = 0;
  return (directory == AT_FDCWD && socket_unlink(path, site)) || files_unlink(directory, path, outcome, site);
}

ON_NAME(unlink, (const char *path), (path), path, unlink_path(AT_FDCWD, path, &outcome, site),
        FOLLOWED_REAL(unlink, path))
ON_NAME(unlinkat, (int directory, const char *path, int flags), (directory, path, flags), path,
        flags &AT_REMOVEDIR ? files_remove_directory(directory, path, &outcome, site)
                            : unlink_path(directory, path, &outcome, site),
        FOLLOWED_REAL(unlinkat, directory, path, flags))
ON_NAME(mkdir, (const char *path, mode_t mode), (path, mode), path,
        files_make_directory(AT_FDCWD, path, mode, &outcome, site), FOLLOWED_REAL(mkdir, path, mode))
ON_NAME(mkdirat, (int directory, const char *path, mode_t mode), (directory, path, mode), path,
        files_make_directory(directory, path, mode, &outcome, site), FOLLOWED_REAL(mkdirat, directory, path, mode))
ON_NAME(rmdir, (const char *path), (path), path, files_remove_directory(AT_FDCWD, path, &outcome, site),
        FOLLOWED_REAL(rmdir, path))
ON_NAME(chmod, (const char *path, mode_t mode), (path, mode), path,
        files_change_mode(AT_FDCWD, path, mode, &outcome, site), FOLLOWED_REAL(chmod, path, mode))

/* A directory by rmdir, all else by unlink. */
static bool remove_any(const char *path, int *outcome, site_id site) {
  if (!files_unlink(AT_FDCWD, path, outcome, site)) return false;
  return *outcome == 0 || errno != EISDIR || files_remove_directory(AT_FDCWD, path, outcome, site);
}

ON_NAME(remove, (const char *path), (path), path, remove_any(path, &outcome, site), FOLLOWED_REAL(remove, path))

#define ON_TWO_NAMES(name, parameters, arguments, first, second, done, real)                                           \
  WRAPPED(int, name, parameters, arguments) {                                                                          \
    int outcome;                                                                                                       \
    const site_id site = call_site();                                                                                  \
    if (files_are_private()) model_reads_string(first, site);                                                          \
    if (files_are_private()) model_reads_string(second, site);                                                         \
    if (files_are_private() && (done)) return outcome;                                                                 \
    return (int)real;                                                                                                  \
  }

ON_TWO_NAMES(rename, (const char *from, const char *to), (from, to), from, to,
             files_rename(AT_FDCWD, from, AT_FDCWD, to, 0, &outcome, site), FOLLOWED_REAL(rename, from, to))
ON_TWO_NAMES(renameat, (int from_directory, const char *from, int to_directory, const char *to),
             (from_directory, from, to_directory, to), from, to,
             files_rename(from_directory, from, to_directory, to, 0, &outcome, site),
             FOLLOWED_REAL(renameat, from_directory, from, to_directory, to))
ON_TWO_NAMES(renameat2, (int from_directory, const char *from, int to_directory, const char *to, unsigned flags),
             (from_directory, from, to_directory, to, flags), from, to,
             files_rename(from_directory, from, to_directory, to, flags, &outcome, site),
             FOLLOWED_REAL(renameat2, from_directory, from, to_directory, to, flags))
ON_TWO_NAMES(link, (const char *from, const char *to), (from, to), from, to,
             files_link(AT_FDCWD, from, AT_FDCWD, to, false, &outcome, site), FOLLOWED_REAL(link, from, to))
ON_TWO_NAMES(linkat, (int from_directory, const char *from, int to_directory, const char *to, int flags),
             (from_directory, from, to_directory, to, flags), from, to,
             files_link(from_directory, from, to_directory, to, flags &AT_SYMLINK_FOLLOW, &outcome, site),
             FOLLOWED_REAL(linkat, from_directory, from, to_directory, to, flags))
ON_TWO_NAMES(symlink, (const char *target, const char *path), (target, path), target, path,
             files_make_link(target, AT_FDCWD, path, &outcome, site), FOLLOWED_REAL(symlink, target, path))
ON_TWO_NAMES(symlinkat, (const char *target, int directory, const char *path), (target, directory, path), target, path,
             files_make_link(target, directory, path, &outcome, site),
             FOLLOWED_REAL(symlinkat, target, directory, path))

/* True: *length is the result, with errno. */
static bool read_link(int directory, const char *path, char *buffer, size_t size, ssize_t *length) {
  char target[4096];
  long count;
  const site_id site = call_site();
  if (!files_are_private()) return false;
  model_reads_string(path, site);
  if (!files_read_link(directory, path, target, size < sizeof target ? size : sizeof target, &count, site))
    return false;
  if (count > 0) model_store(buffer, target, (uint64_t)count, site);
  *length = count < 0 ? model_fail((int)-count) : count;
  return true;
}

WRAPPED(ssize_t, readlink, (const char *path, char *buffer, size_t size), (path, buffer, size)) {
  ssize_t length;
  return read_link(AT_FDCWD, path, buffer, size, &length) ? length
                                                          : (ssize_t)FOLLOWED_REAL(readlink, path, buffer, size);
}

WRAPPED(ssize_t, readlinkat, (int directory, const char *path, char *buffer, size_t size),
        (directory, path, buffer, size)) {
  ssize_t length;
  if (read_link(directory, path, buffer, size, &length)) return length;
  return (ssize_t)FOLLOWED_REAL(readlinkat, directory, path, buffer, size);
}

/* ---- permissions and times ---- */

WRAPPED(int, fchmod, (int descriptor, mode_t mode), (descriptor, mode)) {
  const bool is_ours = files_has(descriptor) || files_has_directory(descriptor);
  return is_ours ? files_change_mode_of(descriptor, mode, take_site()) : __real_fchmod(descriptor, mode);
}

/* Who owns a file stays as it is: a change to somebody else is not for a run to make. */
static int keep_owner(uid_t user, gid_t group) {
  const bool same_user = user == (uid_t)-1 || user == (uid_t)system_call(SYS_geteuid, 0);
  const bool same_group = group == (gid_t)-1 || group == (gid_t)system_call(SYS_getegid, 0);
  if (!same_user || !same_group) finish_at_limit("chown of a file to another user or group");
  return 0;
}

WRAPPED(int, fchown, (int descriptor, uid_t user, gid_t group), (descriptor, user, group)) {
  const bool is_ours = files_has(descriptor) || files_has_directory(descriptor);
  return is_ours ? keep_owner(user, group) : __real_fchown(descriptor, user, group);
}

WRAPPED(int, chown, (const char *path, uid_t user, gid_t group), (path, user, group)) {
  struct stat status;
  int result;
  if (!tell(AT_FDCWD, path, true, &status, &result)) return (int)FOLLOWED_REAL(chown, path, user, group);
  return result ? result : keep_owner(user, group);
}

WRAPPED(int, utimensat, (int directory, const char *path, const struct timespec times[2], int flags),
        (directory, path, times, flags)) {
  int result;
  const site_id site = call_site();
  const bool follows = !(flags & AT_SYMLINK_NOFOLLOW);
  if (times) model_reads(times, 2 * sizeof *times, site);
  if (files_are_private() && path && files_change_times(directory, path, times, follows, &result, site)) return result;
  return (int)FOLLOWED_REAL(utimensat, directory, path, times, flags);
}

/* The descriptor's own file is the real one as long as nobody writes to it. */
WRAPPED(int, futimens, (int descriptor, const struct timespec times[2]), (descriptor, times)) {
  if (files_has(descriptor)) {
    struct stat status;
    files_status(descriptor, &status, call_site());
    files_change_mode_of(descriptor, status.st_mode, call_site());
  }
  return (int)FOLLOWED_REAL(futimens, descriptor, times);
}

static bool set_times(const char *path, const struct timespec *times, int *result) {
  const site_id site = call_site();
  model_reads_string(path, site);
  return files_are_private() && files_change_times(AT_FDCWD, path, times, true, result, site);
}

WRAPPED(int, utimes, (const char *path, const struct timeval times[2]), (path, times)) {
  int result;
  struct timespec exact[2] = {{0}};
  if (times) model_reads(times, 2 * sizeof *times, call_site());
  for (int i = 0; times && i < 2; i++) exact[i] = (struct timespec){times[i].tv_sec, times[i].tv_usec * 1000};
  return set_times(path, times ? exact : NULL, &result) ? result : (int)FOLLOWED_REAL(utimes, path, times);
}

WRAPPED(int, utime, (const char *path, const struct utimbuf *times), (path, times)) {
  int result;
  struct timespec exact[2] = {{0}};
  if (times) model_reads(times, sizeof *times, call_site());
  if (times) exact[0].tv_sec = times->actime, exact[1].tv_sec = times->modtime;
  return set_times(path, times ? exact : NULL, &result) ? result : (int)FOLLOWED_REAL(utime, path, times);
}

/* ---- what cannot be private ---- */

static void cannot_be_private(const char *what) {
  if (files_are_private()) finish_at_limit(what);
}

WRAPPED(int, mkfifo, (const char *path, mode_t mode), (path, mode)) {
  cannot_be_private("mkfifo, without --files real");
  return (int)FOLLOWED_REAL(mkfifo, path, mode);
}

WRAPPED(char *, realpath, (const char *path, char *resolved), (path, resolved)) {
  int error = 0;
  struct stat private, real;
  int result = 0;
  const site_id site = call_site();
  if (files_are_private() && path && files_stat(AT_FDCWD, path, true, &private, &result, site)) {
    if (result < 0) return NULL;
    error = (int)system_call(SYS_stat, path, &real);
    if (error || real.st_ino != private.st_ino) finish_at_limit("realpath of a file that the run has made or renamed");
  }
  return (char *)FOLLOWED_REAL(realpath, path, resolved);
}

/* ---- names that are made up ---- */

static int make_unique(char *template, size_t suffix_bytes, int flags) {
  const site_id site = take_site();
  const size_t size_bytes = string_length(template) + 1;
  char name[size_bytes];
  files_touch();
  model_reads_string(template, site);
  memcpy(name, template, size_bytes);
  const int descriptor = files_make_unique(name, suffix_bytes, flags, site);
  if (descriptor >= 0) model_store(template, name, size_bytes, site);
  return descriptor;
}

WRAPPED(int, mkstemp, (char *template), (template)) {
  return files_are_private() ? make_unique(template, 0, 0) : (int)FOLLOWED_REAL(mkstemp, template);
}

WRAPPED(int, mkstemp64, (char *template), (template)) {
  return files_are_private() ? make_unique(template, 0, 0) : (int)FOLLOWED_REAL(mkstemp, template);
}

WRAPPED(int, mkostemp, (char *template, int flags), (template, flags)) {
  return files_are_private() ? make_unique(template, 0, flags) : (int)FOLLOWED_REAL(mkostemp, template, flags);
}

WRAPPED(int, mkstemps, (char *template, int suffix), (template, suffix)) {
  return files_are_private() && suffix >= 0 ? make_unique(template, (size_t)suffix, 0)
                                            : (int)FOLLOWED_REAL(mkstemps, template, suffix);
}

WRAPPED(char *, mkdtemp, (char *template), (template)) {
  if (!files_are_private()) return (char *)FOLLOWED_REAL(mkdtemp, template);
  const site_id site = take_site();
  const size_t size_bytes = string_length(template) + 1;
  char name[size_bytes];
  model_reads_string(template, site);
  memcpy(name, template, size_bytes);
  if (files_make_unique_directory(name, site) < 0) return NULL;
  model_store(template, name, size_bytes, site);
  return template;
}
