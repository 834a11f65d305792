/* SPDX-License-Identifier: MIT
 *
 * A header that appears in a directory that is searched earlier takes the place of the one that was read. clang says
 * only what it has read, so the places where it looked are made again: clang looks for what a program includes in the
 * directory of the including file and in those of the search path, and what it finds has such a directory's name in
 * front. So if D and E are such directories and D/text was read, E/text is a place where it may have looked; it is
 * noted if nothing is there. What `__has_include` asks for is treated alike.
 */
#include "cli/cache_inputs.h"

#include "base/files.h"
#include "base/sha256.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef VECTOR(char *) names;

struct inputs {
  names files;       /* that were read */
  names directories; /* where they may have been looked for */
  names texts;       /* what they may have been included as */
  names asked;       /* by __has_include */
  names absent, present;
};

static void free_names(names *list) {
  for (size_t i = 0; i < list->count; i++) free(list->items[i]);
  vector_free(list);
}

static void free_inputs(struct inputs *inputs) {
  free_names(&inputs->files);
  free_names(&inputs->directories);
  free_names(&inputs->texts);
  free_names(&inputs->asked);
  free_names(&inputs->absent);
  free_names(&inputs->present);
}

static int compare_names(const void *a, const void *b) {
  return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Sorted, each once. */
static void sort_names(names *list) {
  if (list->count == 0) return;
  qsort(list->items, list->count, sizeof *list->items, compare_names);
  size_t kept = 1;
  for (size_t i = 1; i < list->count; i++)
    if (strcmp(list->items[i], list->items[kept - 1]) != 0)
      list->items[kept++] = list->items[i];
    else
      free(list->items[i]);
  list->count = kept;
}

/* --- what was read: "target: file file \" --- */

/* The next word of a make rule, without its escapes; NULL at the end. */
static char *next_file(const char **at) {
  while (**at && (isspace((unsigned char)**at) || (**at == '\\' && (*at)[1] == '\n'))) ++*at;
  if (!**at) return NULL;
  struct text file = {0};
  for (; **at && !isspace((unsigned char)**at); ++*at) {
    const bool escape = (**at == '\\' && ((*at)[1] == ' ' || (*at)[1] == '#')) || (**at == '$' && (*at)[1] == '$');
    if (escape) ++*at;
    if (**at == '\\' && (*at)[1] == '\n') break;
    text_append_bytes(&file, *at, 1);
  }
  return file.string;
}

static bool read_list(const char *path, names *files) {
  struct text list = {0};
  const bool good = files_read(path, &list, &(struct error){0});
  const char *at = good ? strchr(text_string(&list), ':') : NULL;
  if (at) at++;
  for (char *file; at && (file = next_file(&at));) vector_push(files, file);
  text_free(&list);
  return at;
}

static bool read_lists(const struct options *options, const char *directory, names *files) {
  bool good = true;
  for (size_t i = 0; i < options->files.count && good; i++) {
    char *path = NULL;
    good = asprintf(&path, "%s/%zu.d", directory, i) >= 0 && read_list(path, files);
    free(path);
  }
  sort_names(files);
  return good;
}

/* --- what they were included as, and where they were looked for --- */

/* Without "./" in front, as in the compiler's lists. */
static void add_directory(struct inputs *inputs, const char *name, size_t length) {
  for (; length > 2 && name[0] == '.' && name[1] == '/'; name += 2, length -= 2) continue;
  while (length > 1 && name[length - 1] == '/') length--;
  vector_push(&inputs->directories, length ? strndup(name, length) : memory_copy_string("."));
}

static void add_directories(struct inputs *inputs, const char *list, char separator) {
  while (list && *list) {
    const size_t length = (size_t)(strchrnul(list, separator) - list);
    add_directory(inputs, list, length);
    list += length + (list[length] != 0);
  }
}

static void add_directories_of_words(struct inputs *inputs, const struct options *options) {
  static const char *const flags[] = {"-I", "-isystem", "-iquote", "-idirafter"};
  for (size_t i = 0; i < options->compile.count; i++) {
    const char *word = options->compile.items[i];
    const char *next = i + 1 < options->compile.count ? options->compile.items[i + 1] : NULL;
    for (size_t f = 0; f < sizeof flags / sizeof *flags; f++) {
      if (strncmp(word, flags[f], strlen(flags[f])) != 0) continue;
      const char *name = word[strlen(flags[f])] ? word + strlen(flags[f]) : next;
      if (name) add_directory(inputs, name, strlen(name));
    }
  }
}

static bool add_directories_of_compiler(struct inputs *inputs) {
  struct text list = {0};
  char *path = files_of_heddle("link/directories"), *headers = files_of_heddle("include");
  const bool good = files_read(path, &list, &(struct error){0});
  if (good) add_directories(inputs, list.string, '\n');
  add_directory(inputs, headers, strlen(headers));
  text_free(&list);
  free(headers);
  free(path);
  return good;
}

static bool collect_directories(struct inputs *inputs, const struct options *options) {
  add_directories_of_words(inputs, options);
  add_directories(inputs, getenv("CPATH"), ':');
  add_directories(inputs, getenv("C_INCLUDE_PATH"), ':');
  for (size_t i = 0; i < inputs->files.count; i++) {
    const char *slash = strrchr(inputs->files.items[i], '/');
    add_directory(inputs, inputs->files.items[i], slash ? (size_t)(slash - inputs->files.items[i]) : 0);
  }
  add_directory(inputs, ".", 1);
  const bool good = add_directories_of_compiler(inputs);
  sort_names(&inputs->directories);
  return good;
}

/* The file's name inside the directory; NULL if it is not there. */
static const char *name_inside(const char *file, const char *directory) {
  const size_t length = strlen(directory);
  if (strcmp(directory, ".") == 0) return file[0] == '/' ? NULL : file;
  if (strncmp(file, directory, length) != 0 || file[length] != '/') return NULL;
  return file + length + strspn(file + length, "/");
}

static void collect_texts(struct inputs *inputs) {
  for (size_t i = 0; i < inputs->files.count; i++)
    for (size_t d = 0; d < inputs->directories.count; d++) {
      const char *name = name_inside(inputs->files.items[i], inputs->directories.items[d]);
      if (name) vector_push(&inputs->texts, memory_copy_string(name));
    }
}

/* The first directory on the way to the file that is not there stands for all that could be in it. */
static char *cut_after_absent(char *path, size_t directory_length) {
  for (char *slash = path + directory_length; slash; slash = strchr(slash + 1, '/')) {
    *slash = 0;
    if (!files_exists(path)) return path;
    *slash = '/';
  }
  return path;
}

/* Of what was included it only matters whether it could come from elsewhere; of what was asked for, whether it is
 * there. */
static void look_for(struct inputs *inputs, const char *directory, const char *text, bool asked) {
  char *path = files_join(directory, text);
  const bool exists = files_exists(path);
  if (!exists)
    vector_push(&inputs->absent, cut_after_absent(path, strlen(directory)));
  else if (asked)
    vector_push(&inputs->present, path);
  else
    free(path);
}

static void look_everywhere(struct inputs *inputs, names *texts, bool asked) {
  sort_names(texts);
  for (size_t i = 0; i < texts->count; i++) {
    if (texts->items[i][0] == '/')
      look_for(inputs, "", texts->items[i] + 1, asked);
    else
      for (size_t d = 0; d < inputs->directories.count; d++)
        look_for(inputs, inputs->directories.items[d], texts->items[i], asked);
  }
}

/* --- what the files say --- */

/* The text of an `__has_include(<text>)`, where `at` is what follows the name. False if the text is not written there.
 */
static bool add_asked_for(struct inputs *inputs, const char *at) {
  at += strspn(at, "_next");
  at += strspn(at, " \t");
  if (*at != '(') return true; /* "defined(__has_include)" */
  at += 1 + strspn(at + 1, " \t");
  const char *end = *at == '<' ? strchr(at, '>') : *at == '"' ? strchr(at + 1, '"') : NULL;
  if (end) vector_push(&inputs->asked, strndup(at + 1, (size_t)(end - at - 1)));
  return end;
}

static bool is_understood(struct inputs *inputs, const char *contents) {
  static const char *const words[] = {"__DATE__", "__TIME__", "__TIMESTAMP__", "incbin"};
  static const char asks[] = "__has_include";
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (strstr(contents, words[i])) return false;
  for (const char *at = contents; (at = strstr(at, asks));) {
    at += strlen(asks);
    if (!add_asked_for(inputs, at)) return false;
  }
  return true;
}

static bool is_older(const char *path, struct timespec start) {
  struct stat status;
  if (stat(path, &status) < 0) return false;
  const struct timespec changed = status.st_ctim;
  return changed.tv_sec < start.tv_sec || (changed.tv_sec == start.tv_sec && changed.tv_nsec < start.tv_nsec);
}

/* Contents with a zero byte in them are not source that anybody can judge. */
static bool record_file(struct inputs *inputs, const char *path, struct timespec start, struct text *lines) {
  struct text contents = {0};
  const bool good = !strchr(path, '\n') && files_read(path, &contents, &(struct error){0}) && is_older(path, start) &&
                    strlen(text_string(&contents)) == contents.length && is_understood(inputs, text_string(&contents));
  char sum[SHA256_HEX_BYTES];
  sha256_hex(sum, text_string(&contents), contents.length);
  if (good) text_append_format(lines, "file %s %s\n", sum, path);
  text_free(&contents);
  return good;
}

static bool record_names(const char *what, names *list, struct text *lines) {
  sort_names(list);
  for (size_t i = 0; i < list->count; i++) {
    if (strchr(list->items[i], '\n')) return false;
    text_append_format(lines, "%s %s\n", what, list->items[i]);
  }
  return true;
}

static bool record_places(struct inputs *inputs, const struct options *options, struct text *lines) {
  if (!collect_directories(inputs, options)) return false;
  collect_texts(inputs);
  look_everywhere(inputs, &inputs->texts, false);
  look_everywhere(inputs, &inputs->asked, true);
  return record_names("absent", &inputs->absent, lines) && record_names("present", &inputs->present, lines);
}

bool cache_inputs_record(const struct options *options, const char *directory, struct timespec start,
                         struct text *lines) {
  struct inputs inputs = {0};
  bool good = read_lists(options, directory, &inputs.files);
  for (size_t i = 0; i < inputs.files.count && good; i++)
    good = record_file(&inputs, inputs.files.items[i], start, lines);
  good = good && record_places(&inputs, options, lines);
  free_inputs(&inputs);
  return good;
}

/* --- comparing --- */

static bool file_holds(const char *line) {
  struct text contents = {0};
  char sum[SHA256_HEX_BYTES];
  const bool good = strlen(line) > sizeof sum && files_read(line + sizeof sum, &contents, &(struct error){0});
  sha256_hex(sum, text_string(&contents), contents.length);
  text_free(&contents);
  return good && strncmp(line, sum, sizeof sum - 1) == 0;
}

static bool line_holds(const char *line) {
  static const char file[] = "file ", absent[] = "absent ", present[] = "present ";
  if (strncmp(line, file, strlen(file)) == 0) return file_holds(line + strlen(file));
  if (strncmp(line, present, strlen(present)) == 0) return files_exists(line + strlen(present));
  return strncmp(line, absent, strlen(absent)) == 0 && !files_exists(line + strlen(absent));
}

bool cache_inputs_hold(const char *lines) {
  bool good = *lines;
  while (good && *lines) {
    const size_t length = strcspn(lines, "\n");
    char *line = memory_copy_bytes(lines, length);
    good = line_holds(line);
    free(line);
    lines += length + (lines[length] != 0);
  }
  return good;
}
