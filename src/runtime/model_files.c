/* SPDX-License-Identifier: MIT
 *
 * What reaches the kernel and would outlive a run. Descriptors and mappings made in a run are closed and unmapped after
 * it. What cannot be undone here asks for runs in forked processes. Files are those of files.c.
 */
#include "budget.h"
#include "checkpoint.h"
#include "children.h"
#include "ends.h"
#include "filelocks.h"
#include "files.h"
#include "frames.h"
#include "models.h"
#include "pipes.h"
#include "snapshot.h"
#include "unfollowed.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

void files_touch(void) {
  rt->files_touched = true;
  checkpoint_cannot_hold();
}

static void needs_fork(void) {
  rt->needs_fork = true;
  checkpoint_cannot_hold();
}

/* ---- descriptors ---- */

#define WRAPPED_OPEN(name, parameters, directory, mode_after)                                                          \
  int __real_##name parameters;                                                                                        \
  EXPORTED int __wrap_##name parameters;                                                                               \
  int __wrap_##name parameters {                                                                                       \
    va_list rest;                                                                                                      \
    va_start(rest, mode_after);                                                                                        \
    const int mode = va_arg(rest, int); /* whatever is there, when the flags do not ask for it */                      \
    va_end(rest);                                                                                                      \
    return open_path(directory, path, flags, (mode_t)mode);                                                            \
  }

static int open_path(int directory, const char *path, int flags, mode_t mode) {
  const site_id site = controlled ? take_site() : 0;
  if (controlled) files_touch();
  if (controlled) model_reads_string(path, site);
  if (files_are_private()) return files_open(directory, path, flags, mode, site);
  const long result = system_call(SYS_openat, directory, path, flags, mode);
  return result < 0 ? model_fail((int)-result) : (int)result;
}

WRAPPED_OPEN(open, (const char *path, int flags, ...), AT_FDCWD, flags)
WRAPPED_OPEN(open64, (const char *path, int flags, ...), AT_FDCWD, flags)
WRAPPED_OPEN(openat, (int directory, const char *path, int flags, ...), directory, flags)

WRAPPED(int, creat, (const char *path, mode_t mode), (path, mode)) {
  return open_path(AT_FDCWD, path, O_CREAT | O_WRONLY | O_TRUNC, mode);
}

#define OPENS(result, name, parameters, arguments, path)                                                               \
  WRAPPED(result, name, parameters, arguments) {                                                                       \
    files_touch();                                                                                                     \
    model_reads_string(path, call_site());                                                                             \
    return __real_##name arguments;                                                                                    \
  }

static bool is_inherited(int descriptor) {
  return descriptor >= 0 && descriptor < 64 && rt->inherited_descriptors >> descriptor & 1;
}

WRAPPED(int, dup, (int descriptor), (descriptor)) {
  files_touch();
  const site_id site = take_site();
  if (files_has(descriptor)) files_take_descriptors(site);
  const int lowest = __real_dup(descriptor);
  const int copy = files_has(descriptor) ? (int)files_take_number(lowest, site) : lowest;
  pipe_duplicate(descriptor, copy);
  files_duplicate(descriptor, copy);
  filelock_duplicate(descriptor, copy);
  return copy;
}

/* Only what was open before main cannot be put back. */
static int duplicate_to(int from, int to, int result, site_id site) {
  files_touch();
  if (is_inherited(to)) needs_fork();
  if (result < 0 || from == to) return result;
  pipe_close(to, site);
  filelock_close(to, site);
  pipe_duplicate(from, to);
  files_duplicate(from, to);
  filelock_duplicate(from, to);
  return result;
}

/* Another thread may poll the number. */
static void take_turn_to_duplicate(int from, int to, site_id site) {
  if (files_has(from) || files_has(to)) files_take_descriptors(site);
  if (from == to || (!pipe_description(from) && !pipe_description(to))) return;
  spin_end(self());
  schedule_operation((struct operation){.kind = EVENT_DESCRIPTOR_COPY, .address = (uint64_t)to, .site = site});
  trace_record(EVENT_DESCRIPTOR_COPY, (uint64_t)to, 0, site);
}

WRAPPED(int, dup2, (int from, int to), (from, to)) {
  const site_id site = take_site();
  take_turn_to_duplicate(from, to, site);
  return duplicate_to(from, to, __real_dup2(from, to), site);
}

WRAPPED(int, dup3, (int from, int to, int flags), (from, to, flags)) {
  const site_id site = take_site();
  take_turn_to_duplicate(from, to, site);
  return duplicate_to(from, to, __real_dup3(from, to, flags), site);
}

WRAPPED(int, close, (int descriptor), (descriptor)) {
  const site_id site = take_site();
  pipe_close(descriptor, site);
  filelock_close(descriptor, site);
  files_close(descriptor, site);
  if (is_inherited(descriptor)) needs_fork();
  return __real_close(descriptor);
}

#define NEEDS_FORK(result, name, parameters, arguments)                                                                \
  WRAPPED(result, name, parameters, arguments) {                                                                       \
    needs_fork();                                                                                                      \
    return __real_##name arguments;                                                                                    \
  }

/* The kernel follows only where it can. */
WRAPPED(int, chdir, (const char *path), (path)) {
  struct stat status;
  int result = 0;
  needs_fork();
  model_reads_string(path, call_site());
  const bool is_known = files_are_private() && path && files_stat(AT_FDCWD, path, true, &status, &result, call_site());
  if (is_known && result == 0 && S_ISDIR(status.st_mode) && system_call(SYS_access, path, 0) < 0)
    finish_at_limit("chdir to a directory that the run has made");
  files_change_directory();
  return is_known && result < 0 ? result : __real_chdir(path);
}

WRAPPED(int, fchdir, (int descriptor), (descriptor)) {
  needs_fork();
  files_change_directory();
  return __real_fchdir(descriptor);
}

/* The value that the thread wrote last is looked at while it can be. */
WRAPPED(int, mprotect, (void *address, size_t size, int protection), (address, size, protection)) {
  trace_complete_value(self());
  needs_fork();
  return __real_mprotect(address, size, protection);
}

/* ---- streams ---- */

static bool has_letter(const char *mode, char letter) {
  while (*mode && *mode != letter) mode++;
  return *mode != 0;
}

static int flags_of_mode(const char *mode) {
  const int access = has_letter(mode, '+') ? O_RDWR : mode[0] == 'r' ? O_RDONLY : O_WRONLY;
  const int how = mode[0] == 'w' ? O_CREAT | O_TRUNC : mode[0] == 'a' ? O_CREAT | O_APPEND : 0;
  return access | how | (has_letter(mode, 'x') ? O_EXCL : 0) | (has_letter(mode, 'e') ? O_CLOEXEC : 0);
}

FILE *__real_fdopen(int descriptor, const char *mode);

static FILE *open_stream(const char *path, const char *mode) {
  const site_id site = take_site();
  if (!has_letter("rwa", mode[0])) {
    errno = EINVAL;
    return NULL;
  }
  const int descriptor = files_open(AT_FDCWD, path, flags_of_mode(mode), 0666, site);
  return descriptor < 0 ? NULL : __real_fdopen(descriptor, mode);
}

#define OPENS_STREAM(name)                                                                                             \
  WRAPPED(FILE *, name, (const char *path, const char *mode), (path, mode)) {                                          \
    files_touch();                                                                                                     \
    model_reads_string(path, call_site());                                                                             \
    return files_are_private() ? open_stream(path, mode) : __real_##name(path, mode);                                  \
  }

OPENS_STREAM(fopen)
OPENS_STREAM(fopen64)

WRAPPED(FILE *, tmpfile, (void), ()) {
  files_touch();
  if (!files_are_private()) return __real_tmpfile();
  const int descriptor = files_open(AT_FDCWD, "/tmp", O_TMPFILE | O_RDWR, 0600, take_site());
  return descriptor < 0 ? NULL : __real_fdopen(descriptor, "w+");
}

int __wrap_dup2(int from, int to);
int __wrap_close(int descriptor);

/* The stream stays, and its descriptor becomes another file's. */
static FILE *reopen(const char *path, const char *mode, FILE *stream, site_id site) {
  const int number = fileno_unlocked(stream), access = (int)system_call(SYS_fcntl, number, F_GETFL) & O_ACCMODE;
  if (!path || (access != O_RDWR && access != (flags_of_mode(mode) & O_ACCMODE)))
    finish_at_limit("freopen that changes how a stream is used");
  files_take_stream(stream, site);
  fflush(stream);
  const int descriptor = files_open(AT_FDCWD, path, flags_of_mode(mode), 0666, site);
  if (descriptor < 0) return NULL;
  __wrap_dup2(descriptor, number);
  __wrap_close(descriptor);
  fseek(stream, 0, mode[0] == 'a' ? SEEK_END : SEEK_SET);
  return stream;
}

WRAPPED(FILE *, freopen, (const char *path, const char *mode, FILE *stream), (path, mode, stream)) {
  needs_fork();
  model_reads_string(path, call_site());
  return files_are_private() ? reopen(path, mode, stream, take_site()) : __real_freopen(path, mode, stream);
}

WRAPPED(int, fclose, (FILE * file), (file)) {
  const site_id site = take_site();
  struct child *child = child_with_stream(file);
  if (child) return child_close_stream(file, child, site);
  files_take_stream(file, site);
  files_close(fileno_unlocked(file), site);
  return __real_fclose(file);
}

WRAPPED(FILE *, fdopen, (int descriptor, const char *mode), (descriptor, mode)) {
  files_touch();
  const struct description *end = pipe_description(descriptor);
  if (end && end->is_shared) files_adopt(descriptor);
  if (end && end->socket && !end->is_shared) {
    take_site();
    finish_at_limit("fdopen of a socket");
  }
  if (end && !end->is_shared) {
    process_not_supported(take_site(), "fdopen of a pipe: threads that wait for it are not seen");
    pipes_become_real();
  }
  return __real_fdopen(descriptor, mode);
}

/* ---- mappings ---- */

/* What is only reserved, or a file's, costs nothing. */
static bool takes_memory(int protection, int flags) {
  return protection & PROT_WRITE && flags & MAP_ANONYMOUS && !(flags & MAP_NORESERVE);
}

WRAPPED(void *, mmap, (void *address, size_t size, int protection, int flags, int descriptor, off_t offset),
        (address, size, protection, flags, descriptor, offset)) {
  const bool counts = takes_memory(protection, flags);
  const site_id site = call_site();
  if (counts && !budget_grants_mapping(size)) {
    errno = ENOMEM;
    return MAP_FAILED;
  }
  if (flags & MAP_FIXED) trace_complete_value(self());
  void *at;
  if (!(flags & MAP_ANONYMOUS) && files_has(descriptor) &&
      files_map(descriptor, size, protection, flags, offset, &at, site))
    return at;
  at = __real_mmap(address, size, protection, flags, descriptor, offset);
  if (at == MAP_FAILED && counts) budget_give_back(size);
  if (at == MAP_FAILED) return at;
  if (rt->n_mappings == MAX_MAPPINGS || flags & MAP_FIXED)
    needs_fork();
  else
    rt->mappings[rt->n_mappings++] =
        (struct mapping){(uint64_t)at, size, counts, flags & MAP_SHARED && protection & PROT_WRITE ? site : 0};
  return at;
}

WRAPPED(int, munmap, (void *address, size_t size), (address, size)) {
  trace_complete_value(self());
  if (files_unmap(address, size, call_site())) return 0;
  for (uint32_t i = 0; i < rt->n_mappings; i++) {
    if (rt->mappings[i].address != (uint64_t)address || rt->mappings[i].size_bytes != size) continue;
    if (rt->mappings[i].counts) budget_give_back(size);
    rt->mappings[i] = rt->mappings[--rt->n_mappings];
    return __real_munmap(address, size);
  }
  needs_fork();
  return __real_munmap(address, size);
}

void *__real_mremap(void *address, size_t size, size_t new_size, int flags, ...);
EXPORTED void *__wrap_mremap(void *address, size_t size, size_t new_size, int flags, ...);

/* Where it was is not undone after the run. */
void *__wrap_mremap(void *address, size_t size, size_t new_size, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  void *target = va_arg(rest, void *); /* whatever is there, when the flags do not ask for it */
  va_end(rest);
  if (!controlled) return __real_mremap(address, size, new_size, flags, target);
  if (files_are_mapped_at(address)) finish_at_limit("mremap of a file");
  trace_complete_value(self());
  needs_fork();
  return __real_mremap(address, size, new_size, flags, target);
}

/* ---- between runs ---- */

void files_remember(void) {
  for (int descriptor = 0; descriptor < 64; descriptor++)
    if (system_call(SYS_fcntl, descriptor, F_GETFD) >= 0) rt->inherited_descriptors |= 1ull << descriptor;
}

void files_restore(void) {
  while (rt->n_mappings > 0) {
    const struct mapping *mapping = &rt->mappings[--rt->n_mappings];
    system_call(SYS_munmap, mapping->address, mapping->size_bytes);
  }
  if (!rt->files_touched) return;
  rt->files_touched = false;
  for (int descriptor = 0; descriptor < 64; descriptor++)
    if (!is_inherited(descriptor)) system_call(SYS_close, descriptor);
  system_call(SYS_close_range, 64, ~0u, 0);
}
