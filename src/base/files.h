/* SPDX-License-Identifier: MIT
 *
 * Files, directories and child processes. Paths that functions return are owned by the caller.
 */
#ifndef HEDDLE_BASE_FILES_H
#define HEDDLE_BASE_FILES_H

#include "base/error.h"
#include "base/text.h"

#include <stdint.h>

bool files_read(const char *path, struct text *contents, struct error *error);
bool files_write(const char *path, const void *bytes, size_t count, struct error *error);
bool files_copy(const char *from, const char *to, struct error *error); /* keeps the mode */
bool files_exists(const char *path);
bool files_can_write(const char *path, struct error *error);      /* it, or a new file of that name */
bool files_make_directory(const char *path, struct error *error); /* with its parents; fine if it exists */
bool files_make_temporary_directory(char **path, struct error *error);
void files_remove_tree(const char *path);
char *files_join(const char *directory, const char *name);
/* The path of a file that belongs to heddle itself (heddle-instrument, libheddle-rt.a, include ...): beside the running
 * executable (the build directory), or in ../lib/heddle of it (an installation). */
char *files_of_heddle(const char *name);
/* FNV-1a over the bytes of a file; tells builds apart. */
bool files_hash(const char *path, uint64_t *hash, struct error *error);

/* Runs argv[0] (searched in PATH) and waits. False if it could not be started; *status is its exit status, or 128 plus
 * the signal that ended it. */
bool process_run(const char *const *argv, int *status, struct error *error);

#endif
