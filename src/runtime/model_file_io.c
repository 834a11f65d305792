/* SPDX-License-Identifier: MIT
 *
 * Reading, writing and naming files (files.h). What is read goes through memory of the thread's own, as the buffer is
 * written in steps of its own; what is written is held there if other threads could change the buffer meanwhile.
 *
 * The kernel does not see the protection by which snapshot.c learns of writes as a fault to be handled: it just fails.
 * So it writes to the program's buffers only where FOLLOWED_REAL has made them writable.
 */
#include "files.h"
#include "models.h"
#include "sockets.h"
#include "terms.h"

#include <fcntl.h>
#include <sys/uio.h>
#include <unistd.h>

void *__heddle_slow_hold(const void *pointer, uint64_t size);

#define NO_OFFSET (-1)

static char *held(void) {
  return (char *)HELD_ADDRESS + self()->id * HELD_BYTES;
}

static size_t at_most_held(size_t size) {
  return size < HELD_BYTES ? size : HELD_BYTES;
}

/* ---- contents ---- */

/* Into what the thread holds; -1 and errno. */
static ssize_t read_held(int descriptor, size_t size, off_t offset, site_id site) {
  const bool updates = files_take_turn(descriptor, offset == NO_OFFSET ? FILE_MOVES : FILE_READS, site);
  const long count = offset == NO_OFFSET ? system_call(SYS_read, descriptor, held(), at_most_held(size))
                                         : system_call(SYS_pread64, descriptor, held(), at_most_held(size), offset);
  if (updates && count > 0) files_changed(descriptor);
  return count < 0 ? model_fail((int)-count) : count;
}

ssize_t file_read(int descriptor, void *buffer, size_t size, off_t offset, site_id site) {
  const ssize_t count = read_held(descriptor, size, offset, site);
  if (count > 0) model_store(buffer, held(), (uint64_t)count, site);
  return count;
}

static ssize_t write_bytes(int descriptor, const void *bytes, size_t size, off_t offset, site_id site) {
  files_take_turn(descriptor, FILE_WRITES, site);
  const long count = offset == NO_OFFSET ? system_call(SYS_write, descriptor, bytes, size)
                                         : system_call(SYS_pwrite64, descriptor, bytes, size, offset);
  if (count > 0) files_changed(descriptor);
  return count < 0 ? model_fail((int)-count) : count;
}

ssize_t file_write(int descriptor, const void *buffer, size_t size, off_t offset, site_id site) {
  model_reads(buffer, size, site);
  term_memory_pin((uint64_t)buffer, size, PIN_MODEL, site);
  return write_bytes(descriptor, __heddle_slow_hold(buffer, size), size, offset, site);
}

ssize_t file_read_pieces(int descriptor, const struct iovec *pieces, int count, off_t offset, site_id site) {
  size_t size = 0, done = 0;
  for (int i = 0; i < count; i++) size += pieces[i].iov_len;
  const ssize_t result = read_held(descriptor, size, offset, site);
  for (int i = 0; i < count && result > 0 && done < (size_t)result; i++) {
    const size_t left = (size_t)result - done, part = pieces[i].iov_len < left ? pieces[i].iov_len : left;
    model_store(pieces[i].iov_base, held() + done, part, site);
    done += part;
  }
  return result;
}

ssize_t file_write_pieces(int descriptor, const struct iovec *pieces, int count, off_t offset, site_id site) {
  size_t size = 0;
  for (int i = 0; i < count; i++) {
    const size_t part = pieces[i].iov_len < HELD_BYTES - size ? pieces[i].iov_len : HELD_BYTES - size;
    model_reads(pieces[i].iov_base, part, site);
    term_memory_pin((uint64_t)pieces[i].iov_base, part, PIN_MODEL, site);
    memcpy(held() + size, pieces[i].iov_base, part);
    size += part;
  }
  return write_bytes(descriptor, held(), size, offset, site);
}

#define READS_AT(name, offset_type)                                                                                    \
  WRAPPED(ssize_t, name, (int descriptor, void *buffer, size_t size, offset_type offset),                              \
          (descriptor, buffer, size, offset)) {                                                                        \
    if (files_has(descriptor) && offset >= 0) return file_read(descriptor, buffer, size, offset, take_site());         \
    return (ssize_t)FOLLOWED_REAL(pread, descriptor, buffer, size, offset);                                            \
  }

READS_AT(pread, off_t)
READS_AT(pread64, off64_t)

#define WRITES_AT(name, offset_type)                                                                                   \
  WRAPPED(ssize_t, name, (int descriptor, const void *buffer, size_t size, offset_type offset),                        \
          (descriptor, buffer, size, offset)) {                                                                        \
    if (files_has(descriptor) && offset >= 0) return file_write(descriptor, buffer, size, offset, take_site());        \
    return (ssize_t)FOLLOWED_REAL(pwrite, descriptor, buffer, size, offset);                                           \
  }

WRITES_AT(pwrite, off_t)
WRITES_AT(pwrite64, off64_t)

/* ---- offset and size ---- */

#define MOVES(name, offset_type)                                                                                       \
  WRAPPED(offset_type, name, (int descriptor, offset_type offset, int from), (descriptor, offset, from)) {             \
    const bool updates = files_has(descriptor) && files_take_turn(descriptor, FILE_MOVES, take_site());                \
    const long result = system_call(SYS_lseek, descriptor, offset, from);                                              \
    if (updates && result >= 0) files_changed(descriptor);                                                             \
    return result < 0 ? model_fail((int)-result) : result;                                                             \
  }

MOVES(lseek, off_t)
MOVES(lseek64, off64_t)

static int cut(int descriptor, off_t size, site_id site) {
  if (files_has(descriptor)) files_take_turn(descriptor, FILE_WRITES, site);
  const long result = system_call(SYS_ftruncate, descriptor, size);
  if (files_has(descriptor) && result == 0) files_changed(descriptor);
  return result < 0 ? model_fail((int)-result) : 0;
}

WRAPPED(int, ftruncate, (int descriptor, off_t size), (descriptor, size)) {
  return cut(descriptor, size, take_site());
}

WRAPPED(int, ftruncate64, (int descriptor, off64_t size), (descriptor, size)) {
  return cut(descriptor, size, take_site());
}

int __wrap_close(int descriptor);

WRAPPED(int, truncate, (const char *path, off_t size), (path, size)) {
  if (!files_are_private()) return (int)FOLLOWED_REAL(truncate, path, size);
  const site_id site = take_site();
  files_touch();
  model_reads_string(path, site);
  const int descriptor = files_open(AT_FDCWD, path, O_WRONLY, 0, site);
  if (descriptor < 0) return -1;
  const int result = cut(descriptor, size, site), error = errno;
  __wrap_close(descriptor);
  errno = error;
  return result;
}

/* ---- names ---- */

#define TELLS_OF_DESCRIPTOR(name, status_type, real)                                                                   \
  WRAPPED(int, name, (int descriptor, status_type *status), (descriptor, status)) {                                    \
    if (!files_has(descriptor)) return (int)real;                                                                      \
    const site_id site = take_site();                                                                                  \
    struct stat told;                                                                                                  \
    files_take_turn(descriptor, FILE_READS, site);                                                                     \
    const long result = system_call(SYS_fstat, descriptor, &told);                                                     \
    if (result < 0) return model_fail((int)-result);                                                                   \
    files_correct(descriptor, &told);                                                                                  \
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

/* Of a private file: whether it is there. */
WRAPPED(int, access, (const char *path, int mode), (path, mode)) {
  struct stat told;
  int result;
  if (socket_has_path(path, call_site())) return 0;
  if (files_are_private() && files_stat(AT_FDCWD, path, true, &told, &result, call_site())) return result;
  return (int)FOLLOWED_REAL(access, path, mode);
}

static bool is_directory(int directory, const char *path) {
  struct stat status;
  return system_call(SYS_newfstatat, directory, path, &status, AT_SYMLINK_NOFOLLOW) == 0 && S_ISDIR(status.st_mode);
}

/* The path may be one of a socket, of which the kernel knows nothing. */
static int unlink_path(int directory, const char *path, site_id site) {
  if (directory == AT_FDCWD && socket_unlink(path, site)) return 0;
  return files_unlink(directory, path, site);
}

WRAPPED(int, unlink, (const char *path), (path)) {
  if (!files_are_private()) return (int)FOLLOWED_REAL(unlink, path);
  model_reads_string(path, call_site());
  return unlink_path(AT_FDCWD, path, take_site());
}

WRAPPED(int, unlinkat, (int directory, const char *path, int flags), (directory, path, flags)) {
  if (!files_are_private() || flags & AT_REMOVEDIR) return (int)FOLLOWED_REAL(unlinkat, directory, path, flags);
  model_reads_string(path, call_site());
  return unlink_path(directory, path, take_site());
}

WRAPPED(int, remove, (const char *path), (path)) {
  if (!files_are_private() || is_directory(AT_FDCWD, path)) return (int)FOLLOWED_REAL(remove, path);
  model_reads_string(path, call_site());
  return unlink_path(AT_FDCWD, path, take_site());
}

WRAPPED(int, rename, (const char *from, const char *to), (from, to)) {
  if (!files_are_private()) return (int)FOLLOWED_REAL(rename, from, to);
  model_reads_string(from, call_site());
  model_reads_string(to, call_site());
  return files_rename(AT_FDCWD, from, AT_FDCWD, to, take_site());
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
