/* SPDX-License-Identifier: MIT
 *
 * Local variables whose address leaves their function are dead when it returns, and somebody may still have the
 * address:
 *
 *     before                        after
 *     %x = alloca i32               %x = alloca i32
 *                                   call void @__heddle_frame_begin(ptr %x, i64 4)
 *     ...                           ...
 *     ret void                      call void @__heddle_frame_end(ptr %x, i64 4, ptr @site)
 *                                   ret void
 *
 * Structures passed by value are locals of the callee. Memory of alloca and arrays of variable length lie side by side:
 * two variables remember where they begin and end. What lies below the place that llvm.stackrestore goes back to ends
 * there, and the rest before the return.
 *
 * Where the life of a variable with synchronisation objects in it begins, nobody has written to it: __heddle_fresh.
 */
#include "instrument/internal.h"

#include <stdlib.h>

/* ---- which ---- */

static bool is_in_entry(LLVMValueRef function, LLVMValueRef instruction) {
  return LLVMGetInstructionParent(instruction) == LLVMGetEntryBasicBlock(function);
}

static bool has_fixed_place(LLVMValueRef function, LLVMValueRef alloca) {
  return is_in_entry(function, alloca) && LLVMIsAConstantInt(LLVMGetOperand(alloca, 0));
}

static void find_in_block(struct unit *unit, LLVMValueRef function, LLVMBasicBlockRef block, struct frames *frames) {
  for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i)) {
    if (!LLVMIsAAllocaInst(i) || local_to_thread(unit, i, false)) continue;
    if (has_fixed_place(function, i))
      vector_push(&frames->variables, i);
    else
      vector_push(&frames->dynamic, i);
  }
}

static uint64_t by_value_bytes(struct unit *unit, LLVMValueRef function, unsigned index) {
  const LLVMAttributeRef by_value = LLVMGetEnumAttributeAtIndex(function, index + 1, functions_attribute_kind("byval"));
  return by_value ? LLVMABISizeOfType(unit->layout, LLVMGetTypeAttributeValue(by_value)) : 0;
}

void frames_find(struct unit *unit, LLVMValueRef function, struct frames *frames) {
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block; block = LLVMGetNextBasicBlock(block))
    find_in_block(unit, function, block, frames);
  for (unsigned i = 0; i < LLVMCountParams(function); i++) {
    const LLVMValueRef parameter = LLVMGetParam(function, i);
    if (by_value_bytes(unit, function, i) && !local_to_thread(unit, parameter, false))
      vector_push(&frames->parameters, i);
  }
}

/* ---- begin and end ---- */

static LLVMValueRef site_of_end(struct unit *unit, LLVMValueRef terminator, LLVMValueRef variable) {
  struct text name = {0};
  if (variable) names_append(unit, &name, variable, 0);
  const LLVMValueRef site = sites_of_instruction(unit, terminator, text_string(&name));
  text_free(&name);
  return site;
}

static bool is_return(LLVMValueRef terminator) {
  return LLVMGetInstructionOpcode(terminator) == LLVMRet;
}

static void enclose(struct unit *unit, LLVMValueRef function, LLVMValueRef variable, uint64_t bytes) {
  const LLVMValueRef size = hooks_integer(unit, bytes);
  hooks_insert(unit, HOOK_frame_begin, functions_first_after_locals(function), (LLVMValueRef[]){variable, size});
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block; block = LLVMGetNextBasicBlock(block)) {
    const LLVMValueRef terminator = LLVMGetBasicBlockTerminator(block);
    if (!is_return(terminator)) continue;
    const LLVMValueRef site = site_of_end(unit, terminator, variable);
    hooks_insert(unit, HOOK_frame_end, functions_start_of_return(terminator), (LLVMValueRef[]){variable, size, site});
  }
}

/* ---- arrays of variable length ---- */

struct extent {
  LLVMValueRef low, high; /* variables that hold addresses, 0 none yet */
};

static struct extent make_extent(struct unit *unit, LLVMValueRef function) {
  LLVMPositionBuilderBefore(unit->builder, LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(function)));
  const struct extent extent = {LLVMBuildAlloca(unit->builder, unit->int64, ""),
                                LLVMBuildAlloca(unit->builder, unit->int64, "")};
  LLVMPositionBuilderBefore(unit->builder, functions_first_after_locals(function));
  LLVMBuildStore(unit->builder, hooks_integer(unit, 0), extent.low);
  LLVMBuildStore(unit->builder, hooks_integer(unit, 0), extent.high);
  return extent;
}

static LLVMValueRef bytes_of_dynamic(struct unit *unit, LLVMValueRef alloca) {
  const uint64_t one = LLVMABISizeOfType(unit->layout, LLVMGetAllocatedType(alloca));
  const LLVMValueRef count = LLVMBuildIntCast2(unit->builder, LLVMGetOperand(alloca, 0), unit->int64, false, "");
  return LLVMBuildMul(unit->builder, count, hooks_integer(unit, one), "");
}

static void widen_extent(struct unit *unit, const struct extent *extent, LLVMValueRef start, LLVMValueRef bytes) {
  const LLVMBuilderRef builder = unit->builder;
  const LLVMValueRef end = LLVMBuildAdd(builder, start, bytes, "");
  const LLVMValueRef low = LLVMBuildLoad2(builder, unit->int64, extent->low, "");
  const LLVMValueRef high = LLVMBuildLoad2(builder, unit->int64, extent->high, "");
  /* With 0 for none, one less is the largest number. */
  const LLVMValueRef one = hooks_integer(unit, 1);
  const LLVMValueRef is_lower = LLVMBuildICmp(builder, LLVMIntULE, start, LLVMBuildSub(builder, low, one, ""), "");
  const LLVMValueRef is_higher = LLVMBuildICmp(builder, LLVMIntUGT, end, high, "");
  LLVMBuildStore(builder, LLVMBuildSelect(builder, is_lower, start, low, ""), extent->low);
  LLVMBuildStore(builder, LLVMBuildSelect(builder, is_higher, end, high, ""), extent->high);
}

static void begin_dynamic(struct unit *unit, const struct extent *extent, LLVMValueRef alloca) {
  LLVMPositionBuilderBefore(unit->builder, LLVMGetNextInstruction(alloca));
  const LLVMValueRef bytes = bytes_of_dynamic(unit, alloca);
  widen_extent(unit, extent, LLVMBuildPtrToInt(unit->builder, alloca, unit->int64, ""), bytes);
  hooks_call(unit, HOOK_frame_begin, (LLVMValueRef[]){alloca, bytes});
  if (types_have_synchronisation(LLVMGetAllocatedType(alloca)))
    hooks_call(unit, HOOK_fresh, (LLVMValueRef[]){alloca, bytes});
}

static LLVMValueRef load_address(struct unit *unit, LLVMValueRef variable) {
  return LLVMBuildLoad2(unit->builder, unit->int64, variable, "");
}

static void end_bytes(struct unit *unit, LLVMValueRef low, LLVMValueRef bytes, LLVMValueRef site) {
  const LLVMValueRef start = LLVMBuildIntToPtr(unit->builder, low, unit->pointer, "");
  hooks_call(unit, HOOK_frame_end, (LLVMValueRef[]){start, bytes, site});
}

static void end_all(struct unit *unit, const struct extent *extent, LLVMValueRef terminator) {
  const LLVMValueRef site = site_of_end(unit, terminator, NULL);
  LLVMPositionBuilderBefore(unit->builder, functions_start_of_return(terminator));
  const LLVMValueRef low = load_address(unit, extent->low);
  end_bytes(unit, low, LLVMBuildSub(unit->builder, load_address(unit, extent->high), low, ""), site);
}

/* Before the stack goes back to where it was: what lies below that, if anything does. */
static void end_until(struct unit *unit, const struct extent *extent, LLVMValueRef restore) {
  const LLVMBuilderRef builder = unit->builder;
  const LLVMValueRef site = site_of_end(unit, restore, NULL), none = hooks_integer(unit, 0);
  LLVMPositionBuilderBefore(builder, restore);
  const LLVMValueRef until = LLVMBuildPtrToInt(builder, LLVMGetArgOperand(restore, 0), unit->int64, "");
  const LLVMValueRef low = load_address(unit, extent->low), high = load_address(unit, extent->high);
  const LLVMValueRef is_below = LLVMBuildICmp(builder, LLVMIntULT, low, until, ""); /* also 0, with 0 bytes */
  const LLVMValueRef has_more = LLVMBuildICmp(builder, LLVMIntUGT, high, until, "");
  const LLVMValueRef end = LLVMBuildSelect(builder, has_more, until, high, "");
  end_bytes(unit, low, LLVMBuildSelect(builder, is_below, LLVMBuildSub(builder, end, low, ""), none, ""), site);
  const LLVMValueRef rest = LLVMBuildSelect(builder, has_more, until, none, "");
  LLVMBuildStore(builder, LLVMBuildSelect(builder, is_below, rest, low, ""), extent->low);
  LLVMBuildStore(builder, LLVMBuildSelect(builder, has_more, high, none, ""), extent->high);
}

static bool is_restore(LLVMValueRef instruction) {
  if (!LLVMIsACallInst(instruction) || !LLVMIsAFunction(LLVMGetCalledValue(instruction))) return false;
  size_t length;
  return functions_starts_with(LLVMGetValueName2(LLVMGetCalledValue(instruction), &length), "llvm.stackrestore");
}

static void end_in_block(struct unit *unit, const struct extent *extent, LLVMBasicBlockRef block) {
  const LLVMValueRef terminator = LLVMGetBasicBlockTerminator(block);
  for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i))
    if (is_restore(i)) end_until(unit, extent, i);
  if (is_return(terminator)) end_all(unit, extent, terminator);
}

static void insert_dynamic(struct unit *unit, LLVMValueRef function, const struct frames *frames) {
  if (frames->dynamic.count == 0) return;
  const struct extent extent = make_extent(unit, function);
  for (size_t i = 0; i < frames->dynamic.count; i++) begin_dynamic(unit, &extent, frames->dynamic.items[i]);
  for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block; block = LLVMGetNextBasicBlock(block))
    end_in_block(unit, &extent, block);
}

/* ---- all ---- */

static void insert_fresh(struct unit *unit, LLVMValueRef function, LLVMValueRef alloca, uint64_t bytes) {
  struct lives lives = {0};
  if (!types_have_synchronisation(LLVMGetAllocatedType(alloca))) return;
  undefined_find_lives(function, alloca, &lives);
  for (size_t i = 0; i < lives.starts.count; i++)
    hooks_insert(unit, HOOK_fresh, lives.starts.items[i], (LLVMValueRef[]){alloca, hooks_integer(unit, bytes)});
  vector_free(&lives.starts);
}

/* In C++ a function may be left by an exception: then its variables must not be those of another function. */
static void keep_apart(struct unit *unit, LLVMValueRef function) {
  const unsigned always = functions_attribute_kind("alwaysinline");
  if (LLVMGetEnumAttributeAtIndex(function, LLVMAttributeFunctionIndex, always)) return;
  const LLVMAttributeRef never = LLVMCreateEnumAttribute(unit->context, functions_attribute_kind("noinline"), 0);
  LLVMAddAttributeAtIndex(function, LLVMAttributeFunctionIndex, never);
}

void frames_insert(struct unit *unit, LLVMValueRef function, struct frames *frames) {
  if (unit->is_cxx && frames->variables.count) keep_apart(unit, function);
  for (size_t i = 0; i < frames->variables.count; i++) {
    const LLVMValueRef variable = frames->variables.items[i];
    const uint64_t bytes = bounds_size_of_variable(unit, variable);
    enclose(unit, function, variable, bytes);
    undefined_define(unit, function, variable, bytes);
    insert_fresh(unit, function, variable, bytes);
  }
  for (size_t i = 0; i < frames->parameters.count; i++) {
    const unsigned index = frames->parameters.items[i];
    enclose(unit, function, LLVMGetParam(function, index), by_value_bytes(unit, function, index));
  }
  insert_dynamic(unit, function, frames);
  vector_free(&frames->variables);
  vector_free(&frames->dynamic);
  vector_free(&frames->parameters);
}
