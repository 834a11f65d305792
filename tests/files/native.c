// SPDX-License-Identifier: MIT
// Pseudo-random calls on a few files in the working directory. Prints a sum of all that they return; with a second
// argument it fails if the sum is another one. "native SEED COUNT" prints every call.
#define _GNU_SOURCE
#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#define N_SLOTS 5
static uint64_t state, sum = 0xcbf29ce484222325ull;
static int slots[N_SLOTS] = {-1, -1, -1, -1, -1};
static int shown;

static unsigned draw(unsigned below) {
  state = state * 6364136223846793005ull + 1442695040888963407ull;
  return (unsigned)(state >> 33) % below;
}

static void add(const void *bytes, size_t count) {
  for (size_t i = 0; i < count; i++) sum = (sum ^ ((const unsigned char *)bytes)[i]) * 0x100000001b3ull;
}

static void result(const char *call, const char *name, long value) {
  const int64_t told = value < 0 ? -errno : value;
  add(&told, sizeof told);
  if (shown) printf("%s %s = %lld\n", call, name, (long long)told);
}

static const char *const names[] = {"a",        "b",      "d",     "d/a",        "d/b",    "d/e",      "d/e/f",
                                    "link",     "d/../a", "./d//", "missing",    "d/link", "a/no",     "link/a",
                                    "d/e/../a", ".",      "real",  "given/file", "given",  "given/new"};

static const char *name(void) {
  return names[draw(sizeof names / sizeof names[0])];
}

static void open_one(int *slot) {
  static const int accesses[] = {O_RDONLY, O_WRONLY, O_RDWR, O_RDWR},
                   more[] = {0,        O_CREAT,           O_CREAT | O_EXCL, O_TRUNC,
                             O_APPEND, O_CREAT | O_TRUNC, O_NOFOLLOW,       O_DIRECTORY};
  const char *path = name();
  const int flags = accesses[draw(4)] | more[draw(8)];
  if (*slot >= 0) close(*slot);
  *slot = open(path, flags, 0644);
  result("open", path, *slot >= 0 ? 1 : *slot);
}

static void ask(void) {
  struct stat status;
  const char *path = name();
  const int failed = draw(2) ? stat(path, &status) : lstat(path, &status);
  result("stat", path, failed ? -1 : (long)status.st_mode);
  if (!failed && S_ISREG(status.st_mode)) result("stat size", path, status.st_size);
  if (!failed && S_ISREG(status.st_mode)) result("stat links", path, (long)status.st_nlink);
}

static int compare(const void *a, const void *b) {
  return strcmp(*(char *const *)a, *(char *const *)b);
}

static void list(void) {
  const char *path = name();
  DIR *directory = opendir(path);
  char *found[64];
  int count = 0;
  result("opendir", path, directory ? 1 : -1);
  if (!directory) return;
  for (struct dirent *entry; (entry = readdir(directory)) && count < 64;) found[count++] = strdup(entry->d_name);
  closedir(directory);
  qsort(found, (size_t)count, sizeof found[0], compare);
  for (int i = 0; i < count; i++) {
    add(found[i], strlen(found[i]));
    if (shown) printf("  %s\n", found[i]);
    free(found[i]);
  }
}

static int is_wanted(const struct dirent *entry) {
  return entry->d_name[0] != 'a';
}

static void scan(void) {
  struct dirent **list;
  const char *path = name();
  const int count = scandir(path, &list, is_wanted, alphasort);
  result("scandir", path, count);
  for (int i = 0; i < count; i++) {
    add(list[i]->d_name, strlen(list[i]->d_name));
    free(list[i]);
  }
  if (count >= 0) free(list);
}

static void read_some(int file) {
  char bytes[24] = {0}, more[8] = {0};
  const struct iovec pieces[2] = {{bytes, 5}, {more, 8}};
  switch (draw(4)) {
  case 0: result("read", "", read(file, bytes, draw(24))); break;
  case 1: result("pread", "", pread(file, bytes, draw(24), draw(40))); break;
  case 2: result("readv", "", readv(file, pieces, 2)); break;
  default: result("preadv", "", preadv(file, pieces, 2, draw(40))); break;
  }
  add(bytes, sizeof bytes);
  add(more, sizeof more);
}

static void write_some(int file) {
  char bytes[24], more[8];
  const struct iovec pieces[2] = {{bytes, 5}, {more, 8}};
  for (int i = 0; i < 24; i++) bytes[i] = (char)('a' + draw(26));
  for (int i = 0; i < 8; i++) more[i] = (char)('A' + draw(26));
  switch (draw(4)) {
  case 0: result("write", "", write(file, bytes, draw(24))); break;
  case 1: result("pwrite", "", pwrite(file, bytes, draw(24), draw(40))); break;
  case 2: result("writev", "", writev(file, pieces, 2)); break;
  default: result("pwritev", "", pwritev(file, pieces, 2, draw(40))); break;
  }
}

static void map(int file) {
  struct stat status;
  if (fstat(file, &status) < 0 || !S_ISREG(status.st_mode) || status.st_size < 4) return;
  char *one = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  char *two = mmap(NULL, 4096, PROT_READ, MAP_SHARED, file, 0);
  result("mmap", "", one == MAP_FAILED ? -1 : 1);
  if (one != MAP_FAILED) {
    one[draw(4)] = 'm';
    add(one, 4);
    munmap(one, 4096);
  }
  if (two == MAP_FAILED) return;
  add(two, 4);
  munmap(two, 4096);
}

static void copy(int from, int to) {
  off_t source = draw(10), target = draw(10);
  if (draw(2))
    result("sendfile", "", sendfile(to, from, &source, draw(20)));
  else if (from != to)
    result("copy_file_range", "", copy_file_range(from, &source, to, draw(2) ? &target : NULL, draw(20), 0));
  add(&source, sizeof source);
}

static void change_name(void) {
  const char *path = name(), *other = name();
  char target[64] = {0};
  switch (draw(12)) {
  case 0: result("unlink", path, unlink(path)); break;
  case 1: result("rename", path, rename(path, other)); break;
  case 2: result("mkdir", path, mkdir(path, 0750)); break;
  case 3: result("rmdir", path, rmdir(path)); break;
  case 4: result("link", path, link(path, other)); break;
  case 5: result("symlink", path, symlink(path, other)); break;
  case 6:
    result("readlink", path, readlink(path, target, sizeof target));
    add(target, sizeof target);
    break;
  case 7: result("access", path, access(path, R_OK)); break;
  case 8: result("truncate", path, truncate(path, draw(30))); break;
  case 9: result("remove", path, remove(path)); break;
  case 10: result("renameat2", path, renameat2(AT_FDCWD, path, AT_FDCWD, other, RENAME_NOREPLACE)); break;
  default: result("chmod", path, chmod(path, 0640)); break;
  }
}

static void use_descriptor(int file) {
  struct stat status;
  switch (draw(10)) {
  case 0:
  case 1: read_some(file); break;
  case 2:
  case 3: write_some(file); break;
  case 4: result("lseek", "", lseek(file, draw(30), SEEK_SET)); break;
  case 5: result("lseek end", "", lseek(file, -(off_t)draw(5), SEEK_END)); break;
  case 6: result("ftruncate", "", ftruncate(file, draw(50))); break;
  case 7:
    if (fstat(file, &status) == 0 && S_ISREG(status.st_mode)) result("fstat", "", status.st_size);
    break;
  case 8: map(file); break;
  default: copy(file, slots[draw(N_SLOTS)]); break;
  }
}

static void step(void) {
  int *slot = &slots[draw(N_SLOTS)];
  const unsigned kind = draw(16);
  if (kind < 3)
    open_one(slot);
  else if (kind < 8)
    change_name();
  else if (kind == 8)
    ask();
  else if (kind == 9)
    list();
  else if (kind == 10)
    scan();
  else if (kind == 11 && *slot >= 0) {
    int *other = &slots[draw(N_SLOTS)];
    if (other != slot && *other >= 0) close(*other);
    if (other != slot) *other = dup(*slot);
  } else if (*slot >= 0)
    use_descriptor(*slot);
}

int main(int argc, char **argv) {
  char expected[32];
  state = strtoull(argv[1], NULL, 10) * 2 + 1;
  shown = argc > 3;
  for (int i = 0; i < atoi(argv[2]); i++) {
    errno = 0;
    if (shown) printf("%d: ", i);
    step();
  }
  snprintf(expected, sizeof expected, "%016llx", (unsigned long long)sum);
  if (argc > 3)
    assert(strcmp(argv[3], expected) == 0 || argv[3][0] == '-');
  else
    puts(expected);
  return 0;
}
