/* SPDX-License-Identifier: MIT
 *
 * A line table is a program for a small machine whose registers are address, file and line; every row it emits says
 * where the code from that address on comes from (DWARF 5, section 6.2). All reading goes through a cursor that stops
 * at its end and then gives zeros, so that a damaged table ends the search and nothing else.
 */
#include "program/lines.h"

#include "program/cursor.h"

enum {
  LNS_COPY = 1,
  LNS_ADVANCE_PC,
  LNS_ADVANCE_LINE,
  LNS_SET_FILE,
  LNS_CONST_ADD_PC = 8,
  LNS_FIXED_ADVANCE_PC,
  LNE_END_SEQUENCE = 1,
  LNE_SET_ADDRESS,
  CONTENT_PATH = 1,
  FORM_BLOCK = 9,
  FORM_DATA1 = 0x0b,
  FORM_DATA2 = 0x05,
  FORM_DATA4 = 0x06,
  FORM_DATA8 = 0x07,
  FORM_STRING = 0x08,
  FORM_STRP = 0x0e,
  FORM_UDATA = 0x0f,
  FORM_DATA16 = 0x1e,
  FORM_LINE_STRP = 0x1f,
};

#define MOST_FORMATS 8

static int64_t take_signed(struct cursor *cursor) {
  uint64_t value = 0;
  unsigned shift = 0;
  uint8_t byte = 0;
  while (!at_end(cursor)) {
    byte = *cursor->at++;
    if (shift < 64) value |= (uint64_t)(byte & 0x7f) << shift;
    shift += 7;
    if (!(byte & 0x80)) break;
  }
  if (shift < 64 && byte & 0x40) value |= ~0ull << shift;
  return (int64_t)value;
}

static const char *take_string(struct cursor *cursor) {
  const uint8_t *zero = at_end(cursor) ? NULL : memchr(cursor->at, 0, (size_t)(cursor->end - cursor->at));
  if (!zero) {
    stop(cursor);
    return "";
  }
  const char *string = (const char *)cursor->at;
  cursor->at = zero + 1;
  return string;
}

static const char *string_in(struct bytes section, uint64_t offset) {
  if (offset >= section.count) return "";
  const char *string = (const char *)section.start + offset;
  return memchr(string, 0, section.count - offset) ? string : "";
}

/* --- the header --- */

struct unit {
  const struct debug_sections *sections;
  struct cursor program;
  struct cursor files; /* at the table of file names */
  uint16_t version;
  uint8_t offset_bytes;
  uint8_t smallest_instruction, line_range, first_special;
  int8_t line_base;
  const uint8_t *operand_counts;
};

struct format {
  uint64_t content, form;
};

static const char *take_form(const struct unit *unit, struct cursor *cursor, uint64_t form) {
  switch (form) {
  case FORM_STRING: return take_string(cursor);
  case FORM_LINE_STRP: return string_in(unit->sections->line_strings, take(cursor, unit->offset_bytes));
  case FORM_STRP: return string_in(unit->sections->strings, take(cursor, unit->offset_bytes));
  case FORM_UDATA: take_unsigned(cursor); break;
  case FORM_DATA1: skip(cursor, 1); break;
  case FORM_DATA2: skip(cursor, 2); break;
  case FORM_DATA4: skip(cursor, 4); break;
  case FORM_DATA8: skip(cursor, 8); break;
  case FORM_DATA16: skip(cursor, 16); break;
  case FORM_BLOCK: skip(cursor, take_unsigned(cursor)); break;
  default: stop(cursor);
  }
  return "";
}

/* Version 5: a table of entries whose fields a list of formats describes. Stops after entry `wanted` and returns its
 * path. */
static const char *walk_entries(const struct unit *unit, struct cursor *cursor, uint64_t wanted) {
  struct format formats[MOST_FORMATS];
  const size_t n_formats = take(cursor, 1);
  if (n_formats > MOST_FORMATS) stop(cursor);
  for (size_t i = 0; i < n_formats && !at_end(cursor); i++) {
    formats[i].content = take_unsigned(cursor);
    formats[i].form = take_unsigned(cursor);
  }
  const uint64_t count = take_unsigned(cursor);
  for (uint64_t entry = 0; entry < count && !at_end(cursor); entry++)
    for (size_t i = 0; i < n_formats; i++) {
      const char *field = take_form(unit, cursor, formats[i].form);
      if (entry == wanted && formats[i].content == CONTENT_PATH) return field;
    }
  return "";
}

/* Before version 5: strings, the first file has number 1. */
static const char *walk_old_files(struct cursor *cursor, uint64_t wanted) {
  for (uint64_t number = 1; !at_end(cursor); number++) {
    const char *name = take_string(cursor);
    if (!*name || number == wanted) return name;
    for (int i = 0; i < 3; i++) take_unsigned(cursor);
  }
  return "";
}

static const char *file_name(const struct unit *unit, uint64_t number) {
  struct cursor cursor = unit->files;
  const char *path = unit->version >= 5 ? walk_entries(unit, &cursor, number) : walk_old_files(&cursor, number);
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

static void skip_directories(const struct unit *unit, struct cursor *cursor) {
  if (unit->version >= 5)
    walk_entries(unit, cursor, UINT64_MAX);
  else
    while (!at_end(cursor) && *take_string(cursor)) continue;
}

/* Takes one unit from the section. False: we cannot read it; the section's cursor stands after it anyway.
 */
static bool take_unit(struct cursor *section, const struct debug_sections *sections, struct unit *unit) {
  *unit = (struct unit){.sections = sections, .offset_bytes = 4};
  uint64_t length = take(section, 4);
  if (length == 0xffffffff) {
    length = take(section, 8);
    unit->offset_bytes = 8;
  }
  struct cursor cursor = *section;
  skip(section, length);
  cursor.end = section->at;
  unit->version = (uint16_t)take(&cursor, 2);
  if (unit->version < 2 || unit->version > 5) return false;
  if (unit->version >= 5) skip(&cursor, 2);
  const uint64_t header_bytes = take(&cursor, unit->offset_bytes);
  unit->program = cursor;
  skip(&unit->program, header_bytes);
  unit->smallest_instruction = (uint8_t)take(&cursor, 1);
  if (unit->version >= 4) skip(&cursor, 1);
  skip(&cursor, 1);
  unit->line_base = (int8_t)take(&cursor, 1);
  unit->line_range = (uint8_t)take(&cursor, 1);
  unit->first_special = (uint8_t)take(&cursor, 1);
  unit->operand_counts = cursor.at;
  if (unit->line_range == 0 || unit->first_special == 0) return false;
  skip(&cursor, unit->first_special - 1u);
  if (at_end(&cursor)) return false;
  skip_directories(unit, &cursor);
  unit->files = cursor;
  return true;
}

/* --- the program --- */

struct machine {
  uint64_t address, file, line;
};

struct search {
  uint64_t wanted;
  struct machine row; /* the last one emitted in this sequence */
  bool has_row, found;
};

/* A row ends the stretch that the row before it began. Line 0 is code without a source line: it belongs to the row
 * before. */
static void emit(struct search *search, const struct machine *machine, bool ends_sequence) {
  if (search->has_row && search->row.address <= search->wanted && search->wanted < machine->address) {
    search->found = true;
    return;
  }
  if (ends_sequence)
    search->has_row = false;
  else if (machine->line != 0 || !search->has_row)
    search->row = *machine, search->has_row = true;
}

static void perform_extended(struct cursor *cursor, struct machine *machine, struct search *search) {
  const uint64_t length = take_unsigned(cursor);
  if (length == 0) return;
  const uint8_t operation = (uint8_t)take(cursor, 1);
  if (operation == LNE_END_SEQUENCE) {
    emit(search, machine, true);
    *machine = (struct machine){0, 1, 1};
  }
  if (operation == LNE_SET_ADDRESS && length == 9)
    machine->address = take(cursor, 8);
  else
    skip(cursor, length - 1);
}

static void perform_standard(const struct unit *unit, uint8_t operation, struct cursor *cursor, struct machine *machine,
                             struct search *search) {
  switch (operation) {
  case LNS_COPY: emit(search, machine, false); break;
  case LNS_ADVANCE_PC: machine->address += take_unsigned(cursor) * unit->smallest_instruction; break;
  case LNS_ADVANCE_LINE: machine->line += (uint64_t)take_signed(cursor); break;
  case LNS_SET_FILE: machine->file = take_unsigned(cursor); break;
  case LNS_CONST_ADD_PC:
    machine->address += (255u - unit->first_special) / unit->line_range * unit->smallest_instruction;
    break;
  case LNS_FIXED_ADVANCE_PC: machine->address += take(cursor, 2); break;
  default:
    for (uint8_t i = 0; i < unit->operand_counts[operation - 1]; i++) take_unsigned(cursor);
  }
}

static void search_unit(const struct unit *unit, struct search *search) {
  struct cursor cursor = unit->program;
  struct machine machine = {0, 1, 1};
  search->has_row = false;
  while (!at_end(&cursor) && !search->found) {
    const uint8_t operation = (uint8_t)take(&cursor, 1);
    if (operation >= unit->first_special) {
      const unsigned special = operation - (unsigned)unit->first_special;
      machine.address += special / unit->line_range * unit->smallest_instruction;
      machine.line += (uint64_t)(int64_t)(unit->line_base + (int)(special % unit->line_range));
      emit(search, &machine, false);
    } else if (operation == 0) {
      perform_extended(&cursor, &machine, search);
    } else {
      perform_standard(unit, operation, &cursor, &machine, search);
    }
  }
}

bool lines_find(const struct debug_sections *sections, uint64_t address, const char **file, uint32_t *line) {
  if (sections->line.count == 0) return false;
  struct cursor section = {sections->line.start, sections->line.start + sections->line.count};
  struct search search = {.wanted = address};
  while (!at_end(&section)) {
    struct unit unit;
    if (!take_unit(&section, sections, &unit)) continue;
    search_unit(&unit, &search);
    if (!search.found) continue;
    *file = file_name(&unit, search.row.file);
    *line = (uint32_t)search.row.line;
    return search.row.line != 0;
  }
  return false;
}
