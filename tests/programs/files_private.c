// What a run does to files is its own: each run begins with the files as they are. Return values are the kernel's.
// expect: exit=0 verdict=clean complete=true runs=2 threads=2
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

static atomic_int shared;

static void *add(void *unused) {
  shared++;
  return unused;
}

static void check_made(void) {
  struct stat status;
  assert(access("made", F_OK) < 0 && errno == ENOENT);
  assert(open("made", O_RDONLY) < 0 && errno == ENOENT);
  const int file = open("made", O_CREAT | O_EXCL | O_RDWR, 0640);
  assert(file == 3);
  assert(open("made", O_CREAT | O_EXCL | O_RDWR, 0600) < 0 && errno == EEXIST);
  assert(write(file, "hello", 5) == 5 && lseek(file, 0, SEEK_CUR) == 5);
  assert(pwrite(file, "J", 1, 0) == 1 && pwrite64(file, "!", 1, 5) == 1);
  char text[8] = "";
  assert(pread(file, text, 8, 0) == 6 && strcmp(text, "Jello!") == 0 && pread64(file, text, 8, 6) == 0);
  assert(read(file, text, 1) == 1 && text[0] == '!' && read(file, text, 1) == 0);
  assert(fstat(file, &status) == 0 && status.st_size == 6 && S_ISREG(status.st_mode) && status.st_nlink == 1);
  struct stat64 status64;
  assert(fstat64(file, &status64) == 0 && stat64("made", &status64) == 0 && lstat64("made", &status64) == 0);
  assert(status64.st_size == 6 && (status64.st_mode & 0777) == (0640 & ~022));
  assert(access("made", F_OK) == 0 && stat("made", &status) == 0 && status.st_size == 6);
  const int again = open("made", O_WRONLY | O_APPEND);
  assert(again == 4 && write(again, "end", 3) == 3 && lseek64(file, 0, SEEK_END) == 9);
  assert(read(again, text, 1) < 0 && errno == EBADF);
  struct iovec pieces[] = {{text, 2}, {text + 2, 3}};
  assert(lseek(file, 0, SEEK_SET) == 0 && readv(file, pieces, 2) == 5 && memcmp(text, "Jello", 5) == 0);
  assert(writev(again, pieces, 2) == 5 && ftruncate(file, 7) == 0 && ftruncate64(file, 8) == 0);
  const int copy = dup(file);
  assert(copy == 5 && lseek(copy, 2, SEEK_SET) == 2 && read(file, text, 2) == 2 && memcmp(text, "ll", 2) == 0);
  assert(truncate("made", 3) == 0 && lseek(file, 0, SEEK_END) == 3);
  char *map = mmap(NULL, 3, PROT_READ, MAP_PRIVATE, file, 0);
  assert(map != MAP_FAILED && memcmp(map, "Jel", 3) == 0 && munmap(map, 3) == 0);
  assert(rename("made", "moved") == 0 && access("made", F_OK) < 0 && lstat("moved", &status) == 0);
  assert(rename("made", "moved") < 0 && errno == ENOENT);
  assert(unlink("moved") == 0 && unlink("moved") < 0 && errno == ENOENT && fstat(file, &status) == 0);
  assert(status.st_nlink == 0 && status.st_size == 3);
  assert(close(file) == 0 && close(again) == 0 && close(copy) == 0 && close(copy) < 0 && errno == EBADF);
}

static void check_unique(void) {
  char name[] = "some-XXXXXX", other[] = "some-XXXXXX", third[] = "XXXXXX.txt", wrong[] = "some";
  const int file = mkstemp(name);
  assert(file >= 0 && strcmp(name, "some-XXXXXX") != 0 && access(name, F_OK) == 0);
  assert(mkostemp(other, O_CLOEXEC) >= 0 && strcmp(name, other) != 0 && mkstemps(third, 4) >= 0);
  assert(strcmp(third + 6, ".txt") == 0 && mkstemp(wrong) < 0 && errno == EINVAL);
  char more[] = "XXXXXX";
  assert(mkstemp64(more) >= 0 && remove(more) == 0 && unlinkat(AT_FDCWD, other, 0) == 0 && access(other, F_OK) < 0);
}

static void check_real(const char *path) {
  char own[16] = "", first[16] = "";
  const int before = open(path, O_RDONLY);
  assert(before >= 0 && read(before, own, 3) == 3);
  const int file = open(path, O_RDWR);
  assert(file >= 0 && pread(file, first, 15, 0) == 15 && memcmp(first, own, 3) == 0);
  assert(pwrite(file, "changed", 7, 0) == 7);
  assert(pread(before, own, 7, 0) == 7 && memcmp(own, "changed", 7) == 0);
  assert(lseek(before, 0, SEEK_CUR) == 3);
  FILE *stream = fopen(path, "r");
  assert(stream && fgets(own, 8, stream) && strcmp(own, "changed") == 0 && fclose(stream) == 0);
  assert(open("/", O_RDWR) < 0 && errno == EISDIR && open("none/file", O_CREAT | O_RDWR, 0600) < 0 && errno == ENOENT);
}

int main(void) {
  pthread_t thread;
  check_made();
  check_unique();
  FILE *stream = fopen("lines", "w");
  assert(stream && fprintf(stream, "%d\n", 42) == 3 && fputc('x', stream) == 'x' && fclose(stream) == 0);
  stream = fopen64("lines", "r+");
  int number = 0;
  assert(fscanf(stream, "%d", &number) == 1 && number == 42 && fseek(stream, 0, SEEK_SET) == 0 && fgetc(stream) == '4');
  assert(fclose(stream) == 0 && fopen("lines", "q") == NULL && errno == EINVAL);
  check_real(__FILE__);
  pthread_create(&thread, NULL, add, NULL);
  shared++;
  pthread_join(thread, NULL);
  return 0;
}
