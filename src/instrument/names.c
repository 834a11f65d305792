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
enum { ARRAY = 0x01, MEMBER = 0x0d, POINTER = 0x0f, STRUCTURE = 0x13, TYPEDEF = 0x16, UNION = 0x17 };
enum { CONST = 0x26, VOLATILE = 0x35, RESTRICT = 0x37, ATOMIC = 0x47 };
enum { VARIABLE_NAME = 1, VARIABLE_TYPE = 3, TYPE_NAME = 2, TYPE_BASE = 3, TYPE_ELEMENTS = 4 };

enum { DEEPEST_POINTER = 4, LONGEST_NAME = 120 };

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

/* Adds a getelementptr's constant part to *offset; its variable part sets *indexed. */
static void add_offset(struct unit *unit, LLVMValueRef gep, int64_t *offset, bool *indexed) {
  LLVMTypeRef type = LLVMGetGEPSourceElementType(gep);
  const unsigned operands = (unsigned)LLVMGetNumOperands(gep);
  for (unsigned i = 1; i < operands; i++) {
    const LLVMValueRef index = LLVMGetOperand(gep, i);
    const bool constant = LLVMIsAConstantInt(index) != NULL;
    if (i > 1 && LLVMGetTypeKind(type) == LLVMStructTypeKind) {
      const unsigned field = (unsigned)LLVMConstIntGetZExtValue(index);
      *offset += (int64_t)LLVMOffsetOfElement(unit->layout, type, field);
      type = LLVMStructGetTypeAtIndex(type, field);
      continue;
    }
    if (i > 1) type = LLVMGetElementType(type);
    if (!constant)
      *indexed = true;
    else
      *offset += LLVMConstIntGetSExtValue(index) * (int64_t)LLVMABISizeOfType(unit->layout, type);
  }
}

static LLVMValueRef strip_offsets(struct unit *unit, LLVMValueRef pointer, int64_t *offset, bool *indexed) {
  for (;;) {
    const bool expression = LLVMIsAConstantExpr(pointer) && LLVMGetConstOpcode(pointer) == LLVMGetElementPtr;
    if (!expression && !LLVMIsAGetElementPtrInst(pointer)) return pointer;
    add_offset(unit, pointer, offset, indexed);
    pointer = LLVMGetOperand(pointer, 0);
  }
}

static void append_index(struct place *place, uint64_t index, bool *indexed) {
  if (*indexed)
    text_append(&place->name, "[]");
  else
    text_append_format(&place->name, "[%lu]", index);
  *indexed = false;
  place->dereference = false;
}

/* Goes to the member that holds byte *offset of a structure or union; false if there is none. */
static bool enter_member(struct unit *unit, struct place *place, LLVMMetadataRef type, uint64_t *offset) {
  const LLVMMetadataRef members = metadata_operand(unit, type, TYPE_ELEMENTS);
  const unsigned count = metadata_operand_count(unit, members);
  for (unsigned i = 0; i < count; i++) {
    const LLVMMetadataRef member = metadata_operand(unit, members, i);
    if (!member || LLVMGetDINodeTag(member) != MEMBER) continue;
    const uint64_t start = LLVMDITypeGetOffsetInBits(member) / 8;
    const uint64_t end = (LLVMDITypeGetOffsetInBits(member) + LLVMDITypeGetSizeInBits(member) + 7) / 8;
    if (*offset < start || *offset >= end) continue;
    unsigned length;
    const char *name = metadata_string(unit, metadata_operand(unit, member, TYPE_NAME), &length);
    if (name) {
      text_append(&place->name, place->dereference ? "->" : ".");
      text_append_bytes(&place->name, name, length);
      place->dereference = false;
    }
    *offset -= start;
    place->type = metadata_operand(unit, member, TYPE_BASE);
    return true;
  }
  return false;
}

/* Steps from the place's type towards the offset; false when there is nothing left to step into. */
static bool step_down(struct unit *unit, struct place *place, uint64_t *offset, uint64_t bytes, bool *indexed) {
  const LLVMMetadataRef type = strip_qualifiers(unit, place->type);
  if (!type || place->name.length > LONGEST_NAME) return false;
  const uint64_t size = LLVMDITypeGetSizeInBits(type) / 8;
  const bool whole = *offset == 0 && (bytes == 0 || bytes >= size) && !*indexed;
  switch (LLVMGetDINodeTag(type)) {
  case STRUCTURE:
  case UNION: return !whole && enter_member(unit, place, type, offset);
  case ARRAY: {
    const LLVMMetadataRef element = metadata_operand(unit, type, TYPE_BASE);
    const uint64_t element_bytes = bytes_of_type(unit, element);
    if (whole || !element_bytes) return false;
    append_index(place, *offset / element_bytes, indexed);
    *offset %= element_bytes;
    place->type = element;
    return true;
  }
  default: return false;
  }
}

/* From a pointer's name to that of the element it points to. */
static void follow_pointer(struct unit *unit, struct place *place, uint64_t *offset, bool *indexed) {
  const LLVMMetadataRef pointer = strip_qualifiers(unit, place->type);
  place->type = pointer && LLVMGetDINodeTag(pointer) == POINTER ? metadata_operand(unit, pointer, TYPE_BASE) : NULL;
  const uint64_t size = bytes_of_type(unit, place->type);
  if (!size) return;
  const LLVMMetadataRef target = strip_qualifiers(unit, place->type);
  const bool into_array = LLVMGetDINodeTag(target) != ARRAY && (*indexed || *offset >= size);
  if (into_array) append_index(place, *offset / size, indexed);
  *offset %= size;
}

static bool find_place(struct unit *unit, struct place *place, LLVMValueRef pointer, uint64_t bytes, unsigned depth) {
  int64_t signed_offset = 0;
  bool indexed = false;
  const LLVMValueRef base = strip_offsets(unit, pointer, &signed_offset, &indexed);
  if (!find_base(unit, place, base, depth)) return false;
  uint64_t offset = signed_offset < 0 ? 0 : (uint64_t)signed_offset;
  if (place->dereference) follow_pointer(unit, place, &offset, &indexed);
  while (step_down(unit, place, &offset, bytes, &indexed)) continue;
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

/* Whether the debug information speaks of a part of the variable only. */
static bool speaks_of_fragment(LLVMValueRef call) {
  char *text = LLVMPrintValueToString(LLVMGetOperand(call, 2));
  const bool fragment = strstr(text, "fragment") != NULL;
  LLVMDisposeMessage(text);
  return fragment;
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
  if (!value || LLVMIsAConstant(value) || map_get(&unit->variables, value)) return;
  if (declares != (LLVMIsAAllocaInst(value) != NULL) || speaks_of_fragment(call)) return;
  map_put(&unit->variables, value, LLVMValueAsMetadata(LLVMGetOperand(call, 1)));
}

void names_begin_function(struct unit *unit, LLVMValueRef function) {
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block; block = LLVMGetNextBasicBlock(block))
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i))
      if (LLVMIsACallInst(i)) note_variable(unit, i);
}
