/* SPDX-License-Identifier: MIT
 *
 * Reading debug information. The LLVM-C API has getters for little of it, but every metadata node shows its operands,
 * and their order is part of LLVM 19: a subprogram's name is operand 2, a variable's name 1 and type 3, and so on.
 */
#include "instrument/internal.h"

#include <stdlib.h>

unsigned metadata_operand_count(struct unit *unit, LLVMMetadataRef node) {
  return node ? LLVMGetMDNodeNumOperands(LLVMMetadataAsValue(unit->context, node)) : 0;
}

static LLVMValueRef operand_value(struct unit *unit, LLVMMetadataRef node, unsigned index) {
  const unsigned count = metadata_operand_count(unit, node);
  if (index >= count) return NULL;
  LLVMValueRef *operands = memory_allocate(count * sizeof *operands);
  LLVMGetMDNodeOperands(LLVMMetadataAsValue(unit->context, node), operands);
  const LLVMValueRef operand = operands[index];
  free(operands);
  return operand;
}

LLVMMetadataRef metadata_operand(struct unit *unit, LLVMMetadataRef node, unsigned index) {
  const LLVMValueRef operand = operand_value(unit, node, index);
  return operand ? LLVMValueAsMetadata(operand) : NULL;
}

uint64_t metadata_integer(struct unit *unit, LLVMMetadataRef node, unsigned index) {
  const LLVMValueRef operand = operand_value(unit, node, index);
  const int64_t value = operand && LLVMIsAConstantInt(operand) ? LLVMConstIntGetSExtValue(operand) : 0;
  return value > 0 ? (uint64_t)value : 0;
}

const char *metadata_string(struct unit *unit, LLVMMetadataRef string, unsigned *length) {
  *length = 0;
  return string ? LLVMGetMDString(LLVMMetadataAsValue(unit->context, string), length) : NULL;
}
