/* SPDX-License-Identifier: MIT
 *
 * What the source calls the memory behind a pointer: "counter", "queue.head", "node->next", "table[3]", "table[]" when
 * the index is not constant.
 *
 * A pointer is taken apart from the end: getelementptr adds to a byte offset, until the object it starts from is found.
 * That is a variable (its type is in the debug information), or what a pointer points to, whose own name is found the
 * same way: a load from memory with a name, or a value that the debug information assigns to a variable. Then the type
 * is walked down to the offset.
 */
#include "instrument/internal.h"

#include <llvm-c/DebugInfo.h>
#include <stdlib.h>
#include <string.h>

/* Tags of DWARF, and operands of LLVM's metadata nodes. */
enum {
  ARRAY = 0x01,
  CLASS = 0x02,
  INHERITANCE = 0x1c,
  REFERENCE = 0x10,
  RVALUE_REFERENCE = 0x42,
  MEMBER = 0x0d,
  POINTER = 0x0f,
  STRUCTURE = 0x13,
  TYPEDEF = 0x16,
  UNION = 0x17
};
enum { CONST = 0x26, VOLATILE = 0x35, RESTRICT = 0x37, ATOMIC = 0x47 };
enum { VARIABLE_NAME = 1, VARIABLE_TYPE = 3, TYPE_NAME = 2, TYPE_BASE = 3, TYPE_ELEMENTS = 4, SUBRANGE_COUNT = 0 };

enum { DEEPEST_POINTER = 4, LONGEST_NAME = 120, MOST_INDICES = 4 };

/* The way from an object to one of its bytes: a constant number of bytes, and variable indices times these strides. */
struct path {
  int64_t offset;
  uint64_t strides[MOST_INDICES];
  unsigned indices;
};

/* Something with a name. With `dereference`, the memory that it points to. */
struct place {
  struct text name;
  LLVMMetadataRef type; /* of what is named; NULL = unknown */
  bool dereference;
};

static bool find_place(struct unit *unit, struct place *place, LLVMValueRef pointer, uint64_t bytes, unsigned depth);

static LLVMMetadataRef strip_qualifiers(struct unit *unit, LLVMMetadataRef type) {
  while (type) {
    switch (LLVMGetDINodeTag(type)) {
    case TYPEDEF:
    case CONST:
    case VOLATILE:
    case RESTRICT:
    case ATOMIC: type = metadata_operand(unit, type, TYPE_BASE); break;
    default: return type;
    }
  }
  return NULL;
}

static uint64_t bytes_of_type(struct unit *unit, LLVMMetadataRef type) {
  const LLVMMetadataRef plain = strip_qualifiers(unit, type);
  return plain ? LLVMDITypeGetSizeInBits(plain) / 8 : 0;
}

static bool set_variable(struct unit *unit, struct place *place, LLVMMetadataRef variable) {
  unsigned length;
  const char *name = metadata_string(unit, metadata_operand(unit, variable, VARIABLE_NAME), &length);
  if (!name) return false;
  text_append_bytes(&place->name, name, length);
  place->type = metadata_operand(unit, variable, VARIABLE_TYPE);
  return true;
}

static LLVMMetadataRef variable_of_global(LLVMValueRef global) {
  size_t count;
  LLVMValueMetadataEntry *entries = LLVMGlobalCopyAllMetadata(global, &count);
  LLVMMetadataRef variable = NULL;
  for (unsigned i = 0; i < count && !variable; i++) {
    const LLVMMetadataRef metadata = LLVMValueMetadataEntriesGetMetadata(entries, i);
    if (LLVMGetMetadataKind(metadata) == LLVMDIGlobalVariableExpressionMetadataKind)
      variable = LLVMDIGlobalVariableExpressionGetVariable(metadata);
  }
  LLVMDisposeValueMetadataEntries(entries);
  return variable;
}

static bool set_global(struct unit *unit, struct place *place, LLVMValueRef global) {
  const LLVMMetadataRef variable = variable_of_global(global);
  if (variable && set_variable(unit, place, variable)) return true;
  size_t length;
  const char *name = LLVMGetValueName2(global, &length);
  if (length == 0 || functions_starts_with(name, ".")) return false; /* a string constant */
  text_append_bytes(&place->name, name, length);
  return true;
}

static bool is_thread_local_address(LLVMValueRef value) {
  if (!LLVMIsACallInst(value) || !LLVMIsAFunction(LLVMGetCalledValue(value))) return false;
  size_t length;
  return functions_starts_with(LLVMGetValueName2(LLVMGetCalledValue(value), &length), "llvm.threadlocal.address");
}

/* The object that a pointer without offset leads to. */
static bool find_base(struct unit *unit, struct place *place, LLVMValueRef base, unsigned depth) {
  if (is_thread_local_address(base)) base = LLVMGetArgOperand(base, 0);
  if (LLVMIsAGlobalVariable(base)) return set_global(unit, place, base);
  const LLVMMetadataRef variable = map_get(&unit->variables, base);
  if (LLVMIsAAllocaInst(base)) return variable && set_variable(unit, place, variable);
  place->dereference = true;
  if (variable) return set_variable(unit, place, variable);
  if (!LLVMIsALoadInst(base) || depth == DEEPEST_POINTER) return false;
  struct place pointer = {0};
  const bool found = find_place(unit, &pointer, LLVMGetOperand(base, 0), sizeof(void *), depth + 1);
  if (found) text_append(&place->name, text_string(&pointer.name));
  place->type = pointer.type;
  text_free(&pointer.name);
  return found;
}

static void add_index(struct path *path, LLVMValueRef index, uint64_t stride) {
  if (LLVMIsAConstantInt(index))
    path->offset += LLVMConstIntGetSExtValue(index) * (int64_t)stride;
  else if (path->indices < MOST_INDICES)
    path->strides[path->indices++] = stride;
}

static void add_getelementptr(struct unit *unit, LLVMValueRef pointer, struct path *path) {
  LLVMTypeRef type = LLVMGetGEPSourceElementType(pointer);
  const unsigned operands = (unsigned)LLVMGetNumOperands(pointer);
  for (unsigned i = 1; i < operands; i++) {
    const LLVMValueRef index = LLVMGetOperand(pointer, i);
    if (i > 1 && LLVMGetTypeKind(type) == LLVMStructTypeKind) {
      const unsigned field = (unsigned)LLVMConstIntGetZExtValue(index);
      path->offset += (int64_t)LLVMOffsetOfElement(unit->layout, type, field);
      type = LLVMStructGetTypeAtIndex(type, field);
      continue;
    }
    if (i > 1) type = LLVMGetElementType(type);
    add_index(path, index, LLVMABISizeOfType(unit->layout, type));
  }
}

static LLVMValueRef strip_offsets(struct unit *unit, LLVMValueRef pointer, struct path *path) {
  for (;;) {
    const bool expression = LLVMIsAConstantExpr(pointer) && LLVMGetConstOpcode(pointer) == LLVMGetElementPtr;
    if (!expression && !LLVMIsAGetElementPtrInst(pointer)) return pointer;
    add_getelementptr(unit, pointer, path);
    pointer = LLVMGetOperand(pointer, 0);
  }
}

/* Whether a variable index of the path moves by elements of this size; one that moves further is another array's. */
static bool indexes(const struct path *path, uint64_t element_bytes, uint64_t array_bytes) {
  for (unsigned i = 0; i < path->indices; i++)
    if (path->strides[i] % element_bytes == 0 && path->strides[i] < array_bytes) return true;
  return false;
}

static void append_index(struct place *place, struct path *path, uint64_t element_bytes, bool variable) {
  if (variable)
    text_append(&place->name, "[]");
  else
    text_append_format(&place->name, "[%lu]", (uint64_t)path->offset / element_bytes);
  path->offset = (int64_t)((uint64_t)path->offset % element_bytes);
  place->dereference = false;
}

/* Appends the indices of all dimensions of an array. */
static bool enter_array(struct unit *unit, struct place *place, LLVMMetadataRef type, struct path *path) {
  const LLVMMetadataRef element = metadata_operand(unit, type, TYPE_BASE);
  const uint64_t element_bytes = bytes_of_type(unit, element);
  const LLVMMetadataRef dimensions = metadata_operand(unit, type, TYPE_ELEMENTS);
  uint64_t row_bytes = LLVMDITypeGetSizeInBits(type) / 8;
  if (!element_bytes) return false;
  for (unsigned i = 0; i < metadata_operand_count(unit, dimensions); i++) {
    const uint64_t count = metadata_integer(unit, metadata_operand(unit, dimensions, i), SUBRANGE_COUNT);
    const uint64_t array_bytes = count ? row_bytes : UINT64_MAX;
    row_bytes = count && row_bytes / count >= element_bytes ? row_bytes / count : element_bytes;
    append_index(place, path, row_bytes, indexes(path, row_bytes, array_bytes));
  }
  place->type = element;
  return true;
}

static bool is_member(LLVMMetadataRef element) {
  const int tag = LLVMGetDINodeTag(element);
  return (tag == MEMBER && LLVMDITypeGetSizeInBits(element)) || tag == INHERITANCE;
}

/* Members of libstdc++'s classes: a std::atomic is known by its own name. */
static bool is_of_library(const char *name, unsigned length) {
  return length > 2 && functions_starts_with(name, "_M_");
}

/* Goes to the member that holds the next byte of a structure or union; false if there is none. */
static bool enter_member(struct unit *unit, struct place *place, LLVMMetadataRef type, struct path *path) {
  const LLVMMetadataRef members = metadata_operand(unit, type, TYPE_ELEMENTS);
  const unsigned count = metadata_operand_count(unit, members);
  for (unsigned i = 0; i < count; i++) {
    const LLVMMetadataRef member = metadata_operand(unit, members, i);
    if (!member || !is_member(member)) continue;
    const uint64_t start = LLVMDITypeGetOffsetInBits(member) / 8;
    const LLVMMetadataRef of_base =
        LLVMGetDINodeTag(member) == INHERITANCE ? metadata_operand(unit, member, TYPE_BASE) : member;
    const uint64_t end = (LLVMDITypeGetOffsetInBits(member) + LLVMDITypeGetSizeInBits(of_base) + 7) / 8;
    if ((uint64_t)path->offset < start || (uint64_t)path->offset >= end) continue;
    unsigned length;
    const char *name = metadata_string(unit, metadata_operand(unit, member, TYPE_NAME), &length);
    if (name && !is_of_library(name, length)) {
      text_append(&place->name, place->dereference ? "->" : ".");
      text_append_bytes(&place->name, name, length);
      place->dereference = false;
    }
    path->offset -= (int64_t)start;
    place->type = metadata_operand(unit, member, TYPE_BASE);
    return true;
  }
  return false;
}

/* Steps from the place's type towards the offset; false when there is nothing left to step into. */
static bool step_down(struct unit *unit, struct place *place, struct path *path, uint64_t bytes) {
  const LLVMMetadataRef type = strip_qualifiers(unit, place->type);
  if (!type || place->name.length > LONGEST_NAME) return false;
  const uint64_t size = LLVMDITypeGetSizeInBits(type) / 8;
  const bool whole = path->offset == 0 && (bytes == 0 || bytes >= size) && !indexes(path, 1, size ? size : UINT64_MAX);
  if (whole) return false;
  switch (LLVMGetDINodeTag(type)) {
  case STRUCTURE:
  case CLASS:
  case UNION: return enter_member(unit, place, type, path);
  case ARRAY: return enter_array(unit, place, type, path);
  default: return false;
  }
}

/* From a pointer's name to that of the element it points to. */
static void follow_pointer(struct unit *unit, struct place *place, struct path *path) {
  const LLVMMetadataRef pointer = strip_qualifiers(unit, place->type);
  const int tag = pointer ? LLVMGetDINodeTag(pointer) : 0;
  const bool is_reference = tag == REFERENCE || tag == RVALUE_REFERENCE;
  place->type = tag == POINTER || is_reference ? metadata_operand(unit, pointer, TYPE_BASE) : NULL;
  if (is_reference) place->dereference = false;
  const uint64_t size = bytes_of_type(unit, place->type);
  if (!size) return;
  const bool variable = indexes(path, size, UINT64_MAX);
  if (variable || (uint64_t)path->offset >= size) append_index(place, path, size, variable);
}

static bool find_place(struct unit *unit, struct place *place, LLVMValueRef pointer, uint64_t bytes, unsigned depth) {
  struct path path = {0};
  const LLVMValueRef base = strip_offsets(unit, pointer, &path);
  if (!find_base(unit, place, base, depth)) return false;
  if (path.offset < 0) return true; /* a name for what it starts from is all there is */
  if (place->dereference) follow_pointer(unit, place, &path);
  while (step_down(unit, place, &path, bytes)) continue;
  return true;
}

void names_append(struct unit *unit, struct text *name, LLVMValueRef pointer, uint64_t bytes) {
  struct place place = {0};
  if (find_place(unit, &place, pointer, bytes, 0)) {
    const bool mark = place.dereference && bytes != 0;
    text_append_format(name, "%s%s", mark ? "*" : "", text_string(&place.name));
  }
  text_free(&place.name);
}

void names_append_variable(struct unit *unit, struct text *name, LLVMValueRef value) {
  const LLVMMetadataRef variable = map_get(&unit->variables, value);
  struct place place = {0};
  if (variable && set_variable(unit, &place, variable)) text_append(name, text_string(&place.name));
  text_free(&place.name);
}

/* Whether the debug information speaks of a part of the variable only. */
static bool speaks_of_fragment(LLVMValueRef call) {
  char *text = LLVMPrintValueToString(LLVMGetOperand(call, 2));
  const bool fragment = strstr(text, "fragment") != NULL;
  LLVMDisposeMessage(text);
  return fragment;
}

/* Is it a pointer of which nobody knows what is behind it? */
static bool is_void_pointer(struct unit *unit, LLVMMetadataRef variable) {
  const LLVMMetadataRef type = strip_qualifiers(unit, metadata_operand(unit, variable, VARIABLE_TYPE));
  return type && LLVMGetDINodeTag(type) == POINTER && !strip_qualifiers(unit, metadata_operand(unit, type, TYPE_BASE));
}

/* A value may be that of several variables: `struct pool *pool = argument;`. The first that says what is behind it. */
static bool is_better(struct unit *unit, LLVMMetadataRef variable, LLVMMetadataRef known) {
  return !known || (is_void_pointer(unit, known) && !is_void_pointer(unit, variable));
}

static void note_variable(struct unit *unit, LLVMValueRef call) {
  const LLVMValueRef callee = LLVMGetCalledValue(call);
  size_t length;
  const char *name = LLVMIsAFunction(callee) ? LLVMGetValueName2(callee, &length) : "";
  const bool declares = strcmp(name, "llvm.dbg.declare") == 0;
  if (!declares && strcmp(name, "llvm.dbg.value") != 0) return;
  const LLVMValueRef wrapped = LLVMGetOperand(call, 0);
  if (LLVMGetMDNodeNumOperands(wrapped) != 1) return;
  LLVMValueRef value = NULL;
  LLVMGetMDNodeOperands(wrapped, &value);
  if (!value || LLVMIsAConstant(value)) return;
  const LLVMMetadataRef variable = LLVMValueAsMetadata(LLVMGetOperand(call, 1));
  if (!is_better(unit, variable, map_get(&unit->variables, value))) return;
  if (declares != (LLVMIsAAllocaInst(value) != NULL) || speaks_of_fragment(call)) return;
  if (sites_in_system_header(call)) return; /* of a function that became part of this one */
  map_put(&unit->variables, value, variable);
}

void names_begin_function(struct unit *unit, LLVMValueRef function) {
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block; block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i))
      if (LLVMIsACallInst(i)) note_variable(unit, i);
}
