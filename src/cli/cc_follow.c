/* SPDX-License-Identifier: MIT
 *
 * An object that keeps its module is compiled again from it, with code that follows inputs; an archive is put together
 * again of members that do. An object that something has changed since it was compiled (ld -r, objcopy) is not its
 * module's object any more, and is left as it is: the link then sees that the executable is still wrong.
 */
#include "cli/cc_follow.h"

#include "abi/kept.h"
#include "base/files.h"
#include "cli/cache.h"
#include "cli/elf_object.h"

#include <ar.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- what a file says ---- */

bool follow_is_mentioned(const char *bitcode) {
  static const char *const prefixes[] = {HEDDLE_INPUT_PREFIXES};
  struct text bytes = {0};
  bool mentioned = false;
  if (files_read(bitcode, &bytes, &(struct error){0}) && bytes.length)
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
      mentioned |= memmem(bytes.string, bytes.length, prefixes[i], strlen(prefixes[i])) != NULL;
  text_free(&bytes);
  return mentioned;
}

/* The one record of an object, NULL if it has none, or those of several objects. */
static struct elf_bytes find_record(struct elf_object object, struct kept_module *head) {
  const struct elf_bytes none = {NULL, 0}, record = elf_object_section(object, HEDDLE_KEPT_SECTION);
  if (!record.bytes || record.count < sizeof *head) return none;
  memcpy(head, record.bytes, sizeof *head);
  const bool sound = head->magic == HEDDLE_KEPT_MAGIC && head->size_bytes == record.count - sizeof *head &&
                     head->words_bytes <= head->size_bytes && head->words_bytes > 0 &&
                     record.bytes[sizeof *head + head->words_bytes - 1] == 0;
  return sound ? record : none;
}

static bool write_at(const char *path, size_t offset, const void *bytes, size_t count, struct error *error) {
  const int file = open(path, O_WRONLY | O_CLOEXEC);
  const bool written = file >= 0 && pwrite(file, bytes, count, (off_t)offset) == (ssize_t)count;
  if (file >= 0) close(file);
  return written || error_set_errno(error, "cannot write %s", path);
}

bool follow_seal(const char *object, struct error *error) {
  struct text bytes = {0};
  struct kept_module head;
  if (!files_read(object, &bytes, error)) return false;
  const struct elf_object elf = {text_string(&bytes), bytes.length};
  const struct elf_bytes record = find_record(elf, &head);
  head.symbols = elf_object_sum_symbols(elf);
  const bool good = !record.bytes || write_at(object, (size_t)(record.bytes - elf.bytes), &head, sizeof head, error);
  text_free(&bytes);
  return good;
}

enum follow_state follow_judge(const char *executable, bool demanded) {
  struct text bytes = {0};
  if (!files_read(executable, &bytes, &(struct error){0})) return FOLLOW_RIGHT;
  const struct elf_object elf = {text_string(&bytes), bytes.length};
  const bool plain = elf_object_section(elf, HEDDLE_PLAIN_SECTION).count > 0;
  const bool asks = elf_object_section(elf, HEDDLE_INPUTS_SECTION).count > 0;
  text_free(&bytes);
  return plain && (asks || demanded) ? FOLLOW_WRONG : FOLLOW_RIGHT;
}

/* ---- compiling again ---- */

struct again {
  struct cc_arguments *arguments;
  const char *scratch;
  unsigned files; /* so far in scratch */
};

static const char *new_file(struct again *again, const char *extension) {
  struct text path = {0};
  text_append_format(&path, "%s/again-%u%s", again->scratch, again->files++, extension);
  return cc_arguments_own(again->arguments, path.string);
}

/* Words: the source's name, the level, the rest. */
static bool compile(struct again *again, const char *words, size_t bytes, const char *bitcode, const char *object,
                    struct error *error) {
  string_list command = {0};
  int status;
  const char *level = words + strlen(words) + 1;
  if (level >= words + bytes) return error_set(error, "an object keeps a module without its options");
  vector_push(&command, cc_arguments_own(again->arguments, files_of_heddle("heddle-instrument")));
  vector_push(&command, words);
  vector_push(&command, bitcode);
  vector_push(&command, cc_arguments_own(again->arguments, files_of_heddle("heddle-hooks.bc")));
  vector_push(&command, object);
  for (const char *word = level; word < words + bytes; word += strlen(word) + 1) vector_push(&command, word);
  vector_push(&command, "follow");
  vector_push(&command, NULL);
  const bool good = process_run(command.items, &status, error) &&
                    (status == 0 || error_set(error, "%s cannot be compiled again to follow inputs", words));
  vector_free(&command);
  return good;
}

static bool compile_record(struct again *again, struct elf_bytes record, const struct kept_module *head,
                           const char *object, struct error *error) {
  const char *words = record.bytes + sizeof *head, *bitcode = new_file(again, ".bc");
  const bool good = files_write(bitcode, words + head->words_bytes, head->size_bytes - head->words_bytes, error) &&
                    compile(again, words, head->words_bytes, bitcode, object, error);
  unlink(bitcode);
  return good;
}

/* `heddle run` keeps the whole program instead. */
static bool take_or_compile(struct again *again, struct elf_bytes record, const struct kept_module *head,
                            const char *object, struct error *error) {
  struct cache *cache = again->arguments->options_known ? NULL : cache_open_object(record.bytes, record.count);
  const bool taken = cache_take_object(cache, object);
  const bool good = taken || compile_record(again, record, head, object, error);
  if (good && !taken) cache_keep_object(cache, object);
  cache_close(cache);
  return good;
}

/* *result: the new object, NULL if this one is as good, or cannot be made again. */
static bool follow_object(struct again *again, struct elf_object object, const char **result, struct error *error) {
  struct kept_module head;
  *result = NULL;
  const struct elf_bytes record = find_record(object, &head);
  if (!record.bytes || !elf_object_is_relocatable(object) || head.symbols != elf_object_sum_symbols(object))
    return true;
  const char *made = new_file(again, ".o");
  if (!take_or_compile(again, record, &head, made, error)) return false;
  *result = made;
  return true;
}

/* ---- archives ---- */

/* Of the system's, so that neither of ar's own members counts: the symbols and the long names. */
static bool is_object_member(const struct ar_hdr *header) {
  return memcmp(header->ar_name, "/ ", 2) != 0 && memcmp(header->ar_name, "//", 2) != 0 &&
         memcmp(header->ar_name, "/SYM64/", 7) != 0;
}

typedef bool use_member(struct again *again, struct elf_object member, string_list *members, struct error *error);

/* Goes through the members; false with no error if it is not an archive that we can read. */
static bool for_members(struct again *again, const struct text *archive, use_member *use, string_list *members,
                        struct error *error) {
  size_t at = SARMAG;
  if (archive->length < SARMAG || memcmp(archive->string, ARMAG, SARMAG) != 0) return false;
  while (at + sizeof(struct ar_hdr) <= archive->length) {
    struct ar_hdr header;
    memcpy(&header, archive->string + at, sizeof header);
    at += sizeof header;
    const size_t size = strtoul(header.ar_size, NULL, 10);
    if (memcmp(header.ar_fmag, ARFMAG, 2) != 0 || memcmp(header.ar_name, "#1/", 3) == 0) return false;
    if (size > archive->length - at) return false;
    const struct elf_object member = {archive->string + at, size};
    if (is_object_member(&header) && !use(again, member, members, error)) return false;
    at += size + size % 2;
  }
  return true;
}

static bool keeps_no_module(struct again *again, struct elf_object member, string_list *members, struct error *error) {
  struct kept_module head;
  return find_record(member, &head).bytes == NULL;
}

static bool add_member(struct again *again, struct elf_object member, string_list *members, struct error *error) {
  const char *file;
  if (!follow_object(again, member, &file, error)) return false;
  if (!file) {
    file = new_file(again, ".o");
    if (!files_write(file, member.bytes, member.size_bytes, error)) return false;
  }
  vector_push(members, file);
  return true;
}

static bool make_archive(const char *path, const string_list *members, struct error *error) {
  string_list command = {0};
  int status;
  vector_push(&command, "ar");
  vector_push(&command, "rcs");
  vector_push(&command, path);
  for (size_t i = 0; i < members->count; i++) vector_push(&command, members->items[i]);
  vector_push(&command, NULL);
  const bool good =
      process_run(command.items, &status, error) && (status == 0 || error_set(error, "ar cannot write %s", path));
  vector_free(&command);
  return good;
}

static bool follow_archive(struct again *again, const struct text *archive, const char **result, struct error *error) {
  string_list members = {0};
  *result = NULL;
  if (for_members(again, archive, keeps_no_module, NULL, error)) return true;
  bool good = for_members(again, archive, add_member, &members, error);
  if (good) {
    *result = new_file(again, ".a");
    good = make_archive(*result, &members, error);
  }
  vector_free(&members);
  return good || !error->message[0];
}

/* ---- the arguments ---- */

static bool follow_file(struct again *again, const char *path, const char **result, struct error *error) {
  struct text bytes = {0};
  *result = NULL;
  if (!files_read(path, &bytes, &(struct error){0}) || bytes.length < SARMAG) return true;
  const bool good = memcmp(bytes.string, ARMAG, SARMAG) == 0
                        ? follow_archive(again, &bytes, result, error)
                        : follow_object(again, (struct elf_object){bytes.string, bytes.length}, result, error);
  text_free(&bytes);
  return good;
}

/* The archive that -lNAME means, of those in the directories that the command line names; NULL if none is there. */
static const char *archive_of_library(struct cc_arguments *arguments, const char *name) {
  for (size_t i = 0; i < arguments->items.count; i++) {
    const char *text = arguments->items.items[i].text;
    if (arguments->items.items[i].kind != CC_FLAG || strncmp(text, "-L", 2) != 0) continue;
    struct text path = {0};
    text_append_format(&path, name[0] == ':' ? "%s/%s" : "%s/lib%s.a", text + 2, name + (name[0] == ':'));
    const char *archive = cc_arguments_own(arguments, path.string);
    if (files_exists(archive)) return archive;
  }
  return NULL;
}

static const char *path_of(struct cc_arguments *arguments, const struct cc_item *item) {
  if (item->kind == CC_FILE) return item->text;
  return strncmp(item->text, "-l", 2) == 0 ? archive_of_library(arguments, item->text + 2) : NULL;
}

bool follow_items(struct cc_arguments *arguments, const char *scratch, struct error *error) {
  struct again again = {arguments, scratch, 0};
  for (size_t i = 0; i < arguments->items.count; i++) {
    struct cc_item *item = &arguments->items.items[i];
    const char *path = path_of(arguments, item), *file = NULL;
    if (path && !follow_file(&again, path, &file, error)) return false;
    if (file) *item = (struct cc_item){.kind = CC_FILE, .text = file};
  }
  return true;
}
