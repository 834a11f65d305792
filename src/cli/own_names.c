/* SPDX-License-Identifier: MIT
 *
 * An object has a table of symbols. An archive begins with a list of what its members define; of these only code that
 * heddle compiled is the program's, which shows by its marks (src/instrument/stubs.c): libc.a defines f as well. A
 * member is linked only if somebody asks for what it defines, and nobody asks for f any more: the link is told to.
 */
#include "cli/own_names.h"

#include "base/files.h"
#include "cli/elf_object.h"

#include <stdlib.h>
#include <string.h>

struct replaced {
  const char *name, *called, *original; /* what calls of it have become, and what the linker calls the original */
};

static struct replaced rows[] = {
#define WRAP(name, model, words) {#name, "__wrap_" #name, "__real_" #name},
#define RENAME(name, model, words) {#name, "__heddle_call_" #name, #name},
#define PLAIN(name)
#include "abi/intercepts.def"
#undef WRAP
#undef RENAME
#undef PLAIN
};

enum { ROWS = sizeof rows / sizeof *rows };

static int compare_rows(const void *a, const void *b) {
  return strcmp(((const struct replaced *)a)->name, ((const struct replaced *)b)->name);
}

static const struct replaced *find_row(const char *name) {
  static bool sorted;
  if (!sorted) qsort(rows, ROWS, sizeof *rows, compare_rows);
  sorted = true;
  const struct replaced key = {.name = name};
  return bsearch(&key, rows, ROWS, sizeof *rows, compare_rows);
}

static void add_word(word_list *words, const char *format, const char *first, const char *second) {
  struct text word = {0};
  text_append_format(&word, format, first, second);
  vector_push(words, word.string);
}

static void note(const char *name, bool in_archive, word_list *words) {
  const struct replaced *row = find_row(name);
  if (!row) return;
  add_word(words, "--defsym=%s=%s", row->called, row->original);
  if (in_archive) add_word(words, "--undefined=%s%s", row->name, "");
}

/* ---- objects ---- */

static void note_definition(void *words, const Elf64_Sym *symbol, const char *name) {
  if (symbol->st_shndx != SHN_UNDEF && ELF64_ST_TYPE(symbol->st_info) == STT_FUNC) note(name, false, words);
}

/* ---- archives: nothing is read beyond their end ---- */

static bool has(const struct text *file, uint64_t offset, uint64_t size_bytes) {
  return offset <= file->length && size_bytes <= file->length - offset;
}

/* A string that ends in the file; NULL: there is none. */
static const char *string_at(const struct text *file, uint64_t offset) {
  if (!has(file, offset, 1)) return NULL;
  return memchr(file->string + offset, 0, file->length - offset) ? file->string + offset : NULL;
}

#define ARCHIVE_MAGIC "!<arch>\n"
#define MEMBER_HEADER 60u

static const char followed[] = "__heddle_followed_"; /* stubs_mark_prefix */

static uint64_t read_big_endian(const struct text *file, uint64_t offset, unsigned bytes) {
  uint64_t value = 0;
  for (unsigned i = 0; i < bytes; i++) value = value << 8 | (unsigned char)file->string[offset + i];
  return value;
}

/* Its first member, "/" or "/SYM64/": how many symbols, where their members are, their names. */
static void read_archive(const struct text *file, word_list *words) {
  const uint64_t member = sizeof ARCHIVE_MAGIC - 1, list = member + MEMBER_HEADER;
  if (!has(file, member, MEMBER_HEADER)) return;
  const unsigned bytes = memcmp(file->string + member, "/SYM64/ ", 8) == 0 ? 8 : 4;
  if ((bytes == 4 && memcmp(file->string + member, "/ ", 2) != 0) || !has(file, list, bytes)) return;
  const uint64_t count = read_big_endian(file, list, bytes);
  if (count > file->length / bytes) return;
  const char *name = string_at(file, list + bytes + count * bytes);
  for (uint64_t i = 0; i < count && name; i++) {
    if (strncmp(name, followed, sizeof followed - 1) == 0) note(name + sizeof followed - 1, true, words);
    name = string_at(file, (uint64_t)(name - file->string) + strlen(name) + 1);
  }
}

void own_names_add_words(const char *path, word_list *words) {
  struct text file = {0};
  if (!files_read(path, &file, &(struct error){0})) return;
  const struct elf_object object = {text_string(&file), file.length};
  if (elf_object_is_relocatable(object))
    elf_object_each_symbol(object, note_definition, words);
  else if (has(&file, 0, sizeof ARCHIVE_MAGIC - 1) && memcmp(file.string, ARCHIVE_MAGIC, sizeof ARCHIVE_MAGIC - 1) == 0)
    read_archive(&file, words);
  text_free(&file);
}
