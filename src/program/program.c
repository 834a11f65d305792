/* SPDX-License-Identifier: MIT */
#include "program/program.h"

#include "abi/kept.h"
#include "base/demangle.h"
#include "base/memory.h"
#include "program/lines.h"

#include <elf.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

struct symbol {
  uint64_t address, size_bytes;
  const char *name;
  char *shown; /* of C++, as people write it; NULL: not asked for, or not of C++ */
};

struct program {
  const char *bytes;
  uint64_t size_bytes;
  const Elf64_Ehdr *header;
  const Elf64_Phdr *segments;
  const Elf64_Shdr *sections;
  VECTOR(struct symbol) symbols; /* sorted by address */
  VECTOR(struct program_note) notes;
  struct types *types; /* read when first asked for */
};

/* --- finding things in the file --- */

static bool is_inside(const struct program *program, uint64_t offset, uint64_t bytes) {
  return offset <= program->size_bytes && bytes <= program->size_bytes - offset;
}

/* The string at the file offset, "" unless it ends inside the file. */
static const char *string_at_offset(const struct program *program, uint64_t offset) {
  if (offset >= program->size_bytes) return "";
  const char *string = program->bytes + offset;
  return memchr(string, 0, program->size_bytes - offset) ? string : "";
}

/* Where `bytes` bytes at the virtual address lie in the file; NULL if they do not. */
static const void *at_address(const struct program *program, uint64_t address, uint64_t bytes) {
  for (int i = 0; i < program->header->e_phnum; i++) {
    const Elf64_Phdr *segment = &program->segments[i];
    if (segment->p_type != PT_LOAD || address < segment->p_vaddr) continue;
    const uint64_t inside = address - segment->p_vaddr;
    if (inside > segment->p_filesz || bytes > segment->p_filesz - inside) continue;
    if (is_inside(program, segment->p_offset + inside, bytes)) return program->bytes + segment->p_offset + inside;
  }
  return NULL;
}

/* The same for a record of our own tables, which are aligned. */
static const void *record_at(const struct program *program, uint64_t address, uint64_t bytes) {
  const void *record = at_address(program, address, bytes);
  return (uint64_t)record % 8 == 0 ? record : NULL;
}

static const char *string_at_address(const struct program *program, const char *pointer) {
  const char *string = at_address(program, (uint64_t)pointer, 1);
  return string ? string_at_offset(program, (uint64_t)(string - program->bytes)) : "";
}

static const Elf64_Shdr *find_section(const struct program *program, const char *name) {
  const Elf64_Ehdr *header = program->header;
  if (header->e_shstrndx >= header->e_shnum) return NULL;
  const uint64_t names = program->sections[header->e_shstrndx].sh_offset;
  for (int i = 0; i < header->e_shnum; i++)
    if (strcmp(string_at_offset(program, names + program->sections[i].sh_name), name) == 0)
      return &program->sections[i];
  return NULL;
}

/* The contents of a section as `count` items; NULL if there is none. */
static const void *section_items(const struct program *program, const char *name, size_t item_bytes, size_t *count) {
  const Elf64_Shdr *section = find_section(program, name);
  *count = 0;
  if (!section || section->sh_type == SHT_NOBITS) return NULL;
  if (!is_inside(program, section->sh_offset, section->sh_size) || section->sh_offset % 8 != 0) return NULL;
  *count = section->sh_size / item_bytes;
  return program->bytes + section->sh_offset;
}

/* --- symbols --- */

static int compare_symbols(const void *a, const void *b) {
  const struct symbol *x = a, *y = b;
  if (x->address != y->address) return x->address < y->address ? -1 : 1;
  if (x->size_bytes != y->size_bytes) return x->size_bytes < y->size_bytes ? -1 : 1;
  return strcmp(x->name, y->name);
}

static void read_symbols(struct program *program) {
  size_t count;
  const Elf64_Sym *symbols = section_items(program, ".symtab", sizeof *symbols, &count);
  const Elf64_Shdr *names = find_section(program, ".strtab");
  if (!symbols || !names) return;
  for (size_t i = 0; i < count; i++) {
    const int type = ELF64_ST_TYPE(symbols[i].st_info);
    if ((type != STT_OBJECT && type != STT_FUNC) || symbols[i].st_size == 0) continue;
    const struct symbol symbol = {symbols[i].st_value, symbols[i].st_size,
                                  string_at_offset(program, names->sh_offset + symbols[i].st_name), NULL};
    vector_push(&program->symbols, symbol);
  }
  if (program->symbols.count > 0)
    qsort(program->symbols.items, program->symbols.count, sizeof *program->symbols.items, compare_symbols);
}

/* Made when somebody asks for it. */
static const char *name_of(const struct program *program, size_t number) {
  struct symbol *symbol = &((struct program *)program)->symbols.items[number];
  if (!symbol->shown && !(symbol->shown = demangle(symbol->name))) return symbol->name;
  return symbol->shown;
}

const char *program_symbol(const struct program *program, uint64_t address, uint64_t *offset) {
  size_t low = 0, high = program->symbols.count;
  while (low < high) {
    const size_t middle = (low + high) / 2;
    if (program->symbols.items[middle].address <= address)
      low = middle + 1;
    else
      high = middle;
  }
  if (low == 0) return NULL;
  const struct symbol *symbol = &program->symbols.items[low - 1];
  *offset = address - symbol->address;
  return *offset < symbol->size_bytes ? name_of(program, low - 1) : NULL;
}

/* --- sites and notes --- */

struct place program_place(const struct program *program, site_id id) {
  const struct site *site = record_at(program, id, sizeof *site);
  if (id == 0 || !site) return (struct place){"", "", "", 0};
  return (struct place){string_at_address(program, site->file), string_at_address(program, site->function),
                        string_at_address(program, site->variable), site->line};
}

static bool is_noted(const struct program *program, enum note_kind kind, const char *what) {
  for (size_t i = 0; i < program->notes.count; i++)
    if (program->notes.items[i].kind == kind && strcmp(program->notes.items[i].what, what) == 0) return true;
  return false;
}

static void read_notes(struct program *program) {
  size_t count;
  const struct note *const *pointers = section_items(program, HEDDLE_NOTES_SECTION, sizeof *pointers, &count);
  for (size_t i = 0; i < count; i++) {
    const struct note *note = record_at(program, (uint64_t)pointers[i], sizeof *note);
    if (!note) continue;
    const char *what = string_at_address(program, note->what);
    if (is_noted(program, note->kind, what)) continue;
    const struct program_note read = {note->kind, what, program_place(program, (site_id)(uint64_t)note->site)};
    vector_push(&program->notes, read);
  }
}

size_t program_notes(const struct program *program) {
  return program->notes.count;
}

struct program_note program_note(const struct program *program, size_t i) {
  return program->notes.items[i];
}

bool program_follows_inputs(const struct program *program) {
  const Elf64_Shdr *section = find_section(program, HEDDLE_PLAIN_SECTION);
  return !section || section->sh_size == 0;
}

/* --- instructions --- */

static struct bytes section_bytes(const struct program *program, const char *name) {
  const Elf64_Shdr *section = find_section(program, name);
  if (!section || section->sh_flags & SHF_COMPRESSED || !is_inside(program, section->sh_offset, section->sh_size))
    return (struct bytes){NULL, 0};
  return (struct bytes){(const uint8_t *)program->bytes + section->sh_offset, section->sh_size};
}

static const char *base_name(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

/* A file of this name as the sites name it: with the directory the user knows. NULL: they do not. */
static const char *full_name(const struct program *program, const char *name) {
  size_t count;
  const struct site *sites = section_items(program, HEDDLE_SITES_SECTION, sizeof *sites, &count);
  for (size_t i = 0; i < count; i++) {
    const char *file = string_at_address(program, sites[i].file);
    if (strcmp(base_name(file), name) == 0) return file;
  }
  return NULL;
}

/* Is there a site in a function of this name? Then heddle compiled it. */
static bool has_sites(const struct program *program, const char *function) {
  size_t count;
  const struct site *sites = section_items(program, HEDDLE_SITES_SECTION, sizeof *sites, &count);
  for (size_t i = 0; i < count; i++)
    if (strcmp(string_at_address(program, sites[i].function), function) == 0) return true;
  return false;
}

struct place program_code_place(const struct program *program, uint64_t address) {
  const struct debug_sections sections = {section_bytes(program, ".debug_line"),
                                          section_bytes(program, ".debug_line_str"),
                                          section_bytes(program, ".debug_str")};
  struct place place = {"", "", "", 0};
  uint64_t offset;
  const char *function = program_symbol(program, address, &offset), *file;
  if (!function) return place;
  const bool has_line = lines_find(&sections, address, &file, &place.line);
  const char *full = has_line ? full_name(program, file) : NULL;
  if (!full && !has_sites(program, function)) return (struct place){"", "", "", 0};
  place.function = function;
  if (has_line) place.file = full ? full : file;
  return place;
}

static void read_types(struct program *program) {
  const struct type_sections sections = {
      .info = section_bytes(program, ".debug_info"),
      .abbreviations = section_bytes(program, ".debug_abbrev"),
      .strings = section_bytes(program, ".debug_str"),
      .line_strings = section_bytes(program, ".debug_line_str"),
      .string_offsets = section_bytes(program, ".debug_str_offsets"),
      .addresses = section_bytes(program, ".debug_addr"),
  };
  program->types = types_open(&sections);
}

bool program_append_variable(const struct program *program, struct text *text, uint64_t address, uint32_t size,
                             enum value_kind *kind) {
  uint64_t offset;
  enum value_kind unused;
  const char *symbol = program_symbol(program, address, &offset);
  if (!symbol) return false;
  if (!program->types) read_types((struct program *)program);
  struct text part = {0};
  const bool known = types_append_part(program->types, &part, address - offset, offset, size, kind ? kind : &unused);
  if (known) text_append_format(text, "%s%s", symbol, text_string(&part));
  text_free(&part);
  return known;
}

uint32_t program_coverage_bytes(const struct program *program) {
  const Elf64_Shdr *section = find_section(program, HEDDLE_COVERAGE_SECTION);
  return section && section->sh_size < (1u << 28) ? (uint32_t)section->sh_size : 0;
}

static void list_points(const struct program *program, const char *section, uint32_t bytes, coverage_points *points) {
  const Elf64_Shdr *coverage = find_section(program, HEDDLE_COVERAGE_SECTION);
  size_t count;
  const struct branch *rows = section_items(program, section, sizeof *rows, &count);
  for (size_t i = 0; i < count && coverage; i++) {
    const uint64_t byte = (uint64_t)rows[i].covered - coverage->sh_addr;
    if (byte + bytes > program_coverage_bytes(program) || byte + bytes < byte) continue;
    const struct place place = program_place(program, (site_id)(uint64_t)rows[i].site);
    vector_push(points, ((struct coverage_point){place, (uint32_t)byte}));
  }
}

void program_list_branches(const struct program *program, coverage_points *points) {
  list_points(program, HEDDLE_BRANCHES_SECTION, 2, points);
}

void program_list_lines(const struct program *program, coverage_points *points) {
  list_points(program, HEDDLE_LINES_SECTION, 1, points);
}

uint8_t *program_branch_sides(const struct program *program) {
  uint8_t *is_side = memory_allocate(program_coverage_bytes(program) + 1);
  coverage_points branches = {0};
  program_list_branches(program, &branches);
  for (size_t i = 0; i < branches.count; i++) is_side[branches.items[i].byte] = is_side[branches.items[i].byte + 1] = 1;
  vector_free(&branches);
  return is_side;
}

/* --- the file --- */

static bool map_file(struct program *program, const char *path, struct error *error) {
  struct stat status;
  const int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0 || fstat(file, &status) < 0) {
    error_set_errno(error, "cannot read %s", path);
    if (file >= 0) close(file);
    return false;
  }
  program->size_bytes = (uint64_t)status.st_size;
  void *bytes = status.st_size > 0 ? mmap(NULL, program->size_bytes, PROT_READ, MAP_PRIVATE, file, 0) : MAP_FAILED;
  close(file);
  if (bytes == MAP_FAILED) return error_set(error, "cannot read %s: give C files, or what 'heddle cc' built", path);
  program->bytes = bytes;
  return true;
}

static bool has_sound_header(const struct program *program) {
  const Elf64_Ehdr *header = program->header;
  if (program->size_bytes < sizeof *header || memcmp(header->e_ident, ELFMAG, SELFMAG) != 0) return false;
  if (header->e_ident[EI_CLASS] != ELFCLASS64 || header->e_phoff % 8 != 0 || header->e_shoff % 8 != 0) return false;
  if (header->e_phentsize != sizeof(Elf64_Phdr) || header->e_shentsize != sizeof(Elf64_Shdr)) return false;
  return is_inside(program, header->e_phoff, header->e_phnum * sizeof(Elf64_Phdr)) &&
         is_inside(program, header->e_shoff, header->e_shnum * sizeof(Elf64_Shdr));
}

static bool read_program(struct program *program, const char *path, struct error *error) {
  if (!map_file(program, path, error)) return false;
  program->header = (const Elf64_Ehdr *)program->bytes;
  if (!has_sound_header(program))
    return error_set(error, "%s is not an executable: give C files, or what 'heddle cc' built", path);
  program->segments = (const Elf64_Phdr *)(program->bytes + program->header->e_phoff);
  program->sections = (const Elf64_Shdr *)(program->bytes + program->header->e_shoff);
  if (!find_section(program, HEDDLE_FUNCTIONS_SECTION) && !find_section(program, HEDDLE_SITES_SECTION))
    return error_set(error, "%s was not built by heddle: build it with 'heddle cc'", path);
  read_symbols(program);
  read_notes(program);
  return true;
}

bool program_open(struct program **result, const char *path, struct error *error) {
  struct program *program = memory_allocate(sizeof *program);
  if (!read_program(program, path, error)) {
    program_close(program);
    return false;
  }
  *result = program;
  return true;
}

void program_close(struct program *program) {
  if (program->bytes) munmap((void *)program->bytes, program->size_bytes);
  for (size_t i = 0; i < program->symbols.count; i++) free(program->symbols.items[i].shown);
  vector_free(&program->symbols);
  vector_free(&program->notes);
  if (program->types) types_close(program->types);
  free(program);
}
