/* SPDX-License-Identifier: MIT */
#include "cli/elf_object.h"

#include "base/hash.h"

#include <string.h>

static bool is_inside(struct elf_object object, uint64_t offset, uint64_t bytes) {
  return offset <= object.size_bytes && bytes <= object.size_bytes - offset;
}

/* Copied: members of archives are not aligned. False if the file is no ELF file. */
static bool read_header(struct elf_object object, Elf64_Ehdr *header) {
  if (object.size_bytes < sizeof *header) return false;
  memcpy(header, object.bytes, sizeof *header);
  return memcmp(header->e_ident, ELFMAG, SELFMAG) == 0 && header->e_ident[EI_CLASS] == ELFCLASS64 &&
         header->e_shentsize == sizeof(Elf64_Shdr) &&
         is_inside(object, header->e_shoff, header->e_shnum * sizeof(Elf64_Shdr));
}

bool elf_object_is_relocatable(struct elf_object object) {
  Elf64_Ehdr header;
  return read_header(object, &header) && header.e_type == ET_REL && header.e_machine == EM_X86_64;
}

/* The number of sections: in the first section's size if there are many. */
static uint64_t count_sections(struct elf_object object, const Elf64_Ehdr *header) {
  Elf64_Shdr first;
  if (header->e_shnum || !is_inside(object, header->e_shoff, sizeof first)) return header->e_shnum;
  memcpy(&first, object.bytes + header->e_shoff, sizeof first);
  return is_inside(object, header->e_shoff, first.sh_size) && first.sh_size < object.size_bytes / sizeof first
             ? first.sh_size
             : 0;
}

static bool read_section(struct elf_object object, const Elf64_Ehdr *header, uint64_t index, Elf64_Shdr *section) {
  if (index >= count_sections(object, header)) return false;
  const uint64_t offset = header->e_shoff + index * sizeof *section;
  if (!is_inside(object, offset, sizeof *section)) return false;
  memcpy(section, object.bytes + offset, sizeof *section);
  return true;
}

static struct elf_bytes contents(struct elf_object object, const Elf64_Shdr *section) {
  if (section->sh_type == SHT_NOBITS || !is_inside(object, section->sh_offset, section->sh_size))
    return (struct elf_bytes){NULL, 0};
  return (struct elf_bytes){object.bytes + section->sh_offset, section->sh_size};
}

/* "" unless it ends inside the table. */
static const char *string_at(struct elf_bytes table, uint64_t offset) {
  return offset < table.count && memchr(table.bytes + offset, 0, table.count - offset) ? table.bytes + offset : "";
}

static struct elf_bytes section_names(struct elf_object object, const Elf64_Ehdr *header) {
  Elf64_Shdr section;
  uint64_t index = header->e_shstrndx;
  if (index == SHN_XINDEX) index = read_section(object, header, 0, &section) ? section.sh_link : SHN_UNDEF;
  return read_section(object, header, index, &section) ? contents(object, &section) : (struct elf_bytes){NULL, 0};
}

struct elf_bytes elf_object_section(struct elf_object object, const char *name) {
  Elf64_Ehdr header;
  Elf64_Shdr section;
  if (!read_header(object, &header)) return (struct elf_bytes){NULL, 0};
  const struct elf_bytes names = section_names(object, &header);
  for (uint64_t i = 0; names.bytes && read_section(object, &header, i, &section); i++)
    if (strcmp(string_at(names, section.sh_name), name) == 0) return contents(object, &section);
  return (struct elf_bytes){NULL, 0};
}

void elf_object_each_symbol(struct elf_object object, use_symbol *use, void *data) {
  const struct elf_bytes symbols = elf_object_section(object, ".symtab"), names = elf_object_section(object, ".strtab");
  for (size_t at = 0; symbols.bytes && at + sizeof(Elf64_Sym) <= symbols.count; at += sizeof(Elf64_Sym)) {
    Elf64_Sym symbol;
    memcpy(&symbol, symbols.bytes + at, sizeof symbol);
    if (ELF64_ST_BIND(symbol.st_info) != STB_LOCAL) use(data, &symbol, string_at(names, symbol.st_name));
  }
}

static void sum_symbol(void *data, const Elf64_Sym *symbol, const char *name) {
  uint64_t *sum = data;
  uint64_t one = hash_mix(symbol->st_info, (uint64_t)symbol->st_other << 1 | (symbol->st_shndx == SHN_UNDEF));
  while (*name) one = hash_mix(one, (unsigned char)*name++);
  *sum += one;
}

uint64_t elf_object_sum_symbols(struct elf_object object) {
  uint64_t sum = 0;
  elf_object_each_symbol(object, sum_symbol, &sum);
  return sum;
}
