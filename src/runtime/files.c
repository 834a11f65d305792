/* SPDX-License-Identifier: MIT
 *
 * Files and their descriptors. The copy of a file is a file in memory (memfd), of which every open makes another
 * description by /proc/self/fd, so that offsets, modes and O_APPEND are the kernel's. A file that is only read stays
 * the real one until somebody opens it for writing: then those that have it open get the copy, at their offsets.
 *
 * Descriptors of the copies have high numbers, so that the program's are those it would have; all are closed after the
 * run.
 */
#include "budget.h"
#include "ends.h"
#include "executor.h"
#include "file_table.h"
#include "models.h"
#include "sharing.h"
#include "twins.h"
#include "unfollowed.h"

#include <sys/mman.h>
#include <sys/sysmacros.h>

#define RANDOM_BYTES (64u << 10)
#define FIRST_COPY 512 /* the least number of a descriptor of a copy */

/* Main gets the lowest number that is free, as POSIX says. Other threads have numbers of their own, so that what a
 * thread opens does not depend on what others do at the same time; who closes another's descriptor does. */
#define DESCRIPTORS_WORD FILES_ADDRESS
#define FIRST_OF_THREADS 64
#define RANGE 16
#define N_RANGES (1u + (FIRST_COPY - FIRST_OF_THREADS) / RANGE)

uint32_t __heddle_slow_atomic_read(const void *address, uint64_t size, const struct site *site);
uint32_t __heddle_slow_atomic_update(void *address, uint64_t size, const struct site *site);
void __heddle_slow_section_enter(const struct site *site);
void __heddle_slow_section_leave(const struct site *site);

void files_map_table(uint64_t address, uint64_t size_bytes) {
  const long at = system_call(SYS_mmap, address, size_bytes, PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_NORESERVE, -1, 0);
  if (at < 0) executor_die("cannot map the runtime's memory");
}

void files_initialise(void) {
  files_map_table((uint64_t)the_files, (sizeof(struct files) + 4095) & ~4095ull);
  files_map_table(FILES_ADDRESS, FILES_BYTES);
  directories_initialise();
}

void files_begin_run(void) {
  if (!the_files->is_used) return;
  files_unmap_all();
  directories_begin_run();
  system_call(SYS_madvise, the_files, (sizeof(struct files) + 4095) & ~4095ull, MADV_DONTNEED);
  system_call(SYS_madvise, FILES_ADDRESS, FILES_BYTES, MADV_DONTNEED);
}

bool files_are_private(void) {
  return controlled && !(rt->channel->options & RUN_REAL_FILES);
}

int file_fail(long error) {
  errno = (int)-error;
  return -1;
}

/* ---- steps ---- */

void file_take_step(uint64_t *word, uint64_t size, bool writes, site_id site) {
  const struct site *before = __heddle_site, *place = (const struct site *)(uint64_t)site;
  if (!site || !__heddle_in_run) return;
  if (writes)
    __heddle_slow_atomic_update(word, size, place);
  else
    __heddle_slow_atomic_read(word, size, place);
  __heddle_site = before;
  if (rt->shared_grew) rt->has_marked = true; /* what is a section depends on which words are shared */
}

bool file_is_shared(uint64_t *word) {
  return sharing_is_possible() && sharing_touch((uint64_t)word, sizeof *word, true);
}

void files_use_word(uint64_t word, bool writes, site_id site) {
  file_take_step((uint64_t *)word, sizeof(uint64_t), writes, site);
  if (!writes) return;
  (*(uint64_t *)word)++;
  the_files->is_used = true;
}

void files_note_word(uint64_t word, bool writes) {
  sharing_touch(word, sizeof(uint64_t), writes);
  if (rt->shared_grew) rt->has_marked = true; /* if this is new, operations are others than in earlier runs */
}

void file_enter_section(bool is_needed, site_id site) {
  if (is_needed && site && __heddle_in_run) __heddle_slow_section_enter((const struct site *)(uint64_t)site);
}

void file_leave_section(bool was_needed, site_id site) {
  const int error = errno;
  if (was_needed && site && __heddle_in_run) __heddle_slow_section_leave((const struct site *)(uint64_t)site);
  errno = error;
}

static uint32_t range_of_thread(void) {
  return self()->id ? 1 + (self()->id - 1u) % (N_RANGES - 1) : 0;
}

static uint32_t range_of_number(int descriptor) {
  return descriptor < FIRST_OF_THREADS ? 0 : 1 + (uint32_t)(descriptor - FIRST_OF_THREADS) / RANGE;
}

static void take_range(uint32_t range, site_id site) {
  uint64_t *word = (uint64_t *)DESCRIPTORS_WORD + range;
  file_take_step(word, sizeof *word, true, site);
  (*word)++;
  the_files->is_used = true;
}

long files_take_number(long lowest, site_id site) {
  const uint32_t range = range_of_thread();
  if (range == 0 || lowest < 0) return lowest;
  twins_tell_apart(self(), "they have descriptors of their own");
  const long number = system_call(SYS_fcntl, lowest, F_DUPFD_CLOEXEC, FIRST_OF_THREADS + (range - 1) * RANGE);
  system_call(SYS_close, lowest);
  if (number >= 0 && range_of_number((int)number) != range)
    unfollowed_part("more than 16 descriptors of a thread", site);
  return number;
}

void files_take_descriptors(site_id site) {
  take_range(range_of_thread(), site);
}

void files_note_descriptor(int descriptor) {
  files_note_word(DESCRIPTORS_WORD + range_of_number(descriptor) * sizeof(uint64_t), true);
}

int files_open_number(long lowest, bool closes_on_exec, site_id site) {
  if (lowest < 0) return file_fail(lowest);
  const long number = files_take_number(lowest, site);
  if (number < 0) return file_fail(number);
  if (!closes_on_exec) system_call(SYS_fcntl, number, F_SETFD, 0);
  return (int)number;
}

/* ---- descriptors ---- */

struct file_descriptor *file_descriptor_at(int descriptor) {
  const bool fits = descriptor >= 0 && descriptor < (int)MAX_FILE_DESCRIPTORS;
  struct file_descriptor *entry = fits ? &the_files->descriptors[descriptor] : NULL;
  return entry && entry->file ? entry : NULL;
}

bool files_has(int descriptor) {
  const struct file_descriptor *entry = controlled ? file_descriptor_at(descriptor) : NULL;
  return entry && file_is(entry->file, S_IFREG);
}

bool files_are_the_same(int descriptor, int other) {
  return file_descriptor_at(descriptor)->file == file_descriptor_at(other)->file;
}

bool files_has_directory(int descriptor) {
  const struct file_descriptor *entry = controlled ? file_descriptor_at(descriptor) : NULL;
  return entry && file_is(entry->file, S_IFDIR);
}

static void attach(int descriptor, struct file *file) {
  if (descriptor >= (int)MAX_FILE_DESCRIPTORS) finish_at_limit("a descriptor of a file above 1023");
  the_files->descriptors[descriptor] = (struct file_descriptor){file, (uint32_t)descriptor};
}

void files_adopt(int descriptor) {
  attach(descriptor, file_make((uint64_t)descriptor, S_IFIFO | 0600));
}

void files_duplicate(int from, int to) {
  if (to < 0 || to >= (int)MAX_FILE_DESCRIPTORS || from == to) return;
  const struct file_descriptor *entry = file_descriptor_at(from);
  the_files->descriptors[to] = entry ? *entry : (struct file_descriptor){0};
}

/* The caller closes it next. */
void files_close(int descriptor, site_id site) {
  if (!controlled || !file_descriptor_at(descriptor)) return;
  take_range(range_of_number(descriptor), site);
  if (file_descriptor_at(descriptor)) the_files->descriptors[descriptor] = (struct file_descriptor){0};
}

/* ---- files ---- */

/* The place depends on what file it is, unless two of a run have the same one: then the later is beside it. */
static struct file *place_of(uint64_t identity, const struct stat *status) {
  the_files->is_used = true;
  for (uint32_t i = 0; i < MAX_FILES; i++) {
    struct file *file = &the_files->files[((identity * 0x9e3779b97f4a7c15ull >> 40) + i) % MAX_FILES];
    const bool is_it = status && file->device == status->st_dev && file->inode == status->st_ino;
    if (!file->is_used || is_it) return file;
  }
  finish_at_limit("more than 512 files");
}

struct file *file_of_real(const struct stat *status, const char *path) {
  struct file *file = place_of(status->st_ino ^ status->st_dev << 40, status);
  if (file->is_used) return file;
  *file = (struct file){.device = status->st_dev,
                        .inode = status->st_ino,
                        .first_size = (uint64_t)status->st_size,
                        .path = file_keep_text(path, ""),
                        .copy = -1,
                        .mode = status->st_mode,
                        .links = (uint32_t)status->st_nlink,
                        .is_used = true};
  return file;
}

static int move_high(long descriptor) {
  const long high = system_call(SYS_fcntl, descriptor, F_DUPFD_CLOEXEC, FIRST_COPY);
  system_call(SYS_close, descriptor);
  if (high < 0) finish_at_limit("too many open files");
  return (int)high;
}

static void make_copy(struct file *file) {
  const long copy = system_call(SYS_memfd_create, "heddle-file", MFD_CLOEXEC);
  if (copy < 0) finish_at_limit("a file in memory could not be made");
  file->copy = move_high(copy);
}

struct file *file_make(uint64_t identity, mode_t mode) {
  const uint32_t thread = self()->id % THREADS_THAT_KNOW;
  struct file *file = place_of(identity, NULL);
  const bool is_directory = (mode & S_IFMT) == S_IFDIR;
  *file = (struct file){.inode = (uint64_t)(thread + 1) << 32 | ++the_files->n_made[thread],
                        .copy = -1,
                        .mode = mode,
                        .links = is_directory ? 2 : 1,
                        .is_used = true};
  if (file_is(file, S_IFREG)) make_copy(file);
  return file;
}

static void fill_copy(const struct file *file) {
  if (!budget_allows_file(file->first_size)) finish_at_limit("a file larger than --max-memory");
  if (file->first_size > CONTENT_BYTES) finish_at_limit("a file of more than 1 GB is opened for writing");
  const long real = system_call(SYS_open, file->path, O_RDONLY | O_CLOEXEC);
  long count = real;
  while (count >= 0 && (count = system_call(SYS_sendfile, file->copy, real, 0, 1l << 26)) > 0) continue;
  if (real >= 0) system_call(SYS_close, real);
  if (real < 0 || count < 0) finish_at_limit("a file that cannot be read is opened for writing");
}

static void path_of_descriptor(int descriptor, char *path) {
  static const char start[] = "/proc/self/fd/";
  char digits[12];
  int n = 0;
  memcpy(path, start, sizeof start - 1);
  do digits[n++] = (char)('0' + descriptor % 10);
  while (descriptor /= 10);
  char *at = path + sizeof start - 1;
  while (n > 0) *at++ = digits[--n];
  *at = 0;
}

static long open_copy(const struct file *file, int flags) {
  char path[64];
  path_of_descriptor(file->copy, path);
  return system_call(SYS_open, path, flags & ~(O_CREAT | O_EXCL | O_TRUNC | O_NOFOLLOW), 0);
}

/* Who has the real file open gets the copy. */
static void give_copy(struct file *file) {
  for (uint32_t first = 0; first < MAX_FILE_DESCRIPTORS; first++) {
    if (the_files->descriptors[first].file != file || the_files->descriptors[first].description != first) continue;
    const long flags = system_call(SYS_fcntl, first, F_GETFL), offset = system_call(SYS_lseek, first, 0, SEEK_CUR);
    const long copy = open_copy(file, (int)flags);
    system_call(SYS_lseek, copy, offset, SEEK_SET);
    for (uint32_t i = 0; i < MAX_FILE_DESCRIPTORS; i++)
      if (the_files->descriptors[i].file == file && the_files->descriptors[i].description == first)
        system_call(SYS_dup3, copy, i, system_call(SYS_fcntl, i, F_GETFD) & FD_CLOEXEC ? O_CLOEXEC : 0);
    system_call(SYS_close, copy);
  }
}

void file_ensure_copy(struct file *file) {
  if (file->copy >= 0 || !file_is(file, S_IFREG)) return;
  make_copy(file);
  fill_copy(file);
  give_copy(file);
  file_maps_follow_copy(file);
}

static uint64_t text_bytes(const struct file *file) {
  return file->target ? string_length(file->target) : 4096;
}

long file_status(const struct file *file, struct stat *status) {
  const long result = file->copy >= 0 ? system_call(SYS_fstat, file->copy, status)
                      : file->path    ? system_call(SYS_lstat, file->path, status)
                                      : system_call(SYS_lstat, "/", status);
  if (result < 0) return result;
  status->st_mode = file->mode;
  status->st_nlink = file->links;
  status->st_ino = file->inode;
  if (file->device) status->st_dev = file->device;
  if (!file->path && file->copy < 0) status->st_size = (off_t)text_bytes(file);
  return 0;
}

/* ---- open ---- */

mode_t file_umask(void) {
  const mode_t mask = (mode_t)system_call(SYS_umask, 0);
  system_call(SYS_umask, mask);
  return mask;
}

static bool is_writing(int flags) {
  return (flags & O_ACCMODE) != O_RDONLY || flags & O_TRUNC;
}

/* By the owner's bits: a copy belongs to this process. */
static bool is_permitted(const struct file *file, int flags) {
  const int access = (flags & O_ACCMODE) == O_RDONLY ? 4 : (flags & O_ACCMODE) == O_WRONLY ? 2 : 6;
  if (file->copy < 0) return !is_writing(flags) || system_call(SYS_access, file->path, 2 /* W_OK */) == 0;
  return system_call(SYS_geteuid, 0) == 0 || (file->mode >> 6 & access) == (mode_t)access;
}

/* A descriptor of the file, at any number. */
static long open_regular(struct file *file, int flags, site_id site) {
  if (!is_permitted(file, flags)) return -EACCES;
  if (!is_writing(flags) && file->copy < 0) return system_call(SYS_open, file->path, flags & ~(O_CREAT | O_EXCL), 0);
  file_ensure_copy(file);
  const long at = open_copy(file, flags);
  if (at >= 0 && flags & O_TRUNC) file_resize(file, file->copy, 0, site);
  return at;
}

/* For what was made in this run another directory's descriptor stands. */
static long open_directory(const struct file *file, int flags) {
  if (is_writing(flags) || flags & O_CREAT) return -EISDIR;
  return system_call(SYS_open, file->path ? file->path : "/", flags | O_DIRECTORY, 0);
}

static long open_path_only(const struct file *file, int flags) {
  if (!file->path || file->copy >= 0) finish_at_limit("open with O_PATH of a file that the run has changed");
  return system_call(SYS_open, file->path, flags, 0);
}

static uint64_t identity_in(const struct file_place *place) {
  return file_hash_text(place->name) ^ (place->directory ? file_number(place->directory) * 0x9e3779b9ull : 0);
}

static long open_made(struct file_place *place, int flags, mode_t mode, struct file **opened) {
  *opened = file_make(identity_in(place), S_IFREG | (mode & ~file_umask() & 07777));
  file_set_name(place->directory, place->name, *opened);
  return open_copy(*opened, flags);
}

static long open_unnamed(const struct file_place *place, int flags, mode_t mode, struct file **opened) {
  if (!file_is(place->file, S_IFDIR)) return -ENOTDIR;
  if ((flags & O_ACCMODE) == O_RDONLY) return -EINVAL;
  *opened = file_make(self()->id, S_IFREG | (mode & ~file_umask() & 07777));
  (*opened)->links = 0;
  return open_copy(*opened, flags & ~O_TMPFILE);
}

static long open_place(struct file_place *place, int flags, mode_t mode, site_id site, struct file **opened) {
  if (flags & O_CREAT && place->wants_directory) return -EISDIR;
  if (!place->file) return flags & O_CREAT ? open_made(place, flags, mode, opened) : -ENOENT;
  *opened = place->file;
  if (flags & O_PATH) return open_path_only(place->file, flags);
  if ((flags & O_TMPFILE) == O_TMPFILE) return open_unnamed(place, flags, mode, opened);
  if (flags & O_CREAT && flags & O_EXCL) return -EEXIST;
  if (file_is(place->file, S_IFLNK)) return -ELOOP;
  if (file_is(place->file, S_IFDIR)) return open_directory(place->file, flags);
  if (flags & O_DIRECTORY || place->wants_directory) return -ENOTDIR;
  return open_regular(place->file, flags, site);
}

/* What is neither a regular file nor a directory is the kernel's, with the lowest number in any thread. */
static int open_other(int directory, const char *path, int flags, mode_t mode, site_id site) {
  files_take_descriptors(site);
  const long result = system_call(SYS_openat, directory, path, flags, mode);
  return result < 0 ? file_fail(result) : (int)result;
}

/* /dev/random and /dev/urandom */
static bool is_random_device(const struct file *file) {
  struct stat status;
  return file && file_is(file, S_IFCHR) && file->path && system_call(SYS_stat, file->path, &status) == 0 &&
         (status.st_rdev == makedev(1, 8) || status.st_rdev == makedev(1, 9));
}

/* The same bytes in every run, others for each thread and each time. */
static long open_random_bytes(int flags) {
  uint64_t bytes[512], state = (uint64_t)self()->id << 32 | ++the_files->n_made[self()->id % THREADS_THAT_KNOW];
  const long file = system_call(SYS_memfd_create, "heddle-random", flags & O_CLOEXEC ? MFD_CLOEXEC : 0);
  for (uint32_t i = 0; i < RANDOM_BYTES / sizeof bytes && file >= 0; i++) {
    for (uint32_t word = 0; word < 512; word++) bytes[word] = next_random(&state);
    system_call(SYS_write, file, bytes, sizeof bytes);
  }
  if (file >= 0) system_call(SYS_lseek, file, 0, SEEK_SET);
  return file;
}

static bool is_other_kind(const struct file *file) {
  return file && !file_is(file, S_IFREG) && !file_is(file, S_IFDIR) && !file_is(file, S_IFLNK);
}

/* The number is taken in one step, what is opened is decided in another. */
static int open_at_number(int directory, const char *path, int flags, mode_t mode, long number, site_id site) {
  const bool follows = !(flags & O_NOFOLLOW) && !(flags & O_CREAT && flags & O_EXCL);
  struct file_place place;
  struct file *file = NULL;
  file_find(directory, path, follows, flags & O_CREAT ? PATH_UPDATES : PATH_READS, &place, site);
  if (!place.error && is_random_device(place.file)) {
    system_call(SYS_close, number);
    return (int)open_random_bytes(flags);
  }
  if (place.is_kernels || (!place.error && is_other_kind(place.file))) {
    system_call(SYS_close, number);
    return place.is_kernels ? open_other(directory, path, flags, mode, site)
                            : open_other(AT_FDCWD, place.file->path, flags, mode, site);
  }
  const long at = place.error ? place.error : open_place(&place, flags, mode, site, &file);
  if (at < 0) {
    system_call(SYS_close, number);
    return file_fail(at);
  }
  system_call(SYS_dup3, at, number, flags & O_CLOEXEC);
  system_call(SYS_close, at);
  attach((int)number, file);
  return (int)number;
}

int files_open(int directory, const char *path, int flags, mode_t mode, site_id site) {
  if (!files_are_private()) return open_other(directory, path, flags, mode, site);
  files_take_descriptors(site);
  const long number = files_take_number(system_call(SYS_open, "/dev/null", O_RDONLY | O_CLOEXEC), site);
  return number < 0 ? file_fail(number) : open_at_number(directory, path, flags, mode, number, site);
}

static void write_number(char *digits, uint32_t number) {
  static const char letters[] = "0123456789abcdefghijklmnopqrstuvwxyz";
  for (int i = 5; i >= 0; i--, number /= 36) digits[i] = letters[number % 36];
}

static char *digits_of(char *template, size_t suffix_bytes) {
  const size_t length = string_length(template);
  char *digits = template + length - suffix_bytes - 6;
  return length < 6 + suffix_bytes || memcmp(digits, "XXXXXX", 6) != 0 ? NULL : digits;
}

static int make_unique(char *template, size_t suffix_bytes, int flags, bool is_directory, site_id site) {
  char *digits = digits_of(template, suffix_bytes);
  if (!digits) return file_fail(-EINVAL);
  twins_tell_apart(self(), "mkstemp makes names by the thread's number");
  for (uint32_t i = 0; i < 1000; i++) {
    int result = -1;
    write_number(digits, self()->id * 1000u + i);
    if (!is_directory)
      result = files_open(AT_FDCWD, template, flags | O_RDWR | O_CREAT | O_EXCL, 0600, site);
    else if (!files_make_directory(AT_FDCWD, template, 0700, &result, site))
      return file_fail(-EACCES);
    if (result >= 0 || errno != EEXIST) return result;
  }
  return file_fail(-EEXIST);
}

int files_make_unique(char *template, size_t suffix_bytes, int flags, site_id site) {
  return make_unique(template, suffix_bytes, flags, false, site);
}

int files_make_unique_directory(char *template, site_id site) {
  return make_unique(template, 0, 0, true, site);
}
