/* SPDX-License-Identifier: MIT
 *
 * What other processes may do with the real files, while the run has changes of its own (files.h, child_files.c). In
 * doubt they may not: then the run stops at a limit, and nothing wrong is said.
 */
#include "file_table.h"

#include "memory.h"
#include "models.h"
#include "system.h"
#include "texts.h"

#include <sys/stat.h>

bool files_are_changed(void) {
  if (the_files->n_names) return true;
  for (uint32_t i = 0; i < MAX_FILES; i++)
    if (the_files->files[i].is_used && the_files->files[i].copy >= 0) return true;
  return false;
}

static bool has_copy(const struct stat *status) {
  for (uint32_t i = 0; i < MAX_FILES; i++) {
    const struct file *file = &the_files->files[i];
    if (file->is_used && file->copy >= 0 && file->device == status->st_dev && file->inode == status->st_ino)
      return true;
  }
  return false;
}

static bool is_changed_name(const char *name, size_t length) {
  for (uint32_t i = 0; i < the_files->n_names; i++)
    if (string_length(the_files->names[i].name) == length && memcmp(the_files->names[i].name, name, length) == 0)
      return true;
  return false;
}

/* In whatever directory. */
static bool has_changed_name(const char *path) {
  while (*path) {
    size_t length = 0;
    while (path[length] && path[length] != '/') length++;
    if (length && is_changed_name(path, length)) return true;
    path += length + (path[length] == '/');
  }
  return false;
}

/* The path of an open file without symbolic links; "" if the kernel does not say. */
static void read_real_path(long descriptor, char path[PATH_BYTES]) {
  char link[48];
  put_number(put_text(link, "/proc/self/fd/"), (unsigned long)descriptor);
  const long length = system_call(SYS_readlink, link, path, PATH_BYTES - 1);
  path[length > 0 ? length : 0] = 0;
}

bool files_allow(int directory, const char *path, enum files_use use) {
  char real[PATH_BYTES];
  struct stat status;
  if (has_changed_name(path)) return false;
  const long descriptor = system_call(SYS_openat, directory, path, O_PATH | O_CLOEXEC, 0);
  if (descriptor < 0) return use != FILES_MAKE; /* there is none: the kernel says so too */
  const bool known = system_call(SYS_fstat, descriptor, &status) == 0;
  read_real_path(descriptor, real);
  system_call(SYS_close, descriptor);
  if (!known || has_changed_name(real) || has_copy(&status)) return false;
  const mode_t type = status.st_mode & S_IFMT;
  return use == FILES_LOOK || (type != S_IFREG && type != S_IFDIR);
}

/* ---- which file it is, for who locks it ---- */

void files_correct(int descriptor, struct stat *status) {
  const struct file_descriptor *entry = file_descriptor_at(descriptor);
  if (!entry || !entry->file) return;
  status->st_dev = entry->file->device;
  status->st_ino = entry->file->inode;
}

/* ---- names that are no files: of sockets ---- */

/* The directory by its number here, or by its path. */
long files_read_path(const char *path, char *to) {
  struct file_place place;
  char directory[PATH_BYTES] = "";
  if (!files_are_private()) {
    const long at = system_call(SYS_openat, AT_FDCWD, path, O_PATH | O_CLOEXEC | O_NOFOLLOW, 0);
    if (at >= 0) read_real_path(at, directory);
    if (at >= 0) system_call(SYS_close, at);
    const char *text = *directory ? directory : path;
    const size_t length = string_length(text) < FILE_PATH_BYTES ? string_length(text) : FILE_PATH_BYTES - 1;
    memcpy(to, text, length);
    to[length] = 0;
    return 0;
  }
  file_find(AT_FDCWD, path, true, PATH_READS, &place, call_site());
  if (place.error) return place.error;
  put_text(put_text(put_number(to, place.directory ? file_number(place.directory) : 0), "/"), place.name);
  return 0;
}
