/* SPDX-License-Identifier: MIT
 *
 * Reading and writing files (files.h). What is read goes through memory of the thread's own, as the buffer is written
 * in steps of its own; what is written is held there if other threads could change the buffer meanwhile.
 *
 * The kernel does not see the protection by which snapshot.c learns of writes as a fault to be handled: it just fails.
 * So it writes to the program's buffers only where FOLLOWED_REAL has made them writable.
 */
#include "ends.h"
#include "files.h"
#include "models.h"
#include "snapshot.h"
#include "terms.h"

#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/sendfile.h>
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

static long result_of(long result) {
  return result < 0 ? model_fail((int)-result) : result;
}

/* ---- contents ---- */

ssize_t file_read(int descriptor, void *buffer, size_t size, off_t offset, site_id site) {
  const long count = files_transfer(descriptor, held(), at_most_held(size), offset, false, site);
  if (count > 0) model_store(buffer, held(), (uint64_t)count, site);
  return result_of(count);
}

ssize_t file_write(int descriptor, const void *buffer, size_t size, off_t offset, site_id site) {
  model_reads(buffer, size, site);
  term_memory_pin((uint64_t)buffer, size, PIN_MODEL, site);
  return result_of(files_transfer(descriptor, __heddle_slow_hold(buffer, size), size, offset, true, site));
}

ssize_t file_read_pieces(int descriptor, const struct iovec *pieces, int count, off_t offset, site_id site) {
  size_t size = 0, done = 0;
  for (int i = 0; i < count; i++) size += pieces[i].iov_len;
  const long result = files_transfer(descriptor, held(), at_most_held(size), offset, false, site);
  for (int i = 0; i < count && result > 0 && done < (size_t)result; i++) {
    const size_t left = (size_t)result - done, part = pieces[i].iov_len < left ? pieces[i].iov_len : left;
    model_store(pieces[i].iov_base, held() + done, part, site);
    done += part;
  }
  return result_of(result);
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
  return result_of(files_transfer(descriptor, held(), size, offset, true, site));
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

#define PIECES_AT(name, transfer, real)                                                                                \
  WRAPPED(ssize_t, name, (int descriptor, const struct iovec *pieces, int count, off_t offset),                        \
          (descriptor, pieces, count, offset)) {                                                                       \
    if (files_has(descriptor) && offset >= 0) return transfer(descriptor, pieces, count, offset, take_site());         \
    return (ssize_t)real;                                                                                              \
  }

PIECES_AT(preadv, file_read_pieces, FOLLOWED_REAL(preadv, descriptor, pieces, count, offset))
PIECES_AT(pwritev, file_write_pieces, FOLLOWED_REAL(pwritev, descriptor, pieces, count, offset))

/* ---- offset and size ---- */

#define MOVES(name, offset_type)                                                                                       \
  WRAPPED(offset_type, name, (int descriptor, offset_type offset, int from), (descriptor, offset, from)) {             \
    return result_of(files_has(descriptor) ? files_seek(descriptor, offset, from, take_site())                         \
                                           : system_call(SYS_lseek, descriptor, offset, from));                        \
  }

MOVES(lseek, off_t)
MOVES(lseek64, off64_t)

static int cut(int descriptor, off_t size, site_id site) {
  return (int)result_of(files_has(descriptor) ? files_resize(descriptor, size, site)
                                              : system_call(SYS_ftruncate, descriptor, size));
}

WRAPPED(int, ftruncate, (int descriptor, off_t size), (descriptor, size)) {
  return cut(descriptor, size, take_site());
}

WRAPPED(int, ftruncate64, (int descriptor, off64_t size), (descriptor, size)) {
  return cut(descriptor, size, take_site());
}

int __wrap_close(int descriptor);

static int cut_path(const char *path, off_t size, site_id site) {
  files_touch();
  model_reads_string(path, site);
  const int descriptor = files_open(AT_FDCWD, path, O_WRONLY, 0, site);
  if (descriptor < 0) return -1;
  const int result = cut(descriptor, size, site), error = errno;
  __wrap_close(descriptor);
  errno = error;
  return result;
}

WRAPPED(int, truncate, (const char *path, off_t size), (path, size)) {
  return files_are_private() ? cut_path(path, size, take_site()) : (int)FOLLOWED_REAL(truncate, path, size);
}

WRAPPED(int, truncate64, (const char *path, off64_t size), (path, size)) {
  return files_are_private() ? cut_path(path, size, take_site()) : (int)FOLLOWED_REAL(truncate, path, size);
}

/* Room that is not there yet is zero. */
static int reserve(int descriptor, off_t offset, off_t size, site_id site) {
  struct stat status;
  if (offset < 0 || size <= 0) return EINVAL;
  const long result = files_status(descriptor, &status, site);
  if (result < 0 || status.st_size >= offset + size) return (int)-result;
  return (int)-files_resize(descriptor, offset + size, site);
}

WRAPPED(int, posix_fallocate, (int descriptor, off_t offset, off_t size), (descriptor, offset, size)) {
  return files_has(descriptor) ? reserve(descriptor, offset, size, take_site())
                               : __real_posix_fallocate(descriptor, offset, size);
}

WRAPPED(int, fallocate, (int descriptor, int mode, off_t offset, off_t size), (descriptor, mode, offset, size)) {
  if (!files_has(descriptor)) return __real_fallocate(descriptor, mode, offset, size);
  if (mode == FALLOC_FL_KEEP_SIZE) return 0;
  if (mode) finish_at_limit("fallocate that takes bytes out of a file");
  const int error = reserve(descriptor, offset, size, take_site());
  return error ? model_fail(error) : 0;
}

/* ---- from one descriptor to another: a read, then a write ---- */

ssize_t __wrap_read(int descriptor, void *buffer, size_t size);
ssize_t __wrap_write(int descriptor, const void *buffer, size_t size);

static int flags_of(int descriptor) {
  return (int)system_call(SYS_fcntl, descriptor, F_GETFL);
}

/* What keeps the kernel from copying: an error, or 0. */
static int look_at_ends(int from, int to, int if_appending) {
  const int source = flags_of(from), target = flags_of(to);
  if (source < 0 || target < 0) return EBADF;
  if ((source & O_ACCMODE) == O_WRONLY || (target & O_ACCMODE) == O_RDONLY) return EBADF;
  return target & O_APPEND ? if_appending : 0;
}

static off_t offset_of(int descriptor, const off_t *offset) {
  return offset ? *offset : (off_t)system_call(SYS_lseek, descriptor, 0, SEEK_CUR);
}

static bool overlap(int from, const off_t *from_offset, int to, const off_t *to_offset, size_t size) {
  const off_t source = offset_of(from, from_offset), target = offset_of(to, to_offset);
  return files_are_the_same(from, to) && source < target + (off_t)size && target < source + (off_t)size;
}

static ssize_t copy_bytes(int from, off_t *from_offset, int to, off_t *to_offset, size_t size, site_id site) {
  const off_t source = from_offset ? *from_offset : NO_OFFSET, target = to_offset ? *to_offset : NO_OFFSET;
  const long count = files_has(from) ? files_transfer(from, held(), at_most_held(size), source, false, site)
                                     : __wrap_read(from, held(), at_most_held(size));
  if (count <= 0) return files_has(from) ? result_of(count) : count;
  const ssize_t written = files_has(to) ? result_of(files_transfer(to, held(), (size_t)count, target, true, site))
                                        : __wrap_write(to, held(), (size_t)count);
  const off_t source_after = source + written, target_after = target + written;
  if (written > 0 && from_offset) model_store(from_offset, &source_after, sizeof source_after, site);
  if (written > 0 && to_offset) model_store(to_offset, &target_after, sizeof target_after, site);
  return written;
}

WRAPPED(ssize_t, copy_file_range,
        (int from, off64_t *from_offset, int to, off64_t *to_offset, size_t size, unsigned flags),
        (from, from_offset, to, to_offset, size, flags)) {
  const site_id site = take_site();
  if (!files_has(from) || !files_has(to)) return __real_copy_file_range(from, from_offset, to, to_offset, size, flags);
  const int error = flags ? EINVAL : look_at_ends(from, to, EBADF);
  if (error) return model_fail(error);
  if (from_offset) model_reads(from_offset, sizeof *from_offset, site);
  if (to_offset) model_reads(to_offset, sizeof *to_offset, site);
  if (overlap(from, from_offset, to, to_offset, size)) return model_fail(EINVAL);
  return copy_bytes(from, from_offset, to, to_offset, size, site);
}

#define SENDS_FILE(name, offset_type)                                                                                  \
  WRAPPED(ssize_t, name, (int to, int from, offset_type *offset, size_t size), (to, from, offset, size)) {             \
    const site_id site = take_site();                                                                                  \
    if (!files_has(from)) return __real_##name(to, from, offset, size);                                                \
    const int error = look_at_ends(from, to, EINVAL);                                                                  \
    if (error) return model_fail(error);                                                                               \
    if (offset) model_reads(offset, sizeof *offset, site);                                                             \
    return copy_bytes(from, offset, to, NULL, size, site);                                                             \
  }

SENDS_FILE(sendfile, off_t)
SENDS_FILE(sendfile64, off64_t)
