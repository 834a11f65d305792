/* SPDX-License-Identifier: MIT
 *
 * An executor is static and without PIE: every object has the same address in every run, and all writable memory can be
 * put back between runs. Three ways lead around libraries that are shared objects:
 *   - `-shared` makes a relocatable object under the library's name, so that a program linked with it later contains
 * the library's instrumented code;
 *   - a shared object with an archive beside it (libz.so, libz.a) is replaced by the archive;
 *   - if only the shared object exists, the link is dynamic after all, and says what that costs.
 *
 * Most links need objects and libraries only. For those the linker is started directly, with the words that clang would
 * give it (scripts/link-words) and a runtime that is linked with its part of the C library already (scripts/prelink):
 * that takes a sixth of the time. All other links, and those that fail so, are clang's.
 */
#include "cli/cc_link.h"

#include "abi/sites.h"
#include "base/files.h"
#include "cli/cc_follow.h"
#include "cli/own_names.h"

#include <elf.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const wrapped[] = {
    "-Wl,--wrap=main",
#define WRAP(name, model, words) "-Wl,--wrap=" #name,
#define RENAME(name, model, words)
#define PLAIN(name)
#include "abi/intercepts.def"
#undef WRAP
#undef RENAME
#undef PLAIN
};

static uint16_t elf_type(const char *path) {
  Elf64_Ehdr header;
  const int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return ET_NONE;
  const bool elf = read(fd, &header, sizeof header) == sizeof header && memcmp(header.e_ident, ELFMAG, SELFMAG) == 0;
  close(fd);
  return elf ? header.e_type : ET_NONE;
}

/* The archive beside a shared object, or NULL. */
static char *archive_beside(const char *path) {
  const char *suffix = strstr(path, ".so");
  if (!suffix || elf_type(path) != ET_DYN) return NULL;
  struct text archive = {0};
  text_append_bytes(&archive, path, (size_t)(suffix - path));
  text_append(&archive, ".a");
  if (files_exists(archive.string)) return archive.string;
  text_free(&archive);
  return NULL;
}

/* What -lNAME means in the directories that the command line names, if it is an archive or a relocatable object made by
 * -shared; or NULL. */
static char *library_file(const struct cc_arguments *arguments, const char *name) {
  for (size_t i = 0; i < arguments->items.count; i++) {
    const char *text = arguments->items.items[i].text;
    if (arguments->items.items[i].kind != CC_FLAG || strncmp(text, "-L", 2) != 0) continue;
    struct text path = {0};
    text_append_format(&path, "%s/lib%s.a", text + 2, name);
    if (files_exists(path.string)) return path.string;
    text_clear(&path);
    text_append_format(&path, "%s/lib%s.so", text + 2, name);
    if (elf_type(path.string) == ET_REL) return path.string;
    text_free(&path);
  }
  return NULL;
}

static char *file_of(const struct cc_arguments *arguments, const struct cc_item *item) {
  if (item->kind == CC_FILE) return archive_beside(item->text);
  return strncmp(item->text, "-l", 2) == 0 ? library_file(arguments, item->text + 2) : NULL;
}

/* What the program defines itself is not replaced. The linker's words begin with `prefix`. */
static void add_own_names(struct cc_arguments *arguments, const char *file, const char *prefix, string_list *command) {
  word_list words = {0};
  own_names_add_words(file, &words);
  for (size_t i = 0; i < words.count; i++) {
    struct text word = {0};
    text_append_format(&word, "%s%s", prefix, words.items[i]);
    vector_push(command, cc_arguments_own(arguments, word.string));
    free(words.items[i]);
  }
  vector_free(&words);
}

static void add_items(struct cc_arguments *arguments, const char *prefix, string_list *command) {
  bool bundled = false;
  for (size_t i = 0; i < arguments->items.count; i++) {
    const struct cc_item *item = &arguments->items.items[i];
    char *found = file_of(arguments, item);
    const char *file = found ? cc_arguments_own(arguments, found) : item->kind == CC_FILE ? item->text : NULL;
    if (file) add_own_names(arguments, file, prefix, command);
    const bool is_object = file && elf_type(file) == ET_REL;
    const bool is_replaced = found && (item->kind == CC_FILE || is_object); /* ld would not look at such an object */
    bundled |= is_replaced || (is_object && strstr(file, ".so"));
    vector_push(command, is_replaced ? file : item->text);
  }
  if (!bundled) return;
  /* A shared library may define what the program defines too: the program's comes first. */
  struct text allow = {0};
  text_append_format(&allow, "%s--allow-multiple-definition", prefix);
  vector_push(command, cc_arguments_own(arguments, allow.string));
}

/* What is in libstdc++ lies between the marks. */
static void add_cxx_library(struct cc_arguments *arguments, string_list *command) {
  if (!arguments->links_cxx) return;
  vector_push(command, cc_arguments_own(arguments, files_of_heddle("cxx/begin.o")));
  vector_push(command, cc_arguments_own(arguments, files_of_heddle("cxx/support.o")));
  vector_push(command, "-lstdc++");
  vector_push(command, "-lm");
  vector_push(command, cc_arguments_own(arguments, files_of_heddle("cxx/end.o")));
}

static void add_runtime(struct cc_arguments *arguments, string_list *command) {
  for (size_t i = 0; i < sizeof wrapped / sizeof *wrapped; i++) vector_push(command, wrapped[i]);
  vector_push(command, cc_arguments_own(arguments, files_of_heddle("libheddle-rt.a")));
  add_cxx_library(arguments, command);
  vector_push(command, cc_arguments_own(arguments, files_of_heddle("libheddle-sync.a")));
  vector_push(command, "-L");
  vector_push(command, cc_arguments_own(arguments, files_of_heddle("."))); /* for -lheddle-sync */
}

static void link_command(struct cc_arguments *arguments, bool statically, string_list *command) {
  vector_push(command, "clang-19");
  vector_push(command, "-Wno-unused-command-line-argument");
  if (statically) vector_push(command, "-static");
  vector_push(command, "-no-pie");
  vector_push(command, "-Wl,--build-id=none");
  vector_push(command, "-o");
  vector_push(command, arguments->output ? arguments->output : "a.out");
  add_items(arguments, "-Wl,", command);
  add_runtime(arguments, command);
  vector_push(command, NULL);
}

/* --- without clang --- */

static bool is_plain(const struct cc_item *item) {
  return item->kind == CC_FILE || strncmp(item->text, "-l", 2) == 0 || strncmp(item->text, "-L", 2) == 0 ||
         strcmp(item->text, "-pthread") == 0;
}

/* Whether clang would add nothing of its own to the words that we know. */
static bool can_link_directly(const struct cc_arguments *arguments) {
  if (getenv("COMPILER_PATH") || getenv("CCC_OVERRIDE_OPTIONS")) return false;
  for (size_t i = 0; i < arguments->items.count; i++)
    if (!is_plain(&arguments->items.items[i])) return false;
  return true;
}

/* The directories of LIBRARY_PATH, as clang reads it: an empty one is the current directory. */
static void add_library_path(struct cc_arguments *arguments, string_list *command) {
  const char *path = getenv("LIBRARY_PATH");
  while (path && *path) {
    const size_t length = strcspn(path, ":");
    struct text word = {0};
    text_append_format(&word, "-L%.*s", length ? (int)length : 1, length ? path : ".");
    vector_push(command, cc_arguments_own(arguments, word.string));
    path += length;
    if (*path == ':' && !*++path) vector_push(command, "-L.");
  }
}

/* A response file of the linker's, of those in link/. */
static void add_words(struct cc_arguments *arguments, const char *name, string_list *command) {
  struct text word = {0};
  char *path = files_of_heddle(name);
  text_append_format(&word, "@%s", path);
  free(path);
  vector_push(command, cc_arguments_own(arguments, word.string));
}

/* Whether one object is all of the program, besides the C library. */
static bool is_one_object(const struct cc_arguments *arguments) {
  size_t files = 0;
  for (size_t i = 0; i < arguments->items.count; i++) {
    const struct cc_item *item = &arguments->items.items[i];
    const char *text = item->text;
    if (item->kind == CC_FILE && (files++ > 0 || elf_type(text) != ET_REL || strstr(text, ".so"))) return false;
    if (strncmp(text, "-l", 2) == 0 && strcmp(text, "-lm") != 0 && strcmp(text, "-lpthread") != 0) return false;
  }
  return files == 1;
}

static void direct_command(struct cc_arguments *arguments, string_list *command) {
  vector_push(command, "ld");
  vector_push(command, "-o");
  vector_push(command, arguments->output ? arguments->output : "a.out");
  vector_push(command, "-L");
  vector_push(command, cc_arguments_own(arguments, files_of_heddle("."))); /* for -lheddle-sync */
  add_words(arguments, "link/begin", command);
  add_library_path(arguments, command);
  string_list items = {0};
  add_items(arguments, "", &items);
  for (size_t i = 0; i < items.count; i++)
    vector_push(command, strcmp(items.items[i], "-pthread") == 0 ? "-lpthread" : items.items[i]);
  vector_free(&items);
  if (!arguments->links_cxx && is_one_object(arguments)) vector_push(command, "--defsym=" HEDDLE_ALONE "=1");
  add_words(arguments, "link/wrapped", command);
  vector_push(command, cc_arguments_own(arguments, files_of_heddle("link/runtime.o")));
  add_cxx_library(arguments, command);
  add_words(arguments, "link/end", command);
  vector_push(command, NULL);
}

/* --- bundles --- */

/* One relocatable object from all objects; nothing is resolved. */
static void bundle_command(struct cc_arguments *arguments, string_list *command) {
  vector_push(command, "clang-19");
  vector_push(command, "-r");
  vector_push(command, "-nostdlib");
  vector_push(command, "-o");
  vector_push(command, arguments->output ? arguments->output : "a.out");
  for (size_t i = 0; i < arguments->items.count; i++) {
    const struct cc_item *item = &arguments->items.items[i];
    const bool object = item->kind == CC_FILE && elf_type(item->text) != ET_DYN;
    const bool archives = item->kind == CC_FLAG && strstr(item->text, "whole-archive");
    if (object || archives) vector_push(command, item->text);
  }
  vector_push(command, NULL);
}

/* Runs a command with its standard error in a file. */
static bool run_captured(const char *const *command, const char *path, int *status, struct error *error) {
  const int saved = fcntl(2, F_DUPFD_CLOEXEC, 3);
  const int file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (saved < 0 || file < 0) return error_set_errno(error, "cannot write %s", path);
  fflush(stderr);
  dup2(file, 2);
  close(file);
  const bool good = process_run(command, status, error);
  dup2(saved, 2);
  close(saved);
  return good;
}

/* The library that the linker missed in a static link, from its complaint; NULL if it failed for another reason. */
static char *library_without_archive(const char *complaint) {
  static const char *const marks[] = {"cannot find -l", "attempted static link of dynamic object `"};
  for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
    const char *found = strstr(complaint, marks[i]);
    if (!found) continue;
    const char *name = found + strlen(marks[i]) - (i == 0 ? 2 : 0);
    return strndup(name, strcspn(name, ":'\n"));
  }
  return NULL;
}

static bool link_dynamically(struct cc_arguments *arguments, const char *library, int *status, struct error *error) {
  string_list command = {0};
  link_command(arguments, false, &command);
  const bool good = process_run(command.items, status, error);
  vector_free(&command);
  if (good && *status == 0)
    fprintf(stderr,
            "heddle cc: note: %s exists only as a shared library, so the link is dynamic: what happens inside shared "
            "libraries is not controlled (their calls of pthread functions are not seen, their memory accesses are not "
            "visible operations)\n",
            library);
  return good;
}

/* Runs a command and frees it; what it says on standard error goes into *complaint. */
static bool run_and_listen(string_list *command, const char *scratch, int *status, struct text *complaint,
                           struct error *error) {
  char *path = files_join(scratch, "linker");
  const bool good = run_captured(command->items, path, status, error) && files_read(path, complaint, error);
  free(path);
  vector_free(command);
  return good;
}

/* False if it cannot be linked that way: then the other way says what is wrong. */
static bool link_directly(struct cc_arguments *arguments, const char *scratch) {
  if (!can_link_directly(arguments)) return false;
  string_list command = {0};
  struct text warnings = {0};
  struct error unused = {0};
  int status;
  direct_command(arguments, &command);
  const bool linked = run_and_listen(&command, scratch, &status, &warnings, &unused) && status == 0;
  if (linked) fputs(text_string(&warnings), stderr);
  text_free(&warnings);
  return linked;
}

static bool link_with_clang(struct cc_arguments *arguments, const char *scratch, int *status, struct error *error) {
  string_list command = {0};
  struct text complaint = {0};
  link_command(arguments, true, &command);
  bool good = run_and_listen(&command, scratch, status, &complaint, error);
  char *library = good && *status ? library_without_archive(text_string(&complaint)) : NULL;
  if (library)
    good = link_dynamically(arguments, library, status, error);
  else
    fputs(text_string(&complaint), stderr);
  free(library);
  text_free(&complaint);
  return good;
}

static bool link_once(struct cc_arguments *arguments, const char *scratch, int *status, struct error *error) {
  *status = 0;
  return link_directly(arguments, scratch) || link_with_clang(arguments, scratch, status, error);
}

/* Whether the executable asks for inputs that some of its code does not follow. */
static bool is_wrong(const struct cc_arguments *arguments, int status) {
  const char *output = arguments->output ? arguments->output : "a.out";
  return status == 0 && follow_judge(output, arguments->follow) == FOLLOW_WRONG;
}

static bool refuse(const struct cc_arguments *arguments, struct error *error) {
  const char *output = arguments->output ? arguments->output : "a.out";
  unlink(output);
  return error_set(error,
                   "%s asks for inputs, but some of its objects do not follow them and cannot be compiled again here "
                   "(something has changed them since, such as ld -r or objcopy): compile them with --heddle-follow",
                   output);
}

/* What is linked says whether it asks for inputs; then objects that do not follow them are replaced. */
static bool link_executable(struct cc_arguments *arguments, const char *scratch, int *status, struct error *error) {
  setenv("LC_ALL", "C", 1); /* the linker's complaints are read */
  if (arguments->follow && !follow_items(arguments, scratch, error)) return false;
  if (!link_once(arguments, scratch, status, error)) return false;
  if (!is_wrong(arguments, *status)) return true;
  if (arguments->follow) return refuse(arguments, error);
  arguments->follow = true;
  return link_executable(arguments, scratch, status, error);
}

static bool link_bundle(struct cc_arguments *arguments, int *status, struct error *error) {
  string_list command = {0};
  bundle_command(arguments, &command);
  const bool good = process_run(command.items, status, error);
  vector_free(&command);
  if (good && *status == 0 && arguments->shared)
    fprintf(stderr, "heddle cc: note: %s is a relocatable object, for static links only: dlopen cannot load it\n",
            arguments->output ? arguments->output : "a.out");
  return good;
}

bool cc_link(struct cc_arguments *arguments, const char *scratch, int *status, struct error *error) {
  if (arguments->shared || arguments->relocatable)
    return follow_items(arguments, scratch, error) && link_bundle(arguments, status, error);
  return link_executable(arguments, scratch, status, error);
}
