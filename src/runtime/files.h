/* SPDX-License-Identifier: MIT
 *
 * Files of the program. What a run does to them is private to it: a file that is opened for writing is copied into
 * memory, names that are made, removed or changed are kept in a table, and all of it is forgotten after the run. The
 * user's files are only read. With --files real none of this is so.
 *
 *     descriptor --> description (what open makes and dup shares) --> file <-- names
 *
 * An operation is an atomic access of one of the words at FILES_ADDRESS, in the step of which the kernel does it. So
 * dependence, races and reports are those of memory, and a word that only one thread uses costs nothing:
 *
 *     reads     of a file's word         pread, fstat, read where no other thread moves the same offset
 *     updates   of a file's word         pwrite, write, ftruncate; read and lseek where another thread does; stdio
 *     reads     of a name's word         open, stat, access
 *     updates   of a name's word         open with O_CREAT, unlink, rename
 *     updates   of the descriptors'      open, close, dup: which number of the thread's own is free
 */
#ifndef HEDDLE_RUNTIME_FILES_H
#define HEDDLE_RUNTIME_FILES_H

#include "runtime.h"

#include <stdio.h>
#include <sys/stat.h>
#include <sys/types.h>

#define MAX_FILE_DESCRIPTORS 1024u
#define NAME_BYTES 1024u

void files_initialise(void);
void files_begin_run(void);
bool files_are_private(void);

/* As openat; -1 and errno. */
int files_open(int directory, const char *path, int flags, mode_t mode, site_id site);
bool files_has(int descriptor); /* a file that was opened here */
void files_close(int descriptor, site_id site);
void files_duplicate(int from, int to);
/* A stream will use the descriptor, which is a pipe: its calls take turns as those of a file do. */
void files_adopt(int descriptor);
/* What another process is about to do with a file of that name. */
enum files_use { FILES_LOOK, FILES_CHANGE, FILES_MAKE };
/* May it, with the real files? Not if that would change one, or if the run has changed what it looks at. */
bool files_allow(int directory, const char *path, enum files_use use);
bool files_are_changed(void); /* some, by this run */
/* A turn for a call of stdio, which may read or write any part of the file next. */
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
/* The absolute path, NAME_BYTES of it; negative: there is none, as an errno says. */
long files_read_path(const char *path, char *to);

/* A turn for an operation on the file of a descriptor; the kernel does it next. True: it is an update, and
 * files_changed() is to be called if it changed something. */
enum file_use { FILE_READS, FILE_WRITES, FILE_MOVES /* the offset, and reads */ };
bool files_take_turn(int descriptor, enum file_use use, site_id site);
void files_changed(int descriptor);
void files_correct(int descriptor, struct stat *status); /* what fstat says of a copy */
void files_map(int descriptor, bool is_shared, site_id site);

/* model_file_io.c: on a descriptor that files_has(); offset -1: where the description stands. */
struct iovec;
ssize_t file_read(int descriptor, void *buffer, size_t size, off_t offset, site_id site);
ssize_t file_write(int descriptor, const void *buffer, size_t size, off_t offset, site_id site);
ssize_t file_read_pieces(int descriptor, const struct iovec *pieces, int count, off_t offset, site_id site);
ssize_t file_write_pieces(int descriptor, const struct iovec *pieces, int count, off_t offset, site_id site);

/* Of a name. True: *result is what the call returns, with errno; otherwise the kernel's answer is right. */
bool files_stat(int directory, const char *path, bool follows, struct stat *status, int *result, site_id site);
int files_unlink(int directory, const char *path, site_id site);
int files_rename(int from_directory, const char *from, int to_directory, const char *to, site_id site);
/* Fills in the six X before the suffix, and opens the file. */
int files_make_unique(char *template, size_t suffix_bytes, int flags, site_id site);

#endif
