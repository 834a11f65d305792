/* SPDX-License-Identifier: MIT
 *
 * Files of the program. What a run does to them is private to it: a file that is opened for writing is copied into
 * memory, names that are made, removed or changed are kept in a table, and all of it is forgotten after the run. The
 * user's files are only read. With --files real none of this is so.
 *
 *     descriptor --> description (what open makes and dup shares) --> file <-- names in directories
 *
 * An operation is an atomic access of memory, in the step of which the kernel does it. So dependence, races and reports
 * are those of memory, and what only one thread uses costs nothing:
 *
 *     reads, updates   of bytes at CONTENTS     read, write, pread, pwrite of bytes that are there; a shared mapping
 *     reads            of a file's word         fstat, and reading at the end
 *     updates          of a file's word         what changes the size; all operations on a file of which several
 * threads move one offset, or that is used through a stream reads            of a name's word         open, stat,
 * access; of all of a directory: readdir updates          of a name's word         open with O_CREAT, unlink, rename,
 * mkdir, ... updates          of the descriptors'      open, close, dup: which number of the thread's own is free
 *
 * The words are at FILES_ADDRESS.
 */
#ifndef HEDDLE_RUNTIME_FILES_H
#define HEDDLE_RUNTIME_FILES_H

#include "runtime.h"

#include <stdio.h>
#include <sys/stat.h>
#include <sys/types.h>

#define MAX_FILE_DESCRIPTORS 1024u
#define FILE_PATH_BYTES 1024u

void files_initialise(void);
void files_begin_run(void);
bool files_are_private(void);

/* As openat; -1 and errno. */
int files_open(int directory, const char *path, int flags, mode_t mode, site_id site);
bool files_has(int descriptor); /* a file that was opened here */
bool files_are_the_same(int descriptor, int other);
void files_close(int descriptor, site_id site);
void files_duplicate(int from, int to);
/* A stream will use the descriptor, which is a pipe: its calls take turns as those of a file do. */
void files_adopt(int descriptor);
/* What another process is about to do with a file of that name. */
enum files_use { FILES_LOOK, FILES_CHANGE, FILES_MAKE };
/* May it, with the real files? Not if that would change one, or if the run has changed what it looks at. */
bool files_allow(int directory, const char *path, enum files_use use);
bool files_are_changed(void); /* some, by this run */
/* A turn for a call of the C library that may read or write any part of the file next. */
void files_take_whole(int descriptor, site_id site);
void files_take_stream(FILE *stream, site_id site);
void files_take_descriptors(site_id site);         /* before one is opened */
long files_take_number(long lowest, site_id site); /* moves a new descriptor to the thread's own numbers */
/* The same for what a system call returned: -1 and errno. */
int files_open_number(long lowest, bool closes_on_exec, site_id site);
void files_note_descriptor(int descriptor); /* opened or closed in a step that depends on everything */

/* A word of FILES_ADDRESS that stands for something that threads share: a step if they do. */
void files_use_word(uint64_t word, bool writes, site_id site);
/* The same as part of a step that depends on everything. */
void files_note_word(uint64_t word, bool writes);
/* A text that is the same for all paths that lead to the same name, FILE_PATH_BYTES at most; negative: there is none,
 * as an errno says. */
long files_read_path(const char *path, char *to);

/* Reads into the buffer, or writes from it; offset -1: where the description stands. The kernel's result. */
long files_transfer(int descriptor, void *buffer, size_t size, off_t offset, bool writes, site_id site);
long files_seek(int descriptor, off_t offset, int from, site_id site);
long files_resize(int descriptor, off_t size, site_id site);
void files_correct(int descriptor, struct stat *status); /* device and inode, of a copy those of the file */
long files_status(int descriptor, struct stat *status, site_id site); /* also of a directory */
int files_change_mode_of(int descriptor, mode_t mode, site_id site);
void files_begin_sharing(void); /* a second thread will exist */

/* ---- mappings (file_maps.c) ---- */
/* True: *at is what mmap returns. */
bool files_map(int descriptor, size_t size, int protection, int flags, off_t offset, void **at, site_id site);
bool files_unmap(void *address, size_t size, site_id site); /* false: no file's */
bool files_are_mapped_at(const void *address);
void files_unmap_all(void);

/* model_file_io.c: on a descriptor that files_has(); offset -1: where the description stands. */
struct iovec;
ssize_t file_read(int descriptor, void *buffer, size_t size, off_t offset, site_id site);
ssize_t file_write(int descriptor, const void *buffer, size_t size, off_t offset, site_id site);
ssize_t file_read_pieces(int descriptor, const struct iovec *pieces, int count, off_t offset, site_id site);
ssize_t file_write_pieces(int descriptor, const struct iovec *pieces, int count, off_t offset, site_id site);

/* ---- names (file_tree.c). True: *result is what the call returns, with errno; otherwise it is the kernel's. ---- */
bool files_stat(int directory, const char *path, bool follows, struct stat *status, int *result, site_id site);
bool files_unlink(int directory, const char *path, int *result, site_id site);
bool files_rename(int from_directory, const char *from, int to_directory, const char *to, unsigned flags, int *result,
                  site_id site);
bool files_make_directory(int directory, const char *path, mode_t mode, int *result, site_id site);
bool files_remove_directory(int directory, const char *path, int *result, site_id site);
bool files_make_link(const char *target, int directory, const char *path, int *result, site_id site);
bool files_link(int from_directory, const char *from, int to_directory, const char *to, bool follows, int *result,
                site_id site);
bool files_read_link(int directory, const char *path, char target[], size_t size, long *length, site_id site);
bool files_change_mode(int directory, const char *path, mode_t mode, int *result, site_id site);
bool files_change_times(int directory, const char *path, const void *times, bool follows, int *result, site_id site);
/* A real directory of the file system where the path is; NULL: *error, or 0 if it is the kernel's. */
const char *files_real_directory(int directory, const char *path, int *error, site_id site);
void files_change_directory(void); /* chdir was called */

/* ---- directories ---- */
#define MAX_LISTED 1024u
struct file_entry {
  const char *name;
  uint64_t inode;
  uint8_t type;
};
struct file_listing {
  uint32_t count;
  struct file_entry entries[MAX_LISTED];
};
bool files_has_directory(int descriptor);
void directories_initialise(void); /* model_directory.c */
void directories_begin_run(void);
void files_map_table(uint64_t address, uint64_t size_bytes);
void files_list(int descriptor, struct file_listing *listing, site_id site);

/* Fills in the six X before the suffix, and opens the file. */
int files_make_unique(char *template, size_t suffix_bytes, int flags, site_id site);
int files_make_unique_directory(char *template, site_id site);

#endif
