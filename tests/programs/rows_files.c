// SPDX-License-Identifier: MIT
// Files: what one call writes another reads, and the errors are the kernel's. Everything opened is closed after the
// run, so that the second run gets the same descriptors.
// expect: exit=0 verdict=clean runs=2 observations=1
#define _GNU_SOURCE
#include "heddle.h"
#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

static const char missing[] = "/nonexistent/file";
static char buffer[64]; // in protected memory when the kernel writes to it

static void check_descriptors(const char *path) {
  int file = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
  assert(file >= 0 && write(file, "content", 7) == 7);
  assert(pread(file, buffer, 7, 0) == 7 && memcmp(buffer, "content", 7) == 0);
  int copy = dup(file);
  assert(copy >= 0 && copy != file && lseek(copy, 3, SEEK_SET) == 3);
  memset(buffer, 0, sizeof buffer);
  assert(read(file, buffer, 10) == 4 && strcmp(buffer, "tent") == 0);
  assert(fcntl64(copy, F_GETFL) >= 0 && (fcntl(copy, F_GETFL) & O_ACCMODE) == O_RDWR);
  assert(close(copy) == 0 && close(copy) == -1 && errno == EBADF);
  assert(close(file) == 0);
  assert((file = open64(path, O_RDONLY)) >= 0 && close(file) == 0);
  assert((file = openat(AT_FDCWD, path, O_RDONLY)) >= 0 && close(file) == 0);
  assert((file = creat(path, 0600)) >= 0 && close(file) == 0);
}

static void check_descriptor_errors(void) {
  assert(open(missing, O_RDONLY) == -1 && errno == ENOENT);
  assert(open64(missing, O_RDONLY) == -1 && errno == ENOENT);
  assert(openat(AT_FDCWD, missing, O_RDONLY) == -1 && errno == ENOENT);
  assert(creat(missing, 0600) == -1 && errno == ENOENT);
  assert(dup(-1) == -1 && errno == EBADF);
  assert(fcntl64(-1, F_GETFL) == -1 && errno == EBADF && fcntl(-1, F_GETFL) == -1 && errno == EBADF);
  assert(read(-1, buffer, 1) == -1 && errno == EBADF);
  assert(pread(-1, buffer, 1, 0) == -1 && errno == EBADF);
  assert(socket(-1, SOCK_STREAM, 0) == -1 && errno == EAFNOSUPPORT);
  assert(recv(-1, buffer, 1, 0) == -1 && errno == EBADF);
}

static void check_status(const char *path) {
  static struct stat status;
  FILE *file = fopen(path, "w");
  assert(file && fputs("abc", file) >= 0 && fflush(file) == 0);
  assert(fstat(fileno(file), &status) == 0 && status.st_size == 3);
  assert(stat(path, &status) == 0 && S_ISREG(status.st_mode));
  assert(lstat(path, &status) == 0 && S_ISREG(status.st_mode));
  assert(fclose(file) == 0);
  assert(fstat(-1, &status) == -1 && errno == EBADF);
  assert(stat(missing, &status) == -1 && errno == ENOENT);
  assert(lstat(missing, &status) == -1 && errno == ENOENT);
}

static void check_streams(const char *path) {
  FILE *file = fopen64(path, "r");
  assert(file && fread(buffer, 1, 3, file) == 3 && memcmp(buffer, "abc", 3) == 0);
  assert(fread(buffer, 1, 1, file) == 0 && feof(file));
  assert(fclose(file) == 0);
  assert(!fopen(missing, "r") && errno == ENOENT);
  assert(!fopen64(missing, "r") && errno == ENOENT);
  file = fdopen(open(path, O_RDONLY), "r");
  assert(file && fgetc(file) == 'a' && fclose(file) == 0);
  assert(!fdopen(-1, "r") && errno == EBADF);
  file = tmpfile();
  assert(file && fputc('x', file) == 'x' && fclose(file) == 0);
  DIR *directory = opendir("/");
  assert(directory && readdir(directory) && closedir(directory) == 0);
  assert(!opendir(missing) && errno == ENOENT);
}

static void check_mappings(void) {
  char *memory = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  assert(memory != MAP_FAILED && memory[0] == 0);
  memory[0] = 1;
  assert(munmap(memory, 4096) == 0);
  assert(mmap(NULL, 0, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED && errno == EINVAL);
}

static atomic_int order; // so that there is more than one run

static void *worker(void *unused) {
  order++;
  return NULL;
}

int main(void) {
  char path[] = "/tmp/heddle-rows-XXXXXX";
  const int created = mkstemp(path);
  assert(created >= 0);
  heddle_observe("descriptor", created);
  pthread_t threads[2];
  for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, worker, NULL);
  check_descriptors(path);
  check_descriptor_errors();
  check_status(path);
  check_streams(path);
  check_mappings();
  for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  assert(unlink(path) == 0);
  return 0;
}
