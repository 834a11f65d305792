/* SPDX-License-Identifier: MIT
 *
 * .debug_info is a tree of entries per unit, each with a tag and attributes as its abbreviation says (DWARF 5,
 * section 7.5). All units are read once for their static variables; types are read again whenever a name is asked for.
 */
#include "program/types.h"

#include "base/memory.h"
#include "program/cursor.h"

#include <stdlib.h>

enum {
  TAG_ARRAY = 0x01,
  TAG_ENUMERATION = 0x04,
  TAG_CLASS = 0x02,
  TAG_MEMBER = 0x0d,
  TAG_POINTER = 0x0f,
  TAG_STRUCTURE = 0x13,
  TAG_TYPEDEF = 0x16,
  TAG_UNION = 0x17,
  TAG_INHERITANCE = 0x1c,
  TAG_SUBRANGE = 0x21,
  TAG_BASE = 0x24,
  TAG_CONST = 0x26,
  TAG_VARIABLE = 0x34,
  TAG_VOLATILE = 0x35,
  TAG_ATOMIC = 0x47,
  AT_LOCATION = 0x02,
  AT_NAME = 0x03,
  AT_BYTE_SIZE = 0x0b,
  AT_UPPER_BOUND = 0x2f,
  AT_COUNT = 0x37,
  AT_MEMBER_LOCATION = 0x38,
  AT_ENCODING = 0x3e,
  AT_TYPE = 0x49,
  AT_STRING_OFFSETS_BASE = 0x72,
  AT_ADDRESSES_BASE = 0x73,
  ENCODING_BOOLEAN = 0x02,
  ENCODING_FLOAT = 0x04,
  ENCODING_UNSIGNED = 0x07,
  ENCODING_UNSIGNED_CHARACTER = 0x08,
  OP_ADDRESS = 0x03,
  OP_ADDRESS_INDEX = 0xa1,
  FORM_IMPLICIT = 0x21,
};

#define MOST_DEPTH 24
#define MOST_DIMENSIONS 8
#define POINTER_BYTES 8

struct abbreviation {
  uint64_t code, tag;
  bool has_children;
  struct cursor attributes; /* pairs of name and form, ends with zeros */
};

struct unit {
  uint64_t start, end; /* offsets in .debug_info, of the header and after the unit */
  uint64_t entries;    /* the first entry */
  unsigned version;
  uint64_t string_offsets_base, addresses_base;
  VECTOR(struct abbreviation) abbreviations;
};

struct variable {
  uint64_t address, type;
  const struct unit *unit;
};

struct types {
  struct type_sections sections;
  VECTOR(struct unit *) units;
  VECTOR(struct variable) variables;
};

struct entry {
  uint64_t tag, type; /* tag 0 ends a list of children; type: offset in .debug_info, 0 none */
  uint64_t byte_size, location, count, address, encoding;
  bool has_children, has_count, has_address;
  const char *name;
  uint64_t next; /* offset of what follows: the first child, if it has any */
};

/* --- attributes --- */

struct value {
  uint64_t number;
  struct cursor block;
  const char *string;
};

static struct cursor cursor_at(struct bytes bytes, uint64_t offset) {
  const struct cursor none = {NULL, NULL};
  return offset <= bytes.count ? (struct cursor){bytes.start + offset, bytes.start + bytes.count} : none;
}

static const char *string_at(struct bytes bytes, uint64_t offset) {
  if (offset >= bytes.count || !memchr(bytes.start + offset, 0, bytes.count - offset)) return "";
  return (const char *)bytes.start + offset;
}

static const char *indexed_string(const struct types *types, const struct unit *unit, uint64_t index) {
  struct cursor cursor = cursor_at(types->sections.string_offsets, unit->string_offsets_base + 4 * index);
  return string_at(types->sections.strings, take(&cursor, 4));
}

static const char *take_string(struct cursor *cursor) {
  const uint8_t *end = at_end(cursor) ? NULL : memchr(cursor->at, 0, (size_t)(cursor->end - cursor->at));
  const char *string = end ? (const char *)cursor->at : "";
  if (end)
    cursor->at = end + 1;
  else
    stop(cursor);
  return string;
}

static struct cursor take_block(struct cursor *cursor, uint64_t count) {
  struct cursor block = *cursor;
  skip(cursor, count);
  block.end = cursor->at;
  return block;
}

/* Unknown forms stop the cursor: their length is unknown as well. */
static struct value take_value(const struct types *types, const struct unit *unit, struct cursor *cursor,
                               uint64_t form) {
  struct value value = {.string = ""};
  switch (form) {
  case 0x0b: /* data1, flag, ref1, strx1, addrx1 */
  case 0x0c:
  case 0x11:
  case 0x29: value.number = take(cursor, 1); break;
  case 0x05: /* data2, ref2, addrx2 */
  case 0x12:
  case 0x2a: value.number = take(cursor, 2); break;
  case 0x2b: value.number = take(cursor, 3); break; /* addrx3 */
  case 0x06:                                        /* data4, ref_addr, ref4, sec_offset, addrx4 */
  case 0x10:
  case 0x13:
  case 0x17:
  case 0x2c: value.number = take(cursor, 4); break;
  case 0x01: /* addr, data8, ref8, ref_sig8 */
  case 0x07:
  case 0x14:
  case 0x20: value.number = take(cursor, 8); break;
  case 0x0d: /* sdata: nothing asked for is negative */
  case 0x0f: /* udata, ref_udata, addrx, loclistx, rnglistx */
  case 0x15:
  case 0x1b:
  case 0x22:
  case 0x23: value.number = take_unsigned(cursor); break;
  case 0x08: value.string = take_string(cursor); break;
  case 0x0e: value.string = string_at(types->sections.strings, take(cursor, 4)); break;
  case 0x1f: value.string = string_at(types->sections.line_strings, take(cursor, 4)); break;
  case 0x1a: value.string = indexed_string(types, unit, take_unsigned(cursor)); break;
  case 0x25: value.string = indexed_string(types, unit, take(cursor, 1)); break;
  case 0x26: value.string = indexed_string(types, unit, take(cursor, 2)); break;
  case 0x27: value.string = indexed_string(types, unit, take(cursor, 3)); break;
  case 0x28: value.string = indexed_string(types, unit, take(cursor, 4)); break;
  case 0x03: value.block = take_block(cursor, take(cursor, 2)); break;
  case 0x04: value.block = take_block(cursor, take(cursor, 4)); break;
  case 0x0a: value.block = take_block(cursor, take(cursor, 1)); break;
  case 0x09: /* block, exprloc */
  case 0x18: value.block = take_block(cursor, take_unsigned(cursor)); break;
  case 0x1e: skip(cursor, 16); break;
  case 0x19: value.number = 1; break;
  default: stop(cursor);
  }
  return value;
}

static bool is_reference_in_unit(uint64_t form) {
  return (form >= 0x11 && form <= 0x15);
}

static void note_location(const struct types *types, const struct unit *unit, struct cursor block,
                          struct entry *entry) {
  const uint64_t operation = take(&block, 1);
  if (operation == OP_ADDRESS) {
    entry->address = take(&block, POINTER_BYTES);
  } else if (operation == OP_ADDRESS_INDEX) {
    struct cursor table =
        cursor_at(types->sections.addresses, unit->addresses_base + POINTER_BYTES * take_unsigned(&block));
    entry->address = take(&table, POINTER_BYTES);
  }
  entry->has_address = entry->address != 0 && at_end(&block);
}

static void note_attribute(const struct types *types, struct unit *unit, struct entry *entry, uint64_t name,
                           uint64_t form, const struct value *value) {
  switch (name) {
  case AT_NAME: entry->name = value->string; break;
  case AT_TYPE: entry->type = value->number + (is_reference_in_unit(form) ? unit->start : 0); break;
  case AT_BYTE_SIZE: entry->byte_size = value->number; break;
  case AT_MEMBER_LOCATION: entry->location = value->number; break;
  case AT_ENCODING: entry->encoding = value->number; break;
  case AT_LOCATION: note_location(types, unit, value->block, entry); break;
  case AT_COUNT: entry->count = value->number, entry->has_count = true; break;
  case AT_UPPER_BOUND: entry->count = value->number + 1, entry->has_count = true; break;
  case AT_STRING_OFFSETS_BASE: unit->string_offsets_base = value->number; break;
  case AT_ADDRESSES_BASE: unit->addresses_base = value->number; break;
  }
}

/* --- entries --- */

static const struct abbreviation *find_abbreviation(const struct unit *unit, uint64_t code) {
  /* Compilers number them from 1 on. */
  if (code - 1 < unit->abbreviations.count && unit->abbreviations.items[code - 1].code == code)
    return &unit->abbreviations.items[code - 1];
  for (size_t i = 0; i < unit->abbreviations.count; i++)
    if (unit->abbreviations.items[i].code == code) return &unit->abbreviations.items[i];
  return NULL;
}

/* Only the first entry of a unit changes the unit: it has the bases. */
static struct entry read_entry(const struct types *types, struct unit *unit, uint64_t offset) {
  struct entry entry = {.name = "", .next = unit->end};
  if (offset < unit->entries || offset >= unit->end) return entry;
  const uint8_t *start = types->sections.info.start;
  struct cursor cursor = {start + offset, start + unit->end};
  const uint64_t code = take_unsigned(&cursor);
  const struct abbreviation *abbreviation = code ? find_abbreviation(unit, code) : NULL;
  if (code && !abbreviation) return entry;
  if (abbreviation) {
    struct cursor attributes = abbreviation->attributes;
    entry.tag = abbreviation->tag;
    entry.has_children = abbreviation->has_children;
    for (;;) {
      const uint64_t name = take_unsigned(&attributes), form = take_unsigned(&attributes);
      struct value value = {.string = ""};
      if (name == 0 && form == 0) break;
      if (form == FORM_IMPLICIT)
        value.number = take_unsigned(&attributes);
      else
        value = take_value(types, unit, &cursor, form);
      note_attribute(types, unit, &entry, name, form, &value);
    }
  }
  entry.next = (uint64_t)(cursor.at - start);
  return entry;
}

/* After the entry and everything below it. */
static uint64_t skip_entry(const struct types *types, struct unit *unit, const struct entry *entry) {
  uint64_t at = entry->next;
  for (int depth = entry->has_children; depth > 0 && at < unit->end;) {
    const struct entry child = read_entry(types, unit, at);
    depth += child.tag == 0 ? -1 : child.has_children;
    at = child.next;
  }
  return at;
}

/* --- units --- */

static void read_abbreviations(const struct types *types, struct unit *unit, uint64_t offset) {
  struct cursor cursor = cursor_at(types->sections.abbreviations, offset);
  while (!at_end(&cursor)) {
    struct abbreviation abbreviation = {.code = take_unsigned(&cursor)};
    if (abbreviation.code == 0) return;
    abbreviation.tag = take_unsigned(&cursor);
    abbreviation.has_children = take(&cursor, 1);
    abbreviation.attributes = cursor;
    for (;;) {
      const uint64_t name = take_unsigned(&cursor), form = take_unsigned(&cursor);
      if (name == 0 && form == 0) break;
      if (form == FORM_IMPLICIT) take_unsigned(&cursor);
    }
    vector_push(&unit->abbreviations, abbreviation);
  }
}

static void read_variables(struct types *types, struct unit *unit) {
  for (uint64_t at = unit->entries; at < unit->end;) {
    const struct entry entry = read_entry(types, unit, at);
    if (entry.tag == TAG_VARIABLE && entry.has_address && entry.type)
      vector_push(&types->variables, ((struct variable){entry.address, entry.type, unit}));
    at = entry.next;
  }
}

static struct unit *read_unit(struct types *types, uint64_t start) {
  struct cursor cursor = cursor_at(types->sections.info, start);
  const uint64_t length = take(&cursor, 4);
  if (length == 0 || length >= 0xfffffff0 || length > (uint64_t)(cursor.end - cursor.at)) return NULL;
  struct unit *unit = memory_allocate(sizeof *unit);
  unit->start = start;
  unit->end = start + 4 + length;
  unit->version = (unsigned)take(&cursor, 2);
  vector_push(&types->units, unit);
  if (unit->version < 4 || unit->version > 5) return unit;
  if (unit->version == 5) skip(&cursor, 2); /* type of unit, bytes of an address */
  const uint64_t abbreviations = take(&cursor, 4);
  if (unit->version == 4) skip(&cursor, 1);
  unit->entries = (uint64_t)(cursor.at - types->sections.info.start);
  read_abbreviations(types, unit, abbreviations);
  read_variables(types, unit);
  return unit;
}

struct types *types_open(const struct type_sections *sections) {
  struct types *types = memory_allocate(sizeof *types);
  types->sections = *sections;
  for (uint64_t at = 0; at < sections->info.count;) {
    const struct unit *unit = read_unit(types, at);
    if (!unit) break;
    at = unit->end;
  }
  return types;
}

void types_close(struct types *types) {
  for (size_t i = 0; i < types->units.count; i++) {
    vector_free(&types->units.items[i]->abbreviations);
    free(types->units.items[i]);
  }
  vector_free(&types->units);
  vector_free(&types->variables);
  free(types);
}

/* --- names --- */

/* A place on the way down into a variable. */
struct descent {
  const struct types *types;
  struct unit *unit;
  uint64_t offset; /* that is still to go */
  uint32_t size;
};

static bool is_alias(uint64_t tag) {
  return tag == TAG_TYPEDEF || tag == TAG_CONST || tag == TAG_VOLATILE || tag == TAG_ATOMIC;
}

/* The types of libc's synchronisation objects are whole things, whatever they consist of. */
static bool is_opaque(const struct entry *entry) {
  static const char *const names[] = {
      "sem_t", "mtx_t", "cnd_t", "once_flag", "heddle_port", "heddle_semaphore", "heddle_monitor", "heddle_condition"};
  if (entry->tag != TAG_TYPEDEF) return false;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strcmp(entry->name, names[i]) == 0) return true;
  return strncmp(entry->name, "pthread_", 8) == 0;
}

/* The dimensions of an array, outermost first. */
static size_t read_dimensions(const struct descent *self, const struct entry *array, uint64_t *dimensions) {
  size_t count = 0;
  for (uint64_t at = array->has_children ? array->next : self->unit->end; at < self->unit->end;) {
    const struct entry child = read_entry(self->types, self->unit, at);
    if (child.tag == 0) break;
    if (child.tag == TAG_SUBRANGE && count < MOST_DIMENSIONS) dimensions[count++] = child.has_count ? child.count : 1;
    at = skip_entry(self->types, self->unit, &child);
  }
  return count;
}

static uint64_t bytes_of(const struct descent *self, uint64_t type) {
  uint64_t factor = 1, dimensions[MOST_DIMENSIONS];
  for (int depth = 0; type && depth < MOST_DEPTH; depth++) {
    const struct entry entry = read_entry(self->types, self->unit, type);
    if (entry.byte_size) return factor * entry.byte_size;
    if (entry.tag == TAG_POINTER) return factor * POINTER_BYTES;
    if (entry.tag == TAG_ARRAY) {
      const size_t count = read_dimensions(self, &entry, dimensions);
      for (size_t i = 0; i < count; i++) factor *= dimensions[i];
    } else if (!is_alias(entry.tag)) {
      return 0;
    }
    type = entry.type;
  }
  return 0;
}

/* Returns the type of the element, 0 when it is not known. */
static uint64_t enter_array(struct descent *self, struct text *text, const struct entry *array) {
  uint64_t dimensions[MOST_DIMENSIONS], stride = bytes_of(self, array->type);
  const size_t count = read_dimensions(self, array, dimensions);
  for (size_t i = 1; i < count; i++) stride *= dimensions[i];
  if (stride == 0 || count == 0) return 0;
  for (size_t i = 0; i < count; i++) {
    text_append_format(text, "[%llu]", (unsigned long long)(self->offset / stride));
    self->offset %= stride;
    if (i + 1 < count && dimensions[i + 1]) stride /= dimensions[i + 1];
  }
  return array->type;
}

/* A member of a class of libstdc++: a std::atomic is known by its own name. */
static bool is_of_library(const char *member) {
  return strncmp(member, "_M_", 3) == 0;
}

static uint64_t enter_structure(struct descent *self, struct text *text, const struct entry *structure) {
  for (uint64_t at = structure->has_children ? structure->next : self->unit->end; at < self->unit->end;) {
    const struct entry member = read_entry(self->types, self->unit, at);
    if (member.tag == 0) return 0;
    const uint64_t bytes = bytes_of(self, member.type);
    if ((member.tag == TAG_MEMBER || member.tag == TAG_INHERITANCE) && self->offset >= member.location &&
        self->offset - member.location < bytes) {
      if (*member.name && !is_of_library(member.name)) text_append_format(text, ".%s", member.name);
      self->offset -= member.location;
      return member.type;
    }
    at = skip_entry(self->types, self->unit, &member);
  }
  return 0;
}

static bool is_whole(const struct descent *self, const struct entry *entry) {
  return self->offset == 0 && self->size > POINTER_BYTES && self->size >= entry->byte_size;
}

static enum value_kind kind_of(const struct entry *entry) {
  if (entry->tag == TAG_POINTER) return VALUE_POINTER;
  if (entry->tag == TAG_ENUMERATION) return VALUE_SIGNED;
  if (entry->tag != TAG_BASE) return VALUE_UNKNOWN;
  switch (entry->encoding) {
  case ENCODING_FLOAT: return VALUE_FLOAT;
  case ENCODING_BOOLEAN:
  case ENCODING_UNSIGNED:
  case ENCODING_UNSIGNED_CHARACTER: return VALUE_UNSIGNED;
  default: return VALUE_SIGNED;
  }
}

static enum value_kind descend(struct descent *self, struct text *text, uint64_t type) {
  for (int depth = 0; type && depth < MOST_DEPTH; depth++) {
    const struct entry entry = read_entry(self->types, self->unit, type);
    if (is_opaque(&entry)) return VALUE_UNKNOWN;
    if (is_alias(entry.tag))
      type = entry.type;
    else if (entry.tag == TAG_ARRAY)
      type = enter_array(self, text, &entry);
    else if ((entry.tag == TAG_STRUCTURE || entry.tag == TAG_CLASS || entry.tag == TAG_UNION) &&
             !is_whole(self, &entry))
      type = enter_structure(self, text, &entry);
    else
      return self->offset == 0 ? kind_of(&entry) : VALUE_UNKNOWN;
  }
  return VALUE_UNKNOWN;
}

bool types_append_part(const struct types *types, struct text *text, uint64_t address, uint64_t offset, uint32_t size,
                       enum value_kind *kind) {
  for (size_t i = 0; i < types->variables.count; i++) {
    const struct variable *variable = &types->variables.items[i];
    if (variable->address != address) continue;
    struct descent self = {types, (struct unit *)variable->unit, offset, size};
    *kind = descend(&self, text, variable->type);
    return true;
  }
  return false;
}
