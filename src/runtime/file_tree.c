/* SPDX-License-Identifier: MIT
 *
 * What changes names and directories: making, linking, renaming and removing, and listing a directory. What concerns
 * two names, or a name and all that is in a directory, is done in a section.
 */
#include "ends.h"
#include "file_table.h"
#include "models.h"
#include "sharing.h"
#include "unfollowed.h"

#include <dirent.h>
#include <stdio.h>

#define LISTING_BYTES 32768

struct kernel_entry { /* struct linux_dirent64 */
  uint64_t inode;
  int64_t offset;
  uint16_t record_bytes;
  uint8_t type;
  char name[];
};

static void take_listing(const struct file *directory, bool writes, site_id site) {
  file_take_step((uint64_t *)(NAME_WORDS + file_number(directory) * DIRECTORY_BYTES), DIRECTORY_BYTES, writes, site);
}

/* ---- what is in a directory ---- */

static bool is_dots(const char *name) {
  return name[0] == '.' && (!name[1] || (name[1] == '.' && !name[2]));
}

static bool is_in_table(const struct file *directory, const char *name) {
  for (uint32_t i = 0; i < the_files->n_names; i++)
    if (the_files->names[i].directory == directory && strings_equal(the_files->names[i].name, name)) return true;
  return false;
}

typedef void entry_visitor(void *context, const char *name, uint64_t inode, uint8_t type);

static void visit_real(const struct file *directory, entry_visitor *visit, void *context) {
  char room[LISTING_BYTES];
  const long at = system_call(SYS_open, directory->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  long bytes;
  while (at >= 0 && (bytes = system_call(SYS_getdents64, at, room, sizeof room)) > 0)
    for (long place = 0; place < bytes;) {
      const struct kernel_entry *entry = (const struct kernel_entry *)(room + place);
      if (!is_dots(entry->name) && !is_in_table(directory, entry->name))
        visit(context, entry->name, entry->inode, entry->type);
      place += entry->record_bytes;
    }
  if (at >= 0) system_call(SYS_close, at);
}

static void visit_entries(const struct file *directory, entry_visitor *visit, void *context) {
  if (directory->path) visit_real(directory, visit, context);
  for (uint32_t i = 0; i < the_files->n_names; i++) {
    const struct file_name *entry = &the_files->names[i];
    if (entry->directory == directory && entry->file)
      visit(context, entry->name, entry->file->inode, (uint8_t)IFTODT(entry->file->mode));
  }
}

static void note_one(void *context, const char *name, uint64_t inode, uint8_t type) {
  (void)name, (void)inode, (void)type;
  *(bool *)context = true;
}

static bool is_empty(const struct file *directory) {
  bool has_one = false;
  visit_entries(directory, note_one, &has_one);
  return !has_one;
}

static void keep_entry(void *context, const char *name, uint64_t inode, uint8_t type) {
  struct file_listing *listing = context;
  if (listing->count == MAX_LISTED) finish_at_limit("a directory with more than 1024 names");
  listing->entries[listing->count++] = (struct file_entry){file_keep_text(name, ""), inode, type};
}

void files_list(int descriptor, struct file_listing *listing, site_id site) {
  const struct file *directory = file_descriptor_at(descriptor)->file;
  take_listing(directory, false, site);
  listing->count = 0;
  if (directory->is_gone) return;
  keep_entry(listing, ".", directory->inode, DT_DIR);
  keep_entry(listing, "..", directory->parent ? directory->parent->inode : directory->inode, DT_DIR);
  visit_entries(directory, keep_entry, listing);
}

/* ---- making ---- */

/* A name that does not exist yet; otherwise an error. */
static bool find_new(int directory, const char *path, struct file_place *place, bool *is_kernels, site_id site) {
  file_find(directory, path, false, PATH_UPDATES, place, site);
  *is_kernels = place->is_kernels;
  if (!place->error && place->file) place->error = -EEXIST;
  return !place->error && !place->is_kernels;
}

static uint64_t identity_of(const struct file_place *place) {
  return file_hash_text(place->name) ^ file_number(place->directory) * 0x9e3779b9ull;
}

bool files_make_directory(int directory, const char *path, mode_t mode, int *result, site_id site) {
  struct file_place place;
  bool is_kernels;
  if (find_new(directory, path, &place, &is_kernels, site)) {
    struct file *made = file_make(identity_of(&place), S_IFDIR | (mode & ~file_umask() & 07777));
    file_set_name(place.directory, place.name, made);
  }
  *result = place.error ? file_fail(place.error) : 0;
  return !is_kernels;
}

bool files_make_link(const char *target, int directory, const char *path, int *result, site_id site) {
  struct file_place place;
  bool is_kernels;
  if (find_new(directory, path, &place, &is_kernels, site) && place.wants_directory) place.error = -ENOENT;
  if (!place.error && !is_kernels) {
    struct file *made = file_make(identity_of(&place), S_IFLNK | 0777);
    made->target = file_keep_text(target, "");
    file_set_name(place.directory, place.name, made);
  }
  *result = place.error ? file_fail(place.error) : 0;
  return !is_kernels;
}

static long add_name(struct file *file, struct file_place *place) {
  if (place->wants_directory) return -ENOENT;
  if (file_is(file, S_IFDIR)) return -EPERM;
  file->links++;
  file_set_name(place->directory, place->name, file);
  return 0;
}

bool files_link(int from_directory, const char *from, int to_directory, const char *to, bool follows, int *result,
                site_id site) {
  struct file_place source, target;
  bool is_kernels;
  const bool is_shared = file_name_is_shared(from_directory, from) || file_name_is_shared(to_directory, to);
  file_enter_section(is_shared, site);
  file_find(from_directory, from, follows, PATH_READS, &source, site);
  if (!source.error && !source.file) source.error = -ENOENT;
  const bool is_new = find_new(to_directory, to, &target, &is_kernels, site);
  if (is_new && !source.error && !source.is_kernels) target.error = add_name(source.file, &target);
  const long error = source.error ? source.error : target.error;
  *result = error ? file_fail(error) : 0;
  file_leave_section(is_shared, site);
  return !is_kernels && !source.is_kernels;
}

/* ---- removing ---- */

static long remove_directory(struct file_place *place, site_id site) {
  struct file *directory = place->file;
  if (!file_is(directory, S_IFDIR)) return -ENOTDIR;
  if (!place->name[0]) return -EINVAL;
  take_listing(directory, true, site);
  if (!is_empty(directory)) return -ENOTEMPTY;
  directory->is_gone = true;
  file_set_name(place->directory, place->name, NULL);
  return 0;
}

/* Whether others make or remove names there. */
static bool others_use(int directory, const char *path) {
  struct file_place place;
  file_find(directory, path, false, PATH_READS, &place, 0);
  if (!sharing_is_possible() || !place.file || !file_is(place.file, S_IFDIR)) return false;
  return sharing_touch(NAME_WORDS + file_number(place.file) * DIRECTORY_BYTES, DIRECTORY_BYTES, true);
}

bool files_remove_directory(int directory, const char *path, int *result, site_id site) {
  struct file_place place;
  const bool is_shared = file_name_is_shared(directory, path) || others_use(directory, path);
  file_enter_section(is_shared, site);
  file_find(directory, path, false, PATH_UPDATES, &place, site);
  if (!place.error && !place.is_kernels) place.error = place.file ? remove_directory(&place, site) : -ENOENT;
  *result = place.error ? file_fail(place.error) : 0;
  file_leave_section(is_shared, site);
  return !place.is_kernels;
}

static long remove_name(struct file_place *place) {
  if (!place->file) return -ENOENT;
  if (file_is(place->file, S_IFDIR)) return -EISDIR;
  if (place->wants_directory) return -ENOTDIR;
  if (place->file->links) place->file->links--;
  file_set_name(place->directory, place->name, NULL);
  return 0;
}

bool files_unlink(int directory, const char *path, int *result, site_id site) {
  struct file_place place;
  file_find(directory, path, false, PATH_UPDATES, &place, site);
  if (!place.error && !place.is_kernels) place.error = remove_name(&place);
  *result = place.error ? file_fail(place.error) : 0;
  return !place.is_kernels;
}

/* ---- renaming ---- */

static bool is_inside(const struct file *directory, const struct file *of) {
  for (;; directory = directory->parent) {
    if (directory == of) return true;
    if (!directory->parent || directory->parent == directory) return false;
  }
}

/* Whether one may take the place of the other. */
static long look_at_replaced(const struct file *file, const struct file *replaced, site_id site) {
  const bool is_directory = file_is(file, S_IFDIR);
  if (is_directory && !file_is(replaced, S_IFDIR)) return -ENOTDIR;
  if (!is_directory && file_is(replaced, S_IFDIR)) return -EISDIR;
  if (!is_directory) return 0;
  take_listing(replaced, true, site);
  return is_empty(replaced) ? 0 : -ENOTEMPTY;
}

static long rename_place(struct file_place *source, struct file_place *target, unsigned flags, site_id site) {
  struct file *file = source->file, *replaced = target->file;
  if (source->name[0] && !target->name[0] && flags & RENAME_NOREPLACE) return -EEXIST;
  if (!source->name[0] || !target->name[0]) return -EBUSY;
  if (!file) return -ENOENT;
  if (replaced && flags & RENAME_NOREPLACE) return -EEXIST;
  if (!file_is(file, S_IFDIR) && (source->wants_directory || target->wants_directory)) return -ENOTDIR;
  if (file_is(file, S_IFDIR) && is_inside(target->directory, file)) return -EINVAL;
  if (replaced && file_is(replaced, S_IFDIR) && is_inside(source->directory, replaced)) return -ENOTEMPTY;
  if (replaced == file) return 0;
  const long error = replaced ? look_at_replaced(file, replaced, site) : 0;
  if (error) return error;
  if (replaced && file_is(replaced, S_IFDIR)) replaced->is_gone = true;
  if (replaced && replaced->links) replaced->links--;
  file_set_name(source->directory, source->name, NULL);
  file_set_name(target->directory, target->name, file);
  return 0;
}

/* Nobody sees the file with two names, or with none. */
bool files_rename(int from_directory, const char *from, int to_directory, const char *to, unsigned flags, int *result,
                  site_id site) {
  struct file_place source, target;
  const bool is_shared = file_name_is_shared(from_directory, from) || file_name_is_shared(to_directory, to);
  if (flags & ~(unsigned)RENAME_NOREPLACE) finish_at_limit("renameat2 with flags other than RENAME_NOREPLACE");
  file_enter_section(is_shared, site);
  file_find(from_directory, from, false, PATH_UPDATES, &source, site);
  file_find(to_directory, to, false, PATH_UPDATES, &target, site);
  long error = source.error ? source.error : target.error;
  const bool is_kernels = source.is_kernels || target.is_kernels;
  if (!error && !is_kernels) error = rename_place(&source, &target, flags, site);
  *result = error ? file_fail(error) : 0;
  file_leave_section(is_shared, site);
  return !is_kernels;
}

/* ---- asking ---- */

/* A regular file's size is read in a step of its own. */
bool files_stat(int directory, const char *path, bool follows, struct stat *status, int *result, site_id site) {
  struct file_place place;
  file_find(directory, path, follows, PATH_READS, &place, site);
  if (place.is_kernels) return false;
  if (!place.error && !place.file) place.error = -ENOENT;
  if (!place.error && place.wants_directory && !file_is(place.file, S_IFDIR)) place.error = -ENOTDIR;
  if (!place.error && file_is(place.file, S_IFREG)) file_take_step(file_word(place.file), 8, false, site);
  if (!place.error) place.error = file_status(place.file, status);
  *result = place.error ? file_fail(place.error) : 0;
  return true;
}

bool files_read_link(int directory, const char *path, char target[], size_t size, long *length, site_id site) {
  struct file_place place;
  file_find(directory, path, false, PATH_READS, &place, site);
  if (place.is_kernels) return false;
  if (!place.error && !place.file) place.error = -ENOENT;
  if (!place.error && place.wants_directory && !file_is(place.file, S_IFDIR)) place.error = -ENOTDIR;
  if (!place.error && !file_is(place.file, S_IFLNK)) place.error = -EINVAL;
  *length = place.error;
  if (place.error) return true;
  const char *text = place.file->target;
  *length = text ? (long)string_length(text) : system_call(SYS_readlink, place.file->path, target, size);
  if (text && (size_t)*length > size) *length = (long)size;
  if (text) memcpy(target, text, (size_t)*length);
  return true;
}

/* ---- permissions and times, which are the copy's ---- */

static struct file *find_existing(int directory, const char *path, bool follows, struct file_place *place,
                                  site_id site) {
  file_find(directory, path, follows, PATH_READS, place, site);
  if (!place->error && !place->is_kernels && !place->file) place->error = -ENOENT;
  return place->error || place->is_kernels ? NULL : place->file;
}

static void set_mode(struct file *file, mode_t mode, site_id site) {
  file_take_step(file_word(file), sizeof(uint64_t), true, site);
  file_ensure_copy(file);
  file->mode = (file->mode & S_IFMT) | (mode & 07777);
  (*file_word(file))++;
}

bool files_change_mode(int directory, const char *path, mode_t mode, int *result, site_id site) {
  struct file_place place;
  struct file *file = find_existing(directory, path, true, &place, site);
  if (file) set_mode(file, mode, site);
  *result = place.error ? file_fail(place.error) : 0;
  return !place.is_kernels;
}

int files_change_mode_of(int descriptor, mode_t mode, site_id site) {
  set_mode(file_descriptor_at(descriptor)->file, mode, site);
  return 0;
}

bool files_change_times(int directory, const char *path, const void *times, bool follows, int *result, site_id site) {
  struct file_place place;
  struct file *file = find_existing(directory, path, follows, &place, site);
  if (file && file_is(file, S_IFREG)) {
    file_take_step(file_word(file), sizeof(uint64_t), true, site);
    file_ensure_copy(file);
    place.error = system_call(SYS_utimensat, file->copy, 0, times, 0);
  } else if (file) {
    unfollowed_part("the times of a directory", site);
  }
  *result = place.error ? file_fail(place.error) : 0;
  return !place.is_kernels;
}

/* The nearest directory that is real: what holds for its file system. */
const char *files_real_directory(int directory, const char *path, int *error, site_id site) {
  struct file_place place;
  const struct file *at = find_existing(directory, path, true, &place, site);
  *error = (int)-place.error;
  if (!at) return NULL;
  if (!file_is(at, S_IFDIR)) at = place.directory;
  while (!at->path && at->parent) at = at->parent;
  return at->path;
}
