/* SPDX-License-Identifier: MIT
 *
 * The tables of files.h. A file is known by device and inode, or was made in this run. Its copy is a file in memory
 * (memfd), of which every open makes another description by /proc/self/fd, so that offsets, modes and O_APPEND are the
 * kernel's. A file that is only read stays the real one until somebody opens it for writing: then those that have it
 * open get the copy, at their offsets.
 *
 * Descriptors of the copies have high numbers, so that the program's are those it would have; all are closed after the
 * run.
 */
#include "files.h"
#include "ends.h"
#include "executor.h"
#include "models.h"
#include "sharing.h"
#include "twins.h"
#include "unfollowed.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>

#define MAX_FILES 256u
#define MAX_NAMES 512u
#define FIRST_COPY 512 /* the least number of a descriptor of a copy */
#define MOST_COPIED (1ull << 30)

struct file {
  uint64_t device, inode; /* of the real one; 0: it was made in this run, and the inode counts those */
  int copy;               /* -1: there is none, the real one is read */
  mode_t mode;
  uint32_t links;
  bool is_used, is_mapped;
};

struct file_name {
  char path[NAME_BYTES];
  struct file *file; /* NULL: removed */
};

struct file_descriptor {
  struct file *file; /* NULL: none */
  uint32_t description;
};

struct files {
  bool is_used;
  uint32_t n_names, n_made;
  struct file files[MAX_FILES];
  struct file_name names[MAX_NAMES];
  struct file_descriptor descriptors[MAX_FILE_DESCRIPTORS];
};

/* Half a gigabyte after the stack of the signal handler (signals.c). */
#define the_files ((struct files *)(RUNTIME_ADDRESS + (60ull << 30) + (1ull << 29)))

/* Main gets the lowest number that is free, as POSIX says. Other threads have numbers of their own, so that what a
 * thread opens does not depend on what others do at the same time; who closes another's descriptor does. */
#define DESCRIPTORS_WORD FILES_ADDRESS
#define FIRST_OF_THREADS 64
#define RANGE 16
#define N_RANGES (1u + (FIRST_COPY - FIRST_OF_THREADS) / RANGE)
#define N_NAME_WORDS 65536u

uint32_t __heddle_slow_atomic_read(const void *address, uint64_t size, const struct site *site);
uint32_t __heddle_slow_atomic_update(void *address, uint64_t size, const struct site *site);
void __heddle_slow_section_enter(const struct site *site);
void __heddle_slow_section_leave(const struct site *site);

static void map_at(uint64_t address, uint64_t size_bytes) {
  const long at = system_call(SYS_mmap, address, size_bytes, PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_NORESERVE, -1, 0);
  if (at < 0) executor_die("cannot map the runtime's memory");
}

void files_initialise(void) {
  map_at((uint64_t)the_files, (sizeof(struct files) + 4095) & ~4095ull);
  map_at(FILES_ADDRESS, FILES_BYTES);
}

void files_begin_run(void) {
  if (!the_files->is_used) return;
  system_call(SYS_madvise, the_files, (sizeof(struct files) + 4095) & ~4095ull, MADV_DONTNEED);
  system_call(SYS_madvise, FILES_ADDRESS, FILES_BYTES, MADV_DONTNEED);
}

bool files_are_private(void) {
  return controlled && !(rt->channel->options & RUN_REAL_FILES);
}

/* ---- steps ---- */

static int fail_with(long error) {
  errno = (int)-error;
  return -1;
}

static uint64_t *word_of_file(const struct file *file) {
  return (uint64_t *)FILE_WORDS + (file - the_files->files);
}

static void take_step(uint64_t *word, bool writes, site_id site) {
  const struct site *before = __heddle_site, *place = (const struct site *)(uint64_t)site;
  if (!site || !__heddle_in_run) return;
  if (writes)
    __heddle_slow_atomic_update(word, sizeof *word, place);
  else
    __heddle_slow_atomic_read(word, sizeof *word, place);
  __heddle_site = before;
}

void files_use_word(uint64_t word, bool writes, site_id site) {
  take_step((uint64_t *)word, writes, site);
  if (!writes) return;
  (*(uint64_t *)word)++;
  the_files->is_used = true;
}

void files_note_word(uint64_t word, bool writes) {
  sharing_touch(word, sizeof(uint64_t), writes);
  if (rt->shared_grew) rt->has_marked = true; /* if this is new, operations are others than in earlier runs */
}

static uint64_t hash_text(const char *text) {
  uint64_t hash = 0xcbf29ce484222325ull;
  for (; *text; text++) hash = (hash ^ (unsigned char)*text) * 0x100000001b3ull;
  return hash ^ hash >> 29;
}

static uint64_t *word_of_name(const char *path) {
  return (uint64_t *)NAME_WORDS + hash_text(path) % N_NAME_WORDS;
}

static uint32_t range_of_thread(void) {
  return self()->id ? 1 + (self()->id - 1u) % (N_RANGES - 1) : 0;
}

static uint32_t range_of_number(int descriptor) {
  return descriptor < FIRST_OF_THREADS ? 0 : 1 + (uint32_t)(descriptor - FIRST_OF_THREADS) / RANGE;
}

static void take_range(uint32_t range, site_id site) {
  uint64_t *word = (uint64_t *)DESCRIPTORS_WORD + range;
  take_step(word, true, site);
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
  if (lowest < 0) return fail_with(lowest);
  const long number = files_take_number(lowest, site);
  if (number < 0) return fail_with(number);
  if (!closes_on_exec) system_call(SYS_fcntl, number, F_SETFD, 0);
  return (int)number;
}

/* ---- descriptors ---- */

static struct file_descriptor *descriptor_at(int descriptor) {
  const bool fits = descriptor >= 0 && descriptor < (int)MAX_FILE_DESCRIPTORS;
  struct file_descriptor *entry = fits ? &the_files->descriptors[descriptor] : NULL;
  return entry && entry->file ? entry : NULL;
}

bool files_has(int descriptor) {
  return controlled && descriptor_at(descriptor);
}

static void attach(int descriptor, struct file *file) {
  if (descriptor >= (int)MAX_FILE_DESCRIPTORS) finish_at_limit("a descriptor of a file above 1023");
  the_files->descriptors[descriptor] = (struct file_descriptor){file, (uint32_t)descriptor};
}

void files_duplicate(int from, int to) {
  if (to < 0 || to >= (int)MAX_FILE_DESCRIPTORS || from == to) return;
  const struct file_descriptor *entry = descriptor_at(from);
  the_files->descriptors[to] = entry ? *entry : (struct file_descriptor){0};
}

/* The caller closes it next. */
void files_close(int descriptor, site_id site) {
  if (!files_has(descriptor)) return;
  take_range(range_of_number(descriptor), site);
  if (descriptor_at(descriptor)) the_files->descriptors[descriptor] = (struct file_descriptor){0};
}

static bool offset_is_shared(uint32_t description) {
  const uint64_t word = OFFSET_WORDS + description * sizeof(uint64_t);
  const bool is_shared = sharing_touch(word, sizeof(uint64_t), true);
  if (rt->shared_grew) rt->has_marked = true; /* if this is new, operations are others than in earlier runs */
  return is_shared;
}

/* What is done to a mapping is not seen as done to the file. */
static void look_for_mapping(const struct file *file, site_id site) {
  if (file->is_mapped && sharing_is_possible()) unfollowed_part("a file that is mapped and used otherwise", site);
}

bool files_take_turn(int descriptor, enum file_use use, site_id site) {
  const struct file_descriptor *entry = descriptor_at(descriptor);
  if (!entry) return false;
  const bool writes = use == FILE_WRITES || (use == FILE_MOVES && offset_is_shared(entry->description));
  look_for_mapping(entry->file, site);
  take_step(word_of_file(entry->file), writes, site);
  return writes;
}

void files_changed(int descriptor) {
  const struct file_descriptor *entry = descriptor_at(descriptor);
  if (entry) (*word_of_file(entry->file))++;
}

void files_take_stream(FILE *stream, site_id site) {
  const int descriptor = controlled && stream ? fileno_unlocked(stream) : -1;
  if (!files_has(descriptor)) return;
  files_take_turn(descriptor, FILE_WRITES, site);
  files_changed(descriptor);
}

void files_correct(int descriptor, struct stat *status) {
  const struct file_descriptor *entry = descriptor_at(descriptor);
  if (!entry || entry->file->copy < 0) return;
  const struct file *file = entry->file;
  status->st_mode = S_IFREG | file->mode;
  status->st_nlink = file->links;
  if (file->device) status->st_dev = file->device, status->st_ino = file->inode;
}

void files_map(int descriptor, bool is_shared, site_id site) {
  const struct file_descriptor *entry = descriptor_at(descriptor);
  if (!entry) return;
  files_take_turn(descriptor, FILE_READS, site);
  if (entry->file->is_mapped && is_shared) unfollowed_part("a file that is mapped twice", site);
  entry->file->is_mapped |= is_shared;
}

/* ---- files ---- */

/* The place depends on what file it is, unless two of a run have the same one: then the later is beside it. */
static struct file *new_file(uint64_t identity) {
  the_files->is_used = true;
  for (uint32_t i = 0; i < MAX_FILES; i++) {
    struct file *file = &the_files->files[((identity * 0x9e3779b97f4a7c15ull >> 40) + i) % MAX_FILES];
    if (file->is_used) continue;
    *file = (struct file){.copy = -1, .is_used = true};
    return file;
  }
  finish_at_limit("more than 256 files");
}

void files_adopt(int descriptor) {
  attach(descriptor, new_file((uint64_t)descriptor));
}

static struct file *file_of_real(const struct stat *status) {
  for (uint32_t i = 0; i < MAX_FILES; i++) {
    struct file *file = &the_files->files[i];
    if (file->is_used && file->device == status->st_dev && file->inode == status->st_ino) return file;
  }
  struct file *file = new_file(status->st_ino);
  file->device = status->st_dev;
  file->inode = status->st_ino;
  file->mode = status->st_mode & 07777;
  file->links = (uint32_t)status->st_nlink;
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

static void fill_copy(const struct file *file, const char *path) {
  const long real = system_call(SYS_open, path, O_RDONLY | O_CLOEXEC);
  uint64_t bytes = 0;
  long count = real;
  while (count >= 0 && bytes <= MOST_COPIED) {
    count = system_call(SYS_sendfile, file->copy, real, 0, 1l << 26);
    if (count <= 0) break;
    bytes += (uint64_t)count;
  }
  if (real >= 0) system_call(SYS_close, real);
  if (real < 0 || count < 0) finish_at_limit("a file that cannot be read is opened for writing");
  if (bytes > MOST_COPIED) finish_at_limit("a file of more than 1 GB is opened for writing");
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

static void ensure_copy(struct file *file, const char *path) {
  if (file->copy >= 0) return;
  make_copy(file);
  fill_copy(file, path);
  give_copy(file);
}

/* ---- names ---- */

struct found {
  char path[NAME_BYTES];
  struct stat status;     /* of the real one */
  bool exists;            /* in the kernel's eyes */
  struct file_name *name; /* NULL: the table does not know it */
  long error;             /* it cannot be such a path */
};

static long read_path(long descriptor, char *path) {
  char link[64];
  path_of_descriptor((int)descriptor, link);
  const long length = system_call(SYS_readlink, link, path, NAME_BYTES - 1);
  if (length >= 0) path[length] = 0;
  return length >= (long)NAME_BYTES - 1 ? -ENAMETOOLONG : length;
}

/* The path of a name in a directory that exists. */
static long read_path_in_directory(int directory, const char *path, char *to) {
  size_t split = string_length(path);
  while (split > 0 && path[split - 1] != '/') split--;
  const char *base = path + split;
  char parent[NAME_BYTES];
  if (split >= NAME_BYTES || !*base) return -ENOENT;
  memcpy(parent, path, split);
  parent[split] = 0;
  const long at = system_call(SYS_openat, directory, split ? parent : ".", O_PATH | O_DIRECTORY | O_CLOEXEC);
  if (at < 0) return at;
  const long length = read_path(at, to);
  system_call(SYS_close, at);
  if (length < 0) return length;
  if ((uint64_t)length + string_length(base) + 2 > NAME_BYTES) return -ENAMETOOLONG;
  to[length] = '/';
  memcpy(to + length + 1, base, string_length(base) + 1);
  return 0;
}

static struct file_name *find_name(const char *path) {
  for (uint32_t i = 0; i < the_files->n_names; i++)
    if (strings_equal(the_files->names[i].path, path)) return &the_files->names[i];
  return NULL;
}

/* Where the path leads as far as the kernel knows; the table is asked in a step (look_up). */
static void resolve(int directory, const char *path, bool follows, struct found *found) {
  *found = (struct found){0};
  const long at = system_call(SYS_openat, directory, path, O_PATH | O_CLOEXEC | (follows ? 0 : O_NOFOLLOW));
  if (at >= 0) {
    found->exists = true;
    const long length = read_path(at, found->path);
    found->error = length < 0 ? length : system_call(SYS_fstat, at, &found->status);
    system_call(SYS_close, at);
  } else {
    found->error = at == -ENOENT ? read_path_in_directory(directory, path, found->path) : at;
  }
}

static void look_up(struct found *found, bool writes, site_id site) {
  take_step(word_of_name(found->path), writes, site);
  found->name = find_name(found->path);
}

static struct file_name *set_name(struct found *found, struct file *file) {
  if (!found->name && the_files->n_names == MAX_NAMES) finish_at_limit("more than 512 names of files");
  if (!found->name) {
    found->name = &the_files->names[the_files->n_names++];
    memcpy(found->name->path, found->path, NAME_BYTES);
  }
  found->name->file = file;
  (*word_of_name(found->path))++;
  the_files->is_used = true;
  return found->name;
}

/* The file of that name now; NULL: there is none. */
static struct file *named_file(const struct found *found) {
  if (found->name) return found->name->file;
  return found->exists ? file_of_real(&found->status) : NULL;
}

static bool is_other_kind(const struct found *found) {
  return found->exists && !S_ISREG(found->status.st_mode) && !find_name(found->path);
}

/* An absolute path for one that may not exist. */
long files_read_path(const char *path, char *to) {
  struct found found;
  resolve(AT_FDCWD, path, true, &found);
  memcpy(to, found.path, NAME_BYTES);
  return found.error;
}

/* ---- open ---- */

static mode_t current_umask(void) {
  const mode_t mask = (mode_t)system_call(SYS_umask, 0);
  system_call(SYS_umask, mask);
  return mask;
}

static struct file *make_file(struct found *found, mode_t mode) {
  struct file *file = new_file(hash_text(found->path));
  file->inode = ++the_files->n_made;
  file->mode = mode & ~current_umask() & 07777;
  file->links = 1;
  make_copy(file);
  set_name(found, file);
  return file;
}

static bool is_writing(int flags) {
  return (flags & O_ACCMODE) != O_RDONLY || flags & O_TRUNC;
}

/* A descriptor of the file, at any number. */
static long open_file(struct found *found, struct file *file, int flags, site_id site) {
  if (!is_writing(flags) && file->copy < 0) return system_call(SYS_open, found->path, flags & ~O_CREAT, 0);
  if (file->copy < 0 && system_call(SYS_access, found->path, 2 /* W_OK */) < 0) return -EACCES;
  if (flags & O_TRUNC) take_step(word_of_file(file), true, site);
  ensure_copy(file, found->path);
  if (flags & O_TRUNC) {
    system_call(SYS_ftruncate, file->copy, 0);
    (*word_of_file(file))++;
  }
  return open_copy(file, flags);
}

static long open_found(struct found *found, int flags, mode_t mode, site_id site, struct file **opened) {
  look_up(found, flags & O_CREAT, site);
  struct file *file = named_file(found);
  if (file && flags & O_CREAT && flags & O_EXCL) return -EEXIST;
  if (!file && !(flags & O_CREAT)) return -ENOENT;
  if (!file) file = make_file(found, mode);
  *opened = file;
  return open_file(found, file, flags, site);
}

/* What is no regular file is the kernel's. */
static int open_other(int directory, const char *path, int flags, mode_t mode, site_id site) {
  files_take_descriptors(site);
  const long result = system_call(SYS_openat, directory, path, flags, mode);
  return result < 0 ? fail_with(result)
                    : (int)result; /* devices and directories have the lowest numbers in any thread */
}

/* The number is taken in one step, what is opened is decided in another. */
int files_open(int directory, const char *path, int flags, mode_t mode, site_id site) {
  struct found found;
  resolve(directory, path, !(flags & O_NOFOLLOW), &found);
  if (!files_are_private() || flags & (O_PATH | O_DIRECTORY) || found.error || is_other_kind(&found))
    return open_other(directory, path, flags, mode, site);
  files_take_descriptors(site);
  const long number = files_take_number(system_call(SYS_open, "/dev/null", O_RDONLY | O_CLOEXEC), site);
  if (number < 0) return fail_with(number);
  struct file *file = NULL;
  const long at = open_found(&found, flags, mode, site, &file);
  if (at < 0) {
    system_call(SYS_close, number);
    return fail_with(at);
  }
  system_call(SYS_dup3, at, number, flags & O_CLOEXEC);
  system_call(SYS_close, at);
  attach((int)number, file);
  return (int)number;
}

static void write_number(char *digits, uint32_t number) {
  static const char letters[] = "0123456789abcdefghijklmnopqrstuvwxyz";
  for (int i = 5; i >= 0; i--, number /= 36) digits[i] = letters[number % 36];
}

int files_make_unique(char *template, size_t suffix_bytes, int flags, site_id site) {
  const size_t length = string_length(template);
  char *digits = template + length - suffix_bytes - 6;
  if (length < 6 + suffix_bytes || memcmp(digits, "XXXXXX", 6) != 0) return fail_with(-EINVAL);
  twins_tell_apart(self(), "mkstemp makes names by the thread's number");
  for (uint32_t i = 0; i < 1000; i++) {
    write_number(digits, self()->id * 1000u + i);
    const int result = files_open(AT_FDCWD, template, flags | O_RDWR | O_CREAT | O_EXCL, 0600, site);
    if (result >= 0 || errno != EEXIST) return result;
  }
  return fail_with(-EEXIST);
}

/* ---- names in other calls ---- */

bool files_stat(int directory, const char *path, bool follows, struct stat *status, int *result, site_id site) {
  struct found found;
  if (!files_are_private()) return false;
  resolve(directory, path, follows, &found);
  if (found.error || is_other_kind(&found)) return false;
  look_up(&found, false, site);
  if (!found.name && (!found.exists || file_of_real(&found.status)->copy < 0)) return false;
  const struct file *file = named_file(&found);
  *result = file ? 0 : fail_with(-ENOENT);
  if (!file) return true;
  take_step(word_of_file(file), false, site);
  struct stat told = found.status;
  if (file->copy >= 0) system_call(SYS_fstat, file->copy, &told);
  told.st_mode = S_IFREG | file->mode;
  told.st_nlink = file->links;
  if (file->device) told.st_dev = file->device, told.st_ino = file->inode;
  *status = told;
  return true;
}

int files_unlink(int directory, const char *path, site_id site) {
  struct found found;
  resolve(directory, path, false, &found);
  if (found.error) return fail_with(found.error);
  look_up(&found, true, site);
  if (found.exists && S_ISDIR(found.status.st_mode) && !found.name) return fail_with(-EISDIR);
  struct file *file = named_file(&found);
  if (!file) return fail_with(-ENOENT);
  if (file->links) file->links--;
  set_name(&found, NULL);
  return 0;
}

/* In one section: nobody sees the file with two names, or with none. */
static int rename_found(struct found *source, struct found *target, site_id site) {
  look_up(source, true, site);
  look_up(target, true, site);
  struct file *file = named_file(source), *replaced = named_file(target);
  if (!file) return fail_with(-ENOENT);
  if (replaced == file) return 0;
  ensure_copy(file, source->path);
  if (replaced && replaced->links) replaced->links--;
  set_name(source, NULL);
  target->name = find_name(target->path);
  set_name(target, file);
  return 0;
}

int files_rename(int from_directory, const char *from, int to_directory, const char *to, site_id site) {
  const struct site *place = (const struct site *)(uint64_t)site;
  struct found source, target;
  resolve(from_directory, from, false, &source);
  resolve(to_directory, to, false, &target);
  if (source.error || target.error) return fail_with(source.error ? source.error : target.error);
  if (is_other_kind(&source) || is_other_kind(&target)) {
    const long result = system_call(SYS_renameat, from_directory, from, to_directory, to);
    return result < 0 ? fail_with(result) : 0;
  }
  if (place && __heddle_in_run) __heddle_slow_section_enter(place);
  const int result = rename_found(&source, &target, site);
  const int error = errno;
  if (place && __heddle_in_run) __heddle_slow_section_leave(place);
  errno = error;
  return result;
}

/* ---- other processes ---- */

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

bool files_allow(int directory, const char *path, enum files_use use) {
  struct found found;
  resolve(directory, path, true, &found);
  if (found.error) return true; /* the kernel says so too */
  if (find_name(found.path) || (found.exists && has_copy(&found.status))) return false;
  if (use == FILES_LOOK) return true;
  if (!found.exists) return use == FILES_CHANGE;
  const mode_t type = found.status.st_mode & S_IFMT;
  return type != S_IFREG && type != S_IFDIR;
}
