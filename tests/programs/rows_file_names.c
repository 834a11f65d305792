// SPDX-License-Identifier: MIT
// Names, directories and what else can be asked of files: return values and errors. All of it is private to the run, so
// that the second run finds the same.
// expect: exit=0 verdict=clean runs=2 observations=1
#define _GNU_SOURCE
#include "heddle.h"
#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <unistd.h>
#include <utime.h>

static char buffer[PATH_MAX];
static struct stat status;
static struct stat64 status64;

static long size_of(const char *path) {
  return stat(path, &status) == 0 ? status.st_size : -1;
}

static void check_directories(int here) {
  assert(mkdir("made", 0700) == 0 && mkdirat(here, "made", 0700) == -1 && errno == EEXIST);
  assert(mkdirat(here, "made/inner", 0700) == 0 && rmdir("made") == -1 && errno == ENOTEMPTY);
  assert(fstatat(here, "made/inner", &status, 0) == 0 && S_ISDIR(status.st_mode));
  assert(fstatat64(here, "made/none", &status64, 0) == -1 && errno == ENOENT);
  assert(renameat(here, "made/inner", here, "made/moved") == 0);
  assert(renameat2(here, "made/moved", here, "made", RENAME_NOREPLACE) == -1 && errno == EEXIST);
  assert(unlinkat(here, "made/moved", AT_REMOVEDIR) == 0 && unlinkat(here, "made/moved", 0) == -1 && errno == ENOENT);
  assert(rmdir("made") == 0 && rmdir("made") == -1 && errno == ENOENT && rmdir("file") == -1 && errno == ENOTDIR);
  strcpy(buffer, "made-XXXXXX");
  assert(mkdtemp(buffer) == buffer && stat(buffer, &status) == 0 && (status.st_mode & 07777) == 0700 &&
         rmdir(buffer) == 0);
  strcpy(buffer, "short");
  assert(!mkdtemp(buffer) && errno == EINVAL);
}

static void check_reading_directories(int here) {
  assert(mkdir("listed", 0700) == 0 && close(creat("listed/x", 0600)) == 0 && symlink("x", "listed/y") == 0);
  DIR *directory = opendir("listed");
  assert(directory && dirfd(directory) >= 0 && telldir(directory) == 0);
  assert(strcmp(readdir(directory)->d_name, ".") == 0 && strcmp(readdir64(directory)->d_name, "..") == 0);
  const long place = telldir(directory);
  const struct dirent *entry = readdir(directory);
  assert(strcmp(entry->d_name, "x") == 0 && entry->d_type == DT_REG);
  entry = readdir(directory);
  assert(strcmp(entry->d_name, "y") == 0 && entry->d_type == DT_LNK && !readdir(directory));
  seekdir(directory, place);
  assert(strcmp(readdir(directory)->d_name, "x") == 0);
  assert(unlink("listed/x") == 0);
  rewinddir(directory);
  int count = 0;
  while (readdir(directory)) count++;
  assert(count == 3 && closedir(directory) == 0);
  const int opened = openat(here, "listed", O_RDONLY | O_DIRECTORY);
  assert((directory = fdopendir(opened)) && readdir(directory) && closedir(directory) == 0);
  assert(!fdopendir(-1) && errno == EBADF);
  struct dirent **list;
  assert(scandir("listed", &list, NULL, alphasort) == 3 && strcmp(list[2]->d_name, "y") == 0);
  for (int i = 0; i < 3; i++) free(list[i]);
  free(list);
  assert(scandir("none", &list, NULL, NULL) == -1 && errno == ENOENT);
}

static void check_links(int here) {
  assert(link("file", "second") == 0 && linkat(here, "file", here, "second", 0) == -1 && errno == EEXIST);
  assert(stat("second", &status) == 0 && status.st_nlink == 2 && lstat64("second", &status64) == 0);
  assert(symlinkat("file", here, "soft") == 0 && symlink("soft", "soft") == -1 && errno == EEXIST);
  assert(readlink("soft", buffer, 2) == 2 && memcmp(buffer, "fi", 2) == 0);
  assert(readlinkat(here, "soft", buffer, sizeof buffer) == 4 && readlink("file", buffer, 4) == -1 && errno == EINVAL);
  assert(access("soft", R_OK) == 0 && faccessat(here, "none", F_OK, 0) == -1 && errno == ENOENT);
  assert(symlink("loop", "loop") == 0 && open("loop", O_RDONLY) == -1 && errno == ELOOP);
  assert(realpath("none", buffer) == NULL && errno == ENOENT && realpath("/", buffer) && strcmp(buffer, "/") == 0);
  assert(unlink("second") == 0 && unlink("soft") == 0 && remove("loop") == 0 && remove("loop") == -1);
}

static void check_sizes(void) {
  const int file = open("file", O_RDWR);
  assert(truncate64("file", 5) == 0 && size_of("file") == 5 && truncate("none", 0) == -1 && errno == ENOENT);
  assert(posix_fallocate(file, 4, 4) == 0 && size_of("file") == 8 && posix_fallocate(file, 0, 0) == EINVAL);
  assert(fallocate(file, 0, 0, 10) == 0 && size_of("file") == 10 && fallocate(file, FALLOC_FL_KEEP_SIZE, 0, 20) == 0);
  assert(size_of("file") == 10 && fsync(file) == 0 && fdatasync(file) == 0);
  const struct iovec pieces[2] = {{"ab", 2}, {"cd", 2}};
  struct iovec parts[2] = {{buffer, 1}, {buffer + 1, 3}};
  assert(pwritev(file, pieces, 2, 9) == 4 && preadv(file, parts, 2, 9) == 4 && memcmp(buffer, "abcd", 4) == 0);
  assert(pwritev(-1, pieces, 2, 0) == -1 && errno == EBADF && preadv(-1, parts, 2, 0) == -1 && errno == EBADF);
  off_t from = 9, to = 0;
  assert(copy_file_range(file, &from, file, &to, 2, 0) == 2 && from == 11 && to == 2);
  assert(copy_file_range(file, &to, file, &to, 2, 0) == -1 && errno == EINVAL);
  const int target = open("target", O_CREAT | O_RDWR, 0600);
  from = 0;
  assert(sendfile(target, file, &from, 2) == 2 && sendfile64(target, file, &from, 1) == 1 && from == 3);
  assert(pread(target, buffer, 8, 0) == 3 && memcmp(buffer, "ab", 2) == 0);
  assert(dprintf(target, "%d", 42) == 2 && size_of("target") == 5);
  assert(close(target) == 0 && close(file) == 0);
}

static void check_attributes(void) {
  const struct timespec times[2] = {{100, 0}, {200, 0}};
  const struct timeval values[2] = {{300, 0}, {400, 0}};
  const struct utimbuf old = {500, 600};
  const int file = open("file", O_RDWR);
  assert(chmod("file", 0604) == 0 && stat("file", &status) == 0 && (status.st_mode & 07777) == 0604);
  assert(fchmod(file, 0640) == 0 && fstat64(file, &status64) == 0 && (status64.st_mode & 07777) == 0640);
  assert(chmod("none", 0600) == -1 && errno == ENOENT && fchmod(-1, 0) == -1 && errno == EBADF);
  assert(chown("file", geteuid(), -1) == 0 && fchown(file, -1, getegid()) == 0 && chown("none", 0, 0) == -1);
  assert(utimensat(AT_FDCWD, "file", times, 0) == 0 && stat("file", &status) == 0 && status.st_mtime == 200);
  assert(futimens(file, times) == 0 && utimes("file", values) == 0 && stat("file", &status) == 0 &&
         status.st_mtime == 400);
  assert(utime("file", &old) == 0 && stat64("file", &status64) == 0 && status64.st_mtime == 600);
  assert(utime("none", &old) == -1 && errno == ENOENT);
  struct statvfs system;
  assert(statvfs("file", &system) == 0 && system.f_bsize > 0 && statvfs("none", &system) == -1 && errno == ENOENT);
  assert(close(file) == 0);
}

static void check_unnamed(int here) {
  const int unnamed = openat(here, ".", O_TMPFILE | O_RDWR, 0600);
  assert(unnamed >= 0 && write(unnamed, "x", 1) == 1 && fstat(unnamed, &status) == 0 && status.st_nlink == 0);
  const int removed = open("removed", O_CREAT | O_EXCL | O_RDWR, 0600);
  assert(unlink("removed") == 0 && write(removed, "still", 5) == 5 && lseek(removed, 0, SEEK_END) == 5);
  assert(open("removed", O_RDONLY) == -1 && errno == ENOENT && close(removed) == 0 && close(unnamed) == 0);
  FILE *file = tmpfile();
  assert(file && fputs("abc", file) >= 0 && fseek(file, 1, SEEK_SET) == 0 && fgetc(file) == 'b' && fclose(file) == 0);
}

static atomic_int order; // so that there is more than one run

static void *worker(void *unused) {
  order++;
  return NULL;
}

int main(void) {
  pthread_t threads[2];
  const int here = open(".", O_RDONLY | O_DIRECTORY);
  assert(here >= 0 && close(open("file", O_CREAT | O_EXCL | O_RDWR, 0644)) == 0);
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, worker, NULL);
  check_directories(here);
  check_reading_directories(here);
  check_links(here);
  check_sizes();
  check_attributes();
  check_unnamed(here);
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  heddle_observe("size", size_of("file"));
  return 0;
}
