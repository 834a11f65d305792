/* SPDX-License-Identifier: MIT
 *
 * Directories that are read (files.h). What is in a directory is read all at once, in a step: when the first name is
 * asked for, and again after rewinddir.
 */
#include "ends.h"
#include "files.h"
#include "models.h"
#include "snapshot.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>

#define MAX_STREAMS 32u

struct directory_stream {
  int descriptor; /* -1: closed */
  bool is_open, is_listed;
  uint32_t next;
  struct dirent entry; /* what the program sees */
  struct file_listing listing;
};

_Static_assert(sizeof(struct dirent) == sizeof(struct dirent64), "they are the same");

#define the_streams ((struct directory_stream *)(RUNTIME_ADDRESS + (61ull << 30)))

int __wrap_close(int descriptor);
void *__wrap_malloc(size_t size);
void *__wrap_realloc(void *block, size_t size);

void directories_initialise(void) {
  files_map_table((uint64_t)the_streams, MAX_STREAMS * sizeof(struct directory_stream));
}

void directories_begin_run(void) {
  for (uint32_t i = 0; i < MAX_STREAMS; i++) the_streams[i].is_open = false;
}

static struct directory_stream *stream_of(DIR *directory) {
  struct directory_stream *stream = (struct directory_stream *)directory;
  return stream >= the_streams && stream < the_streams + MAX_STREAMS ? stream : NULL;
}

/* Each thread begins elsewhere, so that which one it gets depends on others only if there are many. */
static DIR *new_stream(int descriptor) {
  for (uint32_t i = 0; i < MAX_STREAMS; i++) {
    struct directory_stream *stream = &the_streams[(self()->id * 4 + i) % MAX_STREAMS];
    if (stream->is_open) continue;
    stream->descriptor = descriptor;
    stream->is_open = true;
    stream->is_listed = false;
    return (DIR *)stream;
  }
  finish_at_limit("more than 32 directories open at once");
}

/* ---- opening ---- */

DIR *__real_fdopendir(int descriptor);

WRAPPED(DIR *, opendir, (const char *path), (path)) {
  const site_id site = take_site();
  files_touch();
  model_reads_string(path, site);
  if (!files_are_private()) return __real_opendir(path);
  const int descriptor = files_open(AT_FDCWD, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0, site);
  if (descriptor < 0) return NULL;
  return files_has_directory(descriptor) ? new_stream(descriptor) : __real_fdopendir(descriptor);
}

WRAPPED(DIR *, fdopendir, (int descriptor), (descriptor)) {
  if (files_has_directory(descriptor)) return new_stream(descriptor);
  return __real_fdopendir(descriptor);
}

WRAPPED(int, closedir, (DIR * directory), (directory)) {
  struct directory_stream *stream = stream_of(directory);
  if (!stream) return __real_closedir(directory);
  if (!stream->is_open) return model_fail(EBADF);
  stream->is_open = false;
  return __wrap_close(stream->descriptor);
}

WRAPPED(int, dirfd, (DIR * directory), (directory)) {
  const struct directory_stream *stream = stream_of(directory);
  return stream ? stream->descriptor : __real_dirfd(directory);
}

/* ---- reading ---- */

static struct dirent *next_entry(struct directory_stream *stream, site_id site) {
  struct dirent entry = {0};
  if (!stream->is_open) {
    errno = EBADF;
    return NULL;
  }
  if (!stream->is_listed) {
    files_list(stream->descriptor, &stream->listing, site);
    stream->is_listed = true;
    stream->next = 0;
  }
  if (stream->next >= stream->listing.count) return NULL;
  const struct file_entry *listed = &stream->listing.entries[stream->next++];
  entry.d_ino = listed->inode;
  entry.d_off = stream->next;
  entry.d_reclen = sizeof entry;
  entry.d_type = listed->type;
  memcpy(entry.d_name, listed->name, string_length(listed->name) + 1);
  model_store(&stream->entry, &entry, sizeof entry, site);
  return &stream->entry;
}

WRAPPED(struct dirent *, readdir, (DIR * directory), (directory)) {
  struct directory_stream *stream = stream_of(directory);
  return stream ? next_entry(stream, take_site()) : __real_readdir(directory);
}

WRAPPED(struct dirent64 *, readdir64, (DIR * directory), (directory)) {
  struct directory_stream *stream = stream_of(directory);
  return stream ? (struct dirent64 *)next_entry(stream, take_site()) : __real_readdir64(directory);
}

WRAPPED_VOID(rewinddir, (DIR * directory), (directory)) {
  struct directory_stream *stream = stream_of(directory);
  if (stream)
    stream->is_listed = false;
  else
    __real_rewinddir(directory);
}

WRAPPED(long, telldir, (DIR * directory), (directory)) {
  const struct directory_stream *stream = stream_of(directory);
  return !stream ? __real_telldir(directory) : stream->is_listed ? stream->next : 0;
}

WRAPPED_VOID(seekdir, (DIR * directory, long place), (directory, place)) {
  struct directory_stream *stream = stream_of(directory);
  if (!stream)
    __real_seekdir(directory, place);
  else if (stream->is_listed && place >= 0)
    stream->next = (uint32_t)place;
}

/* ---- all of it ---- */

typedef int entry_filter(const struct dirent *entry);
typedef int entry_order(const struct dirent **a, const struct dirent **b);

static bool is_wanted(const struct dirent *entry, entry_filter *filter) {
  return !filter || filter(entry);
}

/* In the place that its order says, among those that are there. */
static void insert_entry(struct dirent **list, int count, struct dirent *entry, entry_order *order) {
  int at = count;
  for (; order && at > 0; at--) {
    if (order((const struct dirent **)&list[at - 1], (const struct dirent **)&entry) <= 0) break;
    list[at] = list[at - 1];
  }
  list[at] = entry;
}

static int scan(DIR *directory, struct dirent ***list, entry_filter *filter, entry_order *order, site_id site) {
  struct dirent **found = NULL;
  int count = 0;
  for (const struct dirent *entry; (entry = next_entry(stream_of(directory), site));) {
    if (!is_wanted(entry, filter)) continue;
    struct dirent **longer = __wrap_realloc(found, ((size_t)count + 1) * sizeof *found);
    struct dirent *copy = longer ? __wrap_malloc(sizeof *copy) : NULL;
    if (!copy) finish_at_limit("scandir without memory");
    model_store(copy, entry, sizeof *copy, site);
    found = longer;
    insert_entry(found, count++, copy, order);
  }
  if (!found) found = __wrap_malloc(sizeof *found);
  model_store(list, &found, sizeof found, site);
  return count;
}

DIR *__wrap_opendir(const char *path);
int __wrap_closedir(DIR *directory);

WRAPPED(int, scandir, (const char *path, struct dirent ***list, entry_filter *filter, entry_order *order),
        (path, list, filter, order)) {
  const site_id site = call_site();
  if (!files_are_private()) return __real_scandir(path, list, filter, order);
  DIR *directory = __wrap_opendir(path);
  if (!directory) return -1;
  if (!stream_of(directory)) {
    __wrap_closedir(directory);
    return __real_scandir(path, list, filter, order);
  }
  const int count = scan(directory, list, filter, order, site);
  __wrap_closedir(directory);
  return count;
}
