/* SPDX-License-Identifier: MIT
 *
 * Addresses that become numbers: what is computed from them may depend on where a thread's own memory lies.
 *
 *     before                            after
 *     %n = ptrtoint ptr %p to i64       call void @__heddle_address_number(ptr %p, ptr @site.3)
 *                                       %n = ptrtoint ptr %p to i64
 *
 * The difference of two addresses, whether two are equal, and the lowest bits (alignment) are the same wherever the
 * memory lies.
 */
#include "instrument/internal.h"

enum { PAGE_BYTES = 4096 };

static bool is_conversion(LLVMValueRef value) {
  return LLVMIsAPtrToIntInst(value) || (LLVMIsAConstantExpr(value) && LLVMGetConstOpcode(value) == LLVMPtrToInt);
}

static bool is_equality(LLVMValueRef user) {
  if (!LLVMIsAICmpInst(user)) return false;
  return LLVMGetICmpPredicate(user) == LLVMIntEQ || LLVMGetICmpPredicate(user) == LLVMIntNE;
}

static bool is_difference(LLVMValueRef user) {
  return LLVMGetInstructionOpcode(user) == LLVMSub && is_conversion(LLVMGetOperand(user, 0)) &&
         is_conversion(LLVMGetOperand(user, 1));
}

static bool takes_lowest_bits(LLVMValueRef user) {
  const LLVMValueRef mask = LLVMGetInstructionOpcode(user) == LLVMAnd ? LLVMGetOperand(user, 1) : NULL;
  return mask && LLVMIsAConstantInt(mask) && LLVMConstIntGetZExtValue(mask) < PAGE_BYTES;
}

static bool is_used_as_number(LLVMValueRef conversion) {
  for (LLVMUseRef use = LLVMGetFirstUse(conversion); use; use = LLVMGetNextUse(use)) {
    const LLVMValueRef user = LLVMGetUser(use);
    const bool is_harmless = is_difference(user) || is_equality(user) || takes_lowest_bits(user);
    if (!is_harmless && !LLVMIsAIntToPtrInst(user)) return true;
  }
  return false;
}

void numbers_instrument(struct unit *unit, LLVMValueRef conversion) {
  const LLVMValueRef address = LLVMGetOperand(conversion, 0);
  if (LLVMTypeOf(address) != unit->pointer || LLVMIsAConstant(address) || !is_used_as_number(conversion)) return;
  const LLVMValueRef site = sites_of_instruction(unit, conversion, "");
  hooks_insert(unit, HOOK_address_number, conversion, (LLVMValueRef[]){address, site});
}
