/* SPDX-License-Identifier: MIT
 *
 * The tables behind files.h, for the files that share them: files.c (descriptors and opening), file_names.c
 * (directories and names), file_bytes.c (contents) and file_maps.c (mappings).
 *
 * A file, directory or symbolic link is known by device and inode, or was made in this run. A directory has no list of
 * what is in it: a name is looked for in the table of names, then in the real directory.
 */
#ifndef HEDDLE_RUNTIME_FILE_TABLE_H
#define HEDDLE_RUNTIME_FILE_TABLE_H

#include "files.h"

#include <fcntl.h>

#define MAX_NAMES 2048u
#define MAX_FILE_MAPS 128u
#define MAX_DIRECTORY_STREAMS 32u
#define THREADS_THAT_KNOW 256u
#define TEXT_BYTES (1u << 20)
#define NAME_BYTES 256u
#define PATH_BYTES 4096u

struct file {
  uint64_t device, inode; /* of the real one; device 0: it was made in this run */
  uint64_t first_size;    /* of the real file; or when a second thread was created */
  const char *path;       /* of the real one; NULL: there is none */
  const char *target;     /* of a symbolic link that was made in this run */
  struct file *parent;    /* of a directory */
  int copy;               /* of a regular file; -1: there is none, the real one is read */
  mode_t mode;            /* with its kind */
  uint32_t links;
  bool is_used, is_gone; /* a directory that was removed */
  bool is_mapped, is_viewed, is_mapped_privately;
};

struct file_name {
  struct file *directory;
  const char *name;
  struct file *file; /* NULL: removed */
};

struct file_descriptor {
  struct file *file; /* NULL: none */
  uint32_t description;
};

struct file_map {
  uint64_t address, size_bytes;
  int protection;
};

struct files {
  bool is_used;
  uint32_t n_names, n_maps, text_used;
  uint32_t n_made[THREADS_THAT_KNOW];
  struct file *working_directory; /* NULL: not asked for yet */
  struct file files[MAX_FILES];
  struct file_name names[MAX_NAMES];
  struct file_descriptor descriptors[MAX_FILE_DESCRIPTORS];
  struct file_map maps[MAX_FILE_MAPS];
  uint64_t known_sizes[THREADS_THAT_KNOW][MAX_FILES]; /* plus 1 */
  char text[TEXT_BYTES];
};

/* Half a gigabyte after the stack of the signal handler (signals.c). */
#define the_files ((struct files *)(RUNTIME_ADDRESS + (60ull << 30) + (1ull << 29)))

static inline uint32_t file_number(const struct file *file) {
  return (uint32_t)(file - the_files->files);
}

static inline uint64_t *file_word(const struct file *file) {
  return (uint64_t *)FILE_WORDS + file_number(file);
}

static inline uint64_t file_content(const struct file *file) {
  return CONTENTS_ADDRESS + file_number(file) * CONTENT_BYTES;
}

static inline bool file_is(const struct file *file, mode_t kind) {
  return (file->mode & S_IFMT) == kind;
}

/* ---- files.c ---- */
struct file_descriptor *file_descriptor_at(int descriptor); /* NULL: no file of ours */
/* An atomic access of a word; in the step, what it stands for is done. */
void file_take_step(uint64_t *word, uint64_t size_bytes, bool writes, site_id site);
struct file *file_of_real(const struct stat *status, const char *path);
struct file *file_make(uint64_t identity, mode_t mode); /* with the kind; a regular one is empty */
void file_ensure_copy(struct file *file);               /* it is written next */
/* Its status, as it would be if all of this were real. */
long file_status(const struct file *file, struct stat *status);
int file_fail(long error); /* sets errno; -1 */
mode_t file_umask(void);

/* Several accesses in one step, which is dependent on all others; needed only if a word that is updated is shared. */
bool file_is_shared(uint64_t *word);
void file_enter_section(bool is_needed, site_id site);
void file_leave_section(bool was_needed, site_id site);

/* ---- file_bytes.c ---- */
uint64_t file_size(const struct file *file);
/* Some thread will read what is there now. */
void file_take_content(struct file *file, uint64_t offset, uint64_t size_bytes, site_id site);
/* Cuts a file off, or makes it longer. */
long file_resize(struct file *file, int descriptor, uint64_t size_bytes, site_id site);
/* The operation concerns the file as a whole. True: so do all operations on this file, by its word alone. */
bool file_is_one_word(struct file *file, bool needs_whole);
bool file_offset_is_shared(uint32_t description);

/* ---- file_maps.c ---- */
void file_maps_follow_copy(struct file *file);
void file_view(struct file *file); /* makes its content readable where its accesses are */

/* ---- file_names.c ---- */
const char *file_keep_text(const char *text, const char *more); /* both, one after the other, until the run ends */
uint64_t file_hash_text(const char *text);

/* Where a path leads. The last name was read, or updated, in a step. */
struct file_place {
  struct file *directory;
  struct file *file;     /* NULL: there is none */
  char name[NAME_BYTES]; /* "": it is a directory by itself, like "/" or "." */
  long error;            /* the path leads nowhere */
  bool is_kernels;       /* below /proc or /sys, or from a descriptor that is not known */
  bool wants_directory;  /* it ends with a slash */
};

enum path_use { PATH_READS, PATH_UPDATES };
void file_find(int directory, const char *path, bool follows, enum path_use use, struct file_place *place,
               site_id site);
struct file *file_lookup(struct file *directory, const char *name, long *error);
void file_set_name(struct file *directory, const char *name, struct file *file);
/* Whether others use the name that the path leads to. */
bool file_name_is_shared(int directory, const char *path);
uint64_t *file_name_word(const struct file *directory, const char *name);

#endif
