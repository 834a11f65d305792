/* SPDX-License-Identifier: MIT */
#include "base/files.h"

#include "base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

bool files_read(const char *path, struct text *contents, struct error *error) {
  const int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return error_set_errno(error, "cannot read %s", path);
  char buffer[65536];
  ssize_t count;
  while ((count = read(fd, buffer, sizeof buffer)) > 0) text_append_bytes(contents, buffer, (size_t)count);
  const bool good = count == 0;
  if (!good) error_set_errno(error, "cannot read %s", path);
  close(fd);
  return good;
}

static bool write_all(int fd, const char *bytes, size_t count) {
  while (count > 0) {
    const ssize_t done = write(fd, bytes, count);
    if (done < 0 && errno == EINTR) continue;
    if (done < 0) return false;
    bytes += done;
    count -= (size_t)done;
  }
  return true;
}

static bool write_with_mode(const char *path, const void *bytes, size_t count, mode_t mode, struct error *error) {
  const int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode);
  if (fd < 0) return error_set_errno(error, "cannot write %s", path);
  const bool written = write_all(fd, bytes, count);
  if (!written) error_set_errno(error, "cannot write %s", path);
  close(fd);
  return written;
}

bool files_write(const char *path, const void *bytes, size_t count, struct error *error) {
  return write_with_mode(path, bytes, count, 0644, error);
}

bool files_copy(const char *from, const char *to, struct error *error) {
  struct stat status;
  if (stat(from, &status) < 0) return error_set_errno(error, "cannot read %s", from);
  struct text contents = {0};
  const bool good = files_read(from, &contents, error) &&
                    write_with_mode(to, contents.string, contents.length, status.st_mode & 0777, error);
  text_free(&contents);
  return good;
}

bool files_exists(const char *path) {
  return access(path, F_OK) == 0;
}

bool files_can_write(const char *path, struct error *error) {
  struct stat status;
  const char *slash = strrchr(path, '/');
  char *directory = slash ? memory_copy_bytes(path, (size_t)(slash - path) + 1) : memory_copy_string(".");
  bool good;
  if (stat(path, &status) == 0 && S_ISDIR(status.st_mode))
    good = error_set(error, "cannot write %s: it is a directory", path);
  else
    good = access(files_exists(path) ? path : directory, W_OK) == 0 || error_set_errno(error, "cannot write %s", path);
  free(directory);
  return good;
}

bool files_make_directory(const char *path, struct error *error) {
  char *copy = memory_copy_string(path);
  for (char *slash = copy + 1;; slash++) {
    if (*slash != '/' && *slash != 0) continue;
    const char saved = *slash;
    *slash = 0;
    if (mkdir(copy, 0777) < 0 && errno != EEXIST) {
      error_set_errno(error, "cannot make directory %s", copy);
      free(copy);
      return false;
    }
    *slash = saved;
    if (saved == 0) break;
  }
  free(copy);
  return true;
}

/* --- temporary directories: a process that ends early, for whatever reason, removes those it has made --- */

#define MOST_TEMPORARY 8

static struct temporary {
  char path[PATH_MAX]; /* "" is not used */
  pid_t owner;
} temporary[MOST_TEMPORARY];

static void remove_temporary(void) {
  for (size_t i = 0; i < MOST_TEMPORARY; i++)
    if (temporary[i].path[0] && temporary[i].owner == getpid()) files_remove_tree(temporary[i].path);
}

static void note_temporary(const char *path) {
  static bool is_registered;
  if (!is_registered) atexit(remove_temporary);
  is_registered = true;
  for (size_t i = 0; i < MOST_TEMPORARY; i++) {
    if (temporary[i].path[0] && temporary[i].owner == getpid()) continue;
    snprintf(temporary[i].path, sizeof temporary[i].path, "%s", path);
    temporary[i].owner = getpid();
    return;
  }
}

static void forget_temporary(const char *path) {
  for (size_t i = 0; i < MOST_TEMPORARY; i++)
    if (strcmp(temporary[i].path, path) == 0) temporary[i].path[0] = 0;
}

bool files_make_temporary_directory(char **path, struct error *error) {
  const char *base = getenv("TMPDIR");
  char *template = files_join(base && *base ? base : "/tmp", "heddle-XXXXXX");
  if (!mkdtemp(template)) {
    error_set_errno(error, "cannot make a temporary directory %s (set TMPDIR)", template);
    free(template);
    return false;
  }
  note_temporary(template);
  *path = template;
  return true;
}

static int remove_entry(const char *path, const struct stat *status, int type, struct FTW *where) {
  (void)status, (void)type, (void)where;
  return remove(path);
}

void files_remove_tree(const char *path) {
  nftw(path, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
  forget_temporary(path);
}

char *files_join(const char *directory, const char *name) {
  struct text path = {0};
  text_append_format(&path, "%s/%s", directory, name);
  return path.string;
}

char *files_of_heddle(const char *name) {
  char self[PATH_MAX];
  const ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
  BUG_ON(length < 0);
  self[length] = 0;
  *strrchr(self, '/') = 0;
  char *beside = files_join(self, name);
  if (files_exists(beside)) return beside;
  free(beside);
  struct text installed = {0};
  text_append_format(&installed, "%s/../lib/heddle/%s", self, name);
  return installed.string;
}

bool files_hash(const char *path, uint64_t *hash, struct error *error) {
  struct text contents = {0};
  const bool good = files_read(path, &contents, error);
  uint64_t value = 0xcbf29ce484222325ull;
  for (size_t i = 0; i < contents.length; i++) value = (value ^ (unsigned char)contents.string[i]) * 0x100000001b3ull;
  *hash = value;
  text_free(&contents);
  return good;
}

bool process_run(const char *const *argv, int *status, struct error *error) {
  pid_t pid;
  const int failure = posix_spawnp(&pid, argv[0], NULL, NULL, (char *const *)argv, environ);
  if (failure) return error_set(error, "cannot run %s: %s", argv[0], strerror(failure));
  int result;
  while (waitpid(pid, &result, 0) < 0)
    if (errno != EINTR) return error_set_errno(error, "cannot wait for %s", argv[0]);
  *status = WIFSIGNALED(result) ? 128 + WTERMSIG(result) : WEXITSTATUS(result);
  return true;
}
