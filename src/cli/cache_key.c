/* SPDX-License-Identifier: MIT
 *
 * Only flags of which it is known that they make the compiler read no further files are accepted: the table below.
 * Programs and heddle's parts are told apart by size, time and inode.
 */
#include "cli/cache_key.h"

#include "base/files.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A word fits if it is equal to a row, or starts with it where the row ends in '*'. */
static const char *const words_that_fit[] = {
    "-D*",
    "-U*",
    "-I*",
    "-O*",
    "-g",
    "-w",
    "-ansi",
    "-pedantic*",
    "-std=*",
    "-pthread",
    "-fno-*",
    "-fwrapv",
    "-fcommon",
    "-fsigned-char",
    "-funsigned-char",
    "-fstrict-aliasing",
    "-W*",
    "-isystem",
    "-iquote",
    "-idirafter",
    "-include",
    "--heddle-line-coverage",
    "--heddle-follow",
};
static const char *const words_that_do_not[] = {"-I-", "-Wl,*", "-Wp,*", "-Wa,*", "-fno-profile*"};

static const char *const words_with_a_next[] = {"-D", "-U", "-I", "-isystem", "-iquote", "-idirafter", "-include"};

#define COUNT(array) (sizeof(array) / sizeof *(array))

static bool matches(const char *word, const char *pattern) {
  const size_t length = strlen(pattern);
  return pattern[length - 1] == '*' ? strncmp(word, pattern, length - 1) == 0 : strcmp(word, pattern) == 0;
}

static bool is_among(const char *word, const char *const *patterns, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (matches(word, patterns[i])) return true;
  return false;
}

static bool is_c_file(const char *word) {
  const size_t length = strlen(word);
  return word[0] != '-' && word[0] != '@' && length > 2 && strcmp(word + length - 2, ".c") == 0;
}

static bool word_fits(const char *word) {
  if (is_c_file(word)) return true;
  return is_among(word, words_that_fit, COUNT(words_that_fit)) &&
         !is_among(word, words_that_do_not, COUNT(words_that_do_not));
}

bool cache_key_fits(const struct options *options) {
  for (size_t i = 0; i < options->compile.count; i++) {
    const char *word = options->compile.items[i];
    if (!word_fits(word)) return false;
    if (is_among(word, words_with_a_next, COUNT(words_with_a_next))) i++;
  }
  return true;
}

static void append_words(struct text *key, const struct options *options) {
  for (size_t i = 0; i < options->compile.count; i++)
    text_append_format(key, "word %zu %s\n", strlen(options->compile.items[i]), options->compile.items[i]);
}

/* What clang and ld read of the environment; PWD is in the debug information. */
static void append_environment(struct text *key) {
  static const char *const names[] = {
      "PWD",
      "CPATH",
      "C_INCLUDE_PATH",
      "LIBRARY_PATH",
      "COMPILER_PATH",
      "GCC_EXEC_PREFIX",
      "CCC_ADD_ARGS",
      "CCC_OVERRIDE_OPTIONS",
      "QA_OVERRIDE_GCC3_OPTIONS",
      "SOURCE_DATE_EPOCH",
      "LD_LIBRARY_PATH",
      "LD_PRELOAD",
      "LD_RUN_PATH",
      "LDEMULATION",
      "GNUTARGET",
  };
  for (size_t i = 0; i < COUNT(names); i++) {
    const char *value = getenv(names[i]);
    if (value) text_append_format(key, "environment %s %zu %s\n", names[i], strlen(value), value);
  }
}

static bool append_directory(struct text *key) {
  char *directory = getcwd(NULL, 0);
  if (directory) text_append_format(key, "directory %s\n", directory);
  free(directory);
  return directory;
}

static bool append_file(struct text *key, const char *path) {
  struct stat status;
  char real[PATH_MAX];
  if (!realpath(path, real) || stat(real, &status) < 0) return false;
  text_append_format(key, "file %s %llu %llu %lld.%09ld\n", real, (unsigned long long)status.st_ino,
                     (unsigned long long)status.st_size, (long long)status.st_mtim.tv_sec, status.st_mtim.tv_nsec);
  return true;
}

/* Where PATH finds a program. */
static bool append_program(struct text *key, const char *name) {
  for (const char *path = getenv("PATH"); path && *path;) {
    const size_t length = strcspn(path, ":");
    struct text file = {0};
    text_append_format(&file, "%.*s/%s", (int)length, path, name);
    const bool found = length > 0 && access(file.string, X_OK) == 0;
    const bool appended = found && append_file(key, file.string);
    text_free(&file);
    if (found) return appended;
    path += length + (path[length] == ':');
  }
  return false;
}

static bool append_part(struct text *key, const char *name) {
  char *path = files_of_heddle(name);
  const bool good = append_file(key, path);
  free(path);
  return good;
}

/* The C library's and the compiler's objects that every program is linked with: "path" per line. */
static bool append_listed(struct text *key, const char *name) {
  struct text list = {0};
  char *path = files_of_heddle(name);
  bool good = files_read(path, &list, &(struct error){0});
  for (char *line = list.string; good && line && *line;) {
    const size_t length = strcspn(line, "\n");
    const bool more = line[length];
    line[length] = 0;
    if (length > 2 && line[1] == '/') {
      line[length - 1] = 0;
      good = append_file(key, line + 1);
    }
    line += length + more;
  }
  text_free(&list);
  free(path);
  return good;
}

static bool append_tools(struct text *key) {
  static const char *const parts[] = {"heddle-instrument", "heddle-hooks.bc", "libheddle-rt.a", "libheddle-sync.a",
                                      "link/runtime.o",    "link/wrapped",    "link/begin",     "link/end",
                                      "include/heddle.h",  "link/directories"};
  bool good = append_file(key, "/proc/self/exe") && append_program(key, "clang-19") && append_program(key, "ld");
  for (size_t i = 0; i < COUNT(parts) && good; i++) good = append_part(key, parts[i]);
  return good && append_listed(key, "link/begin") && append_listed(key, "link/end");
}

bool cache_key_make(const struct options *options, char key[SHA256_HEX_BYTES]) {
  struct text text = {0};
  append_words(&text, options);
  append_environment(&text);
  const bool good = append_directory(&text) && append_tools(&text);
  sha256_hex(key, text_string(&text), text.length);
  text_free(&text);
  return good;
}

bool cache_key_make_object(const void *bytes, size_t count, char key[SHA256_HEX_BYTES]) {
  struct text text = {0};
  const bool good = append_part(&text, "heddle-instrument") && append_part(&text, "heddle-hooks.bc");
  text_append_bytes(&text, bytes, count);
  sha256_hex(key, text_string(&text), text.length);
  text_free(&text);
  return good;
}
