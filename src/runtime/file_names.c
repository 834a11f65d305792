/* SPDX-License-Identifier: MIT
 *
 * Directories and names of files.h. A path is followed name by name, each in a step of its own: what was made, removed
 * or renamed in this run is in the table, all else is in the real directory. A name's word is one of its directory's,
 * so that to list a directory is to read all of them.
 *
 * What is below /proc and /sys is left to the kernel.
 */
#include "ends.h"
#include "file_table.h"
#include "models.h"
#include "sharing.h"

#define MOST_LINKS 40

/* ---- texts ---- */

const char *file_keep_text(const char *text, const char *more) {
  const size_t first = string_length(text), second = string_length(more);
  if (the_files->text_used + first + second + 1 > TEXT_BYTES) finish_at_limit("too many names of files");
  char *kept = the_files->text + the_files->text_used;
  memcpy(kept, text, first);
  memcpy(kept + first, more, second + 1);
  the_files->text_used += (uint32_t)(first + second + 1);
  return kept;
}

uint64_t file_hash_text(const char *text) {
  uint64_t hash = 0xcbf29ce484222325ull;
  for (; *text; text++) hash = (hash ^ (unsigned char)*text) * 0x100000001b3ull;
  return hash ^ hash >> 29;
}

static bool starts_with(const char *text, const char *start) {
  while (*start && *text == *start) text++, start++;
  return !*start;
}

/* directory/name; false: it is too long. */
static bool join(const char *directory, const char *name, char path[PATH_BYTES]) {
  const size_t length = string_length(directory), rest = string_length(name);
  const bool has_slash = length && directory[length - 1] == '/';
  if (length + rest + 2 > PATH_BYTES) return false;
  memcpy(path, directory, length);
  if (!has_slash) path[length] = '/';
  memcpy(path + length + !has_slash, name, rest + 1);
  return true;
}

/* ---- the table ---- */

uint64_t *file_name_word(const struct file *directory, const char *name) {
  const uint64_t words = NAME_WORDS + file_number(directory) * DIRECTORY_BYTES;
  return (uint64_t *)words + file_hash_text(name) % (DIRECTORY_BYTES / sizeof(uint64_t));
}

static struct file_name *find_name(const struct file *directory, const char *name) {
  for (uint32_t i = 0; i < the_files->n_names; i++) {
    struct file_name *entry = &the_files->names[i];
    if (entry->directory == directory && strings_equal(entry->name, name)) return entry;
  }
  return NULL;
}

void file_set_name(struct file *directory, const char *name, struct file *file) {
  struct file_name *entry = find_name(directory, name);
  if (!entry && the_files->n_names == MAX_NAMES) finish_at_limit("more than 2048 names of files");
  if (!entry) {
    entry = &the_files->names[the_files->n_names++];
    *entry = (struct file_name){directory, file_keep_text(name, ""), NULL};
  }
  entry->file = file;
  if (file && file_is(file, S_IFDIR)) file->parent = directory;
  *file_name_word(directory, name) = file ? file_number(file) + 1 : UINT64_MAX;
  the_files->is_used = true;
}

static struct file *lookup_real(struct file *directory, const char *name, long *error) {
  char path[PATH_BYTES];
  struct stat status;
  *error = join(directory->path, name, path) ? system_call(SYS_lstat, path, &status) : -ENAMETOOLONG;
  if (*error == -ENOENT) *error = 0, path[0] = 0;
  if (*error || !path[0]) return NULL;
  struct file *file = file_of_real(&status, path);
  if (file_is(file, S_IFDIR) && !file->parent) file->parent = directory;
  return file;
}

struct file *file_lookup(struct file *directory, const char *name, long *error) {
  const struct file_name *entry = find_name(directory, name);
  *error = 0;
  if (entry) return entry->file;
  return directory->path ? lookup_real(directory, name, error) : NULL;
}

/* ---- where paths begin ---- */

static struct file *root(void) {
  struct stat status;
  if (system_call(SYS_lstat, "/", &status) < 0) return NULL;
  struct file *file = file_of_real(&status, "/");
  file->parent = file;
  return file;
}

/* An absolute path of a real directory, as the kernel says it. */
static struct file *real_directory(const char *path) {
  struct file *at = root();
  long error;
  while (at && *path) {
    char name[NAME_BYTES];
    size_t length = 0;
    while (*path == '/') path++;
    while (*path && *path != '/' && length < NAME_BYTES - 1) name[length++] = *path++;
    name[length] = 0;
    if (length) at = lookup_real(at, name, &error);
  }
  return at && file_is(at, S_IFDIR) ? at : NULL;
}

static struct file *working_directory(void) {
  char path[PATH_BYTES];
  if (the_files->working_directory) return the_files->working_directory;
  if (system_call(SYS_getcwd, path, PATH_BYTES) < 0 || path[0] != '/') return NULL;
  return the_files->working_directory = real_directory(path);
}

void files_change_directory(void) {
  the_files->working_directory = NULL;
}

/* Of a descriptor that was open before main. */
static struct file *inherited_directory(int descriptor) {
  char link[32] = "/proc/self/fd/", path[PATH_BYTES];
  size_t at = 14, digits = 1;
  for (int rest = descriptor; rest >= 10; rest /= 10) digits++;
  for (size_t i = digits; i-- > 0; descriptor /= 10) link[at + i] = (char)('0' + descriptor % 10);
  link[at + digits] = 0;
  const long length = descriptor < 0 ? -1 : system_call(SYS_readlink, link, path, PATH_BYTES - 1);
  path[length > 0 ? length : 0] = 0;
  return path[0] == '/' ? real_directory(path) : NULL;
}

static struct file *start_of(int directory, const char *path) {
  const struct file_descriptor *entry = file_descriptor_at(directory);
  if (path[0] == '/') return root();
  if (directory == AT_FDCWD) return working_directory();
  return entry ? entry->file : inherited_directory(directory);
}

static bool is_kernels(const struct file *directory) {
  const char *path = directory->path;
  return path && (strings_equal(path, "/proc") || starts_with(path, "/proc/") || strings_equal(path, "/sys") ||
                  starts_with(path, "/sys/"));
}

/* ---- following a path ---- */

struct way {
  char rest[PATH_BYTES]; /* what is left of the path */
  const char *next;
  uint32_t n_links;
};

static long read_target(const struct file *link, char target[PATH_BYTES]) {
  if (!link->target) return system_call(SYS_readlink, link->path, target, PATH_BYTES - 1);
  const size_t length = string_length(link->target);
  memcpy(target, link->target, length + 1);
  return (long)length;
}

/* The path goes on where the link leads; the directory from there, or an error. */
static struct file *follow_link(struct way *way, struct file *directory, const struct file *link, bool ends_with_slash,
                                long *error) {
  char target[PATH_BYTES];
  const long length = read_target(link, target);
  const size_t rest = string_length(way->next);
  *error = length < 0 ? length : ++way->n_links > MOST_LINKS ? -ELOOP : 0;
  if (*error == 0 && (uint64_t)length + rest + 2 > PATH_BYTES) *error = -ENAMETOOLONG;
  if (*error) return NULL;
  target[length] = '/';
  memcpy(target + length + 1, way->next, rest + 1);
  if (!rest && !ends_with_slash) target[length] = 0;
  memcpy(way->rest, target, string_length(target) + 1);
  way->next = way->rest;
  return target[0] == '/' ? root() : directory;
}

/* The next name of the path; "": there is none. */
static void take_name(struct way *way, struct file_place *place) {
  size_t length = 0;
  while (*way->next == '/') way->next++;
  while (*way->next && *way->next != '/' && length < NAME_BYTES - 1) place->name[length++] = *way->next++;
  place->name[length] = 0;
  if (*way->next && *way->next != '/') place->error = -ENAMETOOLONG;
  const char *after = way->next;
  while (*after == '/') after++;
  place->wants_directory = length && *way->next && !*after;
  if (!*after) way->next = after;
}

static bool is_dots(const char *name) {
  return name[0] == '.' && (!name[1] || (name[1] == '.' && !name[2]));
}

/* One name further. False: the place is reached, or nothing is there. */
static bool take_one(struct way *way, struct file_place *place, bool follows, enum path_use use, site_id site) {
  struct file *directory = place->directory;
  take_name(way, place);
  const bool is_last = !*way->next, must_lead_on = place->wants_directory && use == PATH_READS;
  const bool follows_here = follows && !(place->wants_directory && use == PATH_UPDATES);
  if (place->error) return false;
  if (is_dots(place->name)) {
    if (place->name[1] && directory->parent) place->directory = directory->parent;
    place->name[0] = 0;
  }
  if (!place->name[0] && is_last) place->file = place->directory;
  if (!place->name[0]) return !is_last;
  place->is_kernels = is_kernels(directory);
  if (place->is_kernels) return false;
  uint64_t *word = file_name_word(directory, place->name);
  file_take_step(word, sizeof *word, is_last && use == PATH_UPDATES, site);
  struct file *file = directory->is_gone ? NULL : file_lookup(directory, place->name, &place->error);
  if (directory->is_gone) place->error = -ENOENT;
  if (place->error) return false;
  if (file && file_is(file, S_IFLNK) && (!is_last || follows_here || must_lead_on)) {
    place->directory = follow_link(way, directory, file, place->wants_directory, &place->error);
    return !place->error;
  }
  place->file = file;
  if (must_lead_on && file && !file_is(file, S_IFDIR)) place->error = -ENOTDIR;
  if (is_last) return false;
  place->error = !file ? -ENOENT : !file_is(file, S_IFDIR) ? -ENOTDIR : 0;
  place->directory = file;
  return !place->error;
}

void file_find(int directory, const char *path, bool follows, enum path_use use, struct file_place *place,
               site_id site) {
  struct way way = {.next = path};
  *place = (struct file_place){.error = !path ? -EFAULT : !*path ? -ENOENT : 0};
  if (place->error) return;
  place->directory = start_of(directory, path);
  the_files->is_used = true;
  place->is_kernels = !place->directory;
  if (place->directory && !file_is(place->directory, S_IFDIR)) place->error = -ENOTDIR;
  while (!place->error && !place->is_kernels && take_one(&way, place, follows, use, site)) place->file = NULL;
}

bool file_name_is_shared(int directory, const char *path) {
  struct file_place place;
  file_find(directory, path, false, PATH_READS, &place, 0);
  return place.directory && place.name[0] && file_is_shared(file_name_word(place.directory, place.name));
}
