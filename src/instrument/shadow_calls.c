/* SPDX-License-Identifier: MIT
 *
 * Terms through calls (struct symbolic_call and symbolic_return of abi/symbolic.h):
 *
 *     before                          after
 *     %r = call i32 @f(i32 %a)        if (%a.term) pass(0, %a.term), passed(@f, 1)        in a group
 *                                     %r = call i32 @f(i32 %a)
 *                                     call returned(@f, @site)                            unless @f surely took them
 *                                     %r.term = call result(@f, 0)
 *     define i32 @f(i32 %a) {         %n = call claim(@f, @site)
 *                                     if (%n) %a.term = argument(%n, 0)                   in a group
 *       ret i32 %v                    call give(@f, %v.term)
 *                                     ret i32 %v
 *
 * Arguments of functions that do not follow terms, and of inline assembly, are pinned.
 */
#include "instrument/shadow.h"

#include <string.h>

enum callee {
  CALLEE_HERE,    /* always the function of this module, with a shadow */
  CALLEE_FOLLOWS, /* a model that follows terms */
  CALLEE_KNOWN,   /* a function that does not */
  CALLEE_PRINTS,  /* what it is given only leaves the program */
  CALLEE_UNKNOWN,
  CALLEE_INTRINSIC,
  CALLEE_MARK, /* an intrinsic that does nothing to values */
  CALLEE_VA_START,
  CALLEE_ASSEMBLY
};

static bool is_mark(const char *name) {
  static const char *const prefixes[] = {"llvm.dbg.",
                                         "llvm.lifetime.",
                                         "llvm.assume",
                                         "llvm.is.constant.",
                                         "llvm.objectsize.",
                                         "llvm.prefetch",
                                         "llvm.va_end",
                                         "llvm.va_copy",
                                         "llvm.stackrestore",
                                         "llvm.invariant.",
                                         "llvm.donothing",
                                         "llvm.sideeffect",
                                         "llvm.experimental.noalias.scope.decl",
                                         "llvm.var.annotation"};
  for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
    if (functions_starts_with(name, prefixes[i])) return true;
  return false;
}

static bool has_shadow(LLVMValueRef function) {
  const LLVMLinkage linkage = LLVMGetLinkage(function);
  const bool strong = linkage == LLVMExternalLinkage || linkage == LLVMInternalLinkage || linkage == LLVMPrivateLinkage;
  return strong && !LLVMIsDeclaration(function) && functions_is_instrumented(function);
}

static enum callee callee_of(LLVMValueRef call) {
  LLVMValueRef callee = LLVMGetCalledValue(call);
  if (LLVMIsAInlineAsm(callee)) return CALLEE_ASSEMBLY;
  if (LLVMIsAGlobalAlias(callee)) callee = LLVMAliasGetAliasee(callee);
  if (!LLVMIsAFunction(callee)) return CALLEE_UNKNOWN;
  size_t length;
  const char *name = LLVMGetValueName2(callee, &length);
  if (LLVMGetIntrinsicID(callee)) {
    if (functions_starts_with(name, "llvm.va_start")) return CALLEE_VA_START;
    return is_mark(name) ? CALLEE_MARK : CALLEE_INTRINSIC;
  }
  if (has_shadow(callee)) return CALLEE_HERE;
  if (!LLVMIsDeclaration(callee)) return CALLEE_UNKNOWN;
  if (known_follows(name)) return CALLEE_FOLLOWS;
  if (known_prints(name)) return CALLEE_PRINTS;
  return known_to_heddle(name) ? CALLEE_KNOWN : CALLEE_UNKNOWN;
}

static bool passes_terms(enum callee callee) {
  return callee == CALLEE_HERE || callee == CALLEE_FOLLOWS || callee == CALLEE_UNKNOWN;
}

/* A structure that is returned in registers has two members at most. */
static unsigned returned_members(LLVMTypeRef type) {
  const unsigned members = LLVMGetTypeKind(type) == LLVMVoidTypeKind ? 0 : shadow_members(type);
  return members <= 2 ? members : 0;
}

/* Whether a function of this module that nobody else calls returns a term. */
static bool gives_nothing(struct unit *unit, LLVMValueRef function) {
  return map_get(&unit->enclosed, function) && !map_get(&unit->given, function);
}

bool call_may_give_term(struct unit *unit, LLVMValueRef call) {
  if (!returned_members(LLVMTypeOf(call)) || gives_nothing(unit, LLVMGetCalledValue(call))) return false;
  return passes_terms(callee_of(call));
}

static bool is_must_tail(LLVMValueRef call) {
  return LLVMIsACallInst(call) && LLVMGetTailCallKind(call) == LLVMTailCallKindMustTail;
}

/* ---- the caller ---- */

/* The structure that an argument passes by value, NULL if it is none. */
static LLVMTypeRef by_value_type(LLVMValueRef call, unsigned argument) {
  const LLVMAttributeRef by_value = LLVMGetCallSiteEnumAttribute(call, argument + 1, functions_attribute_kind("byval"));
  return by_value ? LLVMGetTypeAttributeValue(by_value) : NULL;
}

static unsigned named_arguments(LLVMValueRef call) {
  return LLVMCountParamTypes(LLVMGetCalledFunctionType(call));
}

static enum argument_class class_of(LLVMTypeRef type) {
  switch (LLVMGetTypeKind(type)) {
  case LLVMIntegerTypeKind:
  case LLVMPointerTypeKind: return ARGUMENT_GENERAL;
  case LLVMX86_FP80TypeKind: return ARGUMENT_MEMORY;
  default: return ARGUMENT_VECTOR;
  }
}

static LLVMValueRef number(struct shadow *shadow, uint64_t value) {
  return hooks_integer(shadow->unit, value);
}

static void pass_unnamed(struct shadow *shadow, LLVMValueRef index, LLVMValueRef term, enum argument_class class,
                         LLVMValueRef by_value, uint64_t bytes) {
  const LLVMValueRef from = by_value ? by_value : LLVMConstNull(shadow->unit->pointer);
  hooks_call(shadow->unit, HOOK_pass_unnamed,
             (LLVMValueRef[]){index, term, number(shadow, class), from, number(shadow, bytes)});
}

/* One argument from index `at` on; the next index. An unnamed integer of 128 bits is in two places. */
static unsigned pass(struct shadow *shadow, LLVMValueRef call, unsigned argument, unsigned at) {
  const LLVMValueRef value = LLVMGetArgOperand(call, argument);
  const LLVMTypeRef type = LLVMTypeOf(value), structure = by_value_type(call, argument);
  const bool named = argument < named_arguments(call);
  const LLVMValueRef index = number(shadow, at);
  const LLVMValueRef term = structure || shadow_members(type) != 1 ? shadow->zero : shadow_term(shadow, value, 0);
  if (named && !structure) {
    hooks_call(shadow->unit, HOOK_pass, (LLVMValueRef[]){index, term});
    return at + 1;
  }
  if (structure) {
    pass_unnamed(shadow, index, term, ARGUMENT_MEMORY, value, LLVMABISizeOfType(shadow->unit->layout, structure));
    return at + 1;
  }
  const bool two = shadow_width(type) > 64;
  pass_unnamed(shadow, index, two ? shadow->zero : term, class_of(type), NULL,
               LLVMABISizeOfType(shadow->unit->layout, type));
  if (two) pass_unnamed(shadow, number(shadow, at + 1), shadow->zero, ARGUMENT_GENERAL, NULL, 8);
  return at + 1 + two;
}

static void emit_call(struct shadow *shadow, struct item *item) {
  const LLVMValueRef call = item->instruction;
  unsigned at = 0;
  for (unsigned i = 0; i < LLVMGetNumArgOperands(call) && at + 1 < HEDDLE_MAX_ARGUMENTS; i++)
    at = pass(shadow, call, i, at);
  hooks_call(shadow->unit, HOOK_passed, (LLVMValueRef[]){LLVMGetCalledValue(call), number(shadow, at)});
}

/* Whether an argument's term can be passed at all. */
static bool is_passed(LLVMValueRef call, unsigned argument) {
  const LLVMTypeRef type = LLVMTypeOf(LLVMGetArgOperand(call, argument));
  if (2 * argument + 1 >= HEDDLE_MAX_ARGUMENTS && argument + 1 >= HEDDLE_MAX_ARGUMENTS) return false;
  if (argument >= named_arguments(call)) return shadow_width(type) && shadow_width(type) <= 64;
  return shadow_width(type) != 0;
}

static bool announce_call(struct shadow *shadow, LLVMValueRef call) {
  const bool unnamed = LLVMGetNumArgOperands(call) > named_arguments(call);
  bool any = false, in_memory = unnamed; /* where unnamed ones lie there may be old terms */
  for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++) {
    const LLVMValueRef value = LLVMGetArgOperand(call, i);
    in_memory |= by_value_type(call, i) != NULL;
    if (by_value_type(call, i) || shadow_is_concrete(shadow, value)) continue;
    if (!is_passed(call, i)) group_pin(shadow, call, value, PIN_CALL);
    any |= is_passed(call, i);
  }
  if (!any && !in_memory) return false;
  struct item *item = group_add(shadow, emit_call, call);
  item->ordered = true;
  item->if_any_memory = in_memory;
  for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++)
    if (!by_value_type(call, i) && is_passed(call, i)) group_need(shadow, item, LLVMGetArgOperand(call, i));
  return true;
}

static void pin_arguments(struct shadow *shadow, LLVMValueRef call, enum pin_reason why) {
  for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++) group_pin(shadow, call, LLVMGetArgOperand(call, i), why);
}

static bool is_about_object(LLVMValueRef call) {
  static const char *const prefixes[] = {
      "pthread_mutex_", "pthread_cond_", "pthread_rwlock_", "pthread_spin_", "pthread_barrier_", "sem_",
      "mtx_",           "cnd_"};
  size_t length;
  const char *name = LLVMGetValueName2(LLVMGetCalledValue(call), &length);
  for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
    if (functions_starts_with(name, prefixes[i])) return true;
  return false;
}

/* The address of a synchronisation object can have other values, which are tried. */
static void pin_known(struct shadow *shadow, LLVMValueRef call) {
  const bool is_object = is_about_object(call);
  for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++) {
    const LLVMValueRef value = LLVMGetArgOperand(call, i);
    const bool address = LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMPointerTypeKind;
    group_pin(shadow, call, value, is_object && address ? PIN_OBJECT : PIN_CALL);
  }
}

/* Addresses, and everything where the result matters. */
static void pin_printed(struct shadow *shadow, LLVMValueRef call) {
  for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++) {
    const LLVMValueRef value = LLVMGetArgOperand(call, i);
    const bool address = LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMPointerTypeKind;
    if (address || LLVMGetFirstUse(call)) group_pin(shadow, call, value, PIN_CALL);
  }
}

/* ---- memory that a function gets which may not be instrumented ---- */

static LLVMValueRef site_of_callee(struct shadow *shadow, LLVMValueRef call) {
  const LLVMValueRef callee = LLVMGetCalledValue(call);
  size_t length;
  const char *name = LLVMIsAFunction(callee) ? LLVMGetValueName2(callee, &length) : "";
  return sites_of_instruction(shadow->unit, call, name);
}

static bool may_point_to_terms(LLVMValueRef argument) {
  if (LLVMGetTypeKind(LLVMTypeOf(argument)) != LLVMPointerTypeKind) return false;
  if (LLVMIsAGlobalVariable(argument)) return !LLVMIsGlobalConstant(argument);
  return !LLVMIsAFunction(argument) && !LLVMIsAConstantPointerNull(argument);
}

static void announce_given(struct shadow *shadow, LLVMValueRef call) {
  struct unit *unit = shadow->unit;
  const LLVMValueRef callee = LLVMGetCalledValue(call);
  size_t length;
  if (!LLVMIsAFunction(callee)) return;
  if (functions_starts_with(LLVMGetValueName2(callee, &length), "__heddle_")) return; /* a program may call hooks */
  const LLVMValueRef site = site_of_callee(shadow, call);
  shadow_position(shadow);
  for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++) {
    const LLVMValueRef address = LLVMGetArgOperand(call, i);
    if (by_value_type(call, i) || !may_point_to_terms(address)) continue;
    const LLVMValueRef variable = local_variable_of(address);
    const uint64_t size = variable ? bounds_size_of_variable(unit, variable) : 0;
    const LLVMValueRef known = size ? variable : LLVMConstNull(unit->pointer);
    hooks_call(unit, HOOK_given, (LLVMValueRef[]){address, known, number(shadow, size), site});
  }
}

void call_before_hooks(struct shadow *shadow, LLVMValueRef call) {
  const enum callee callee = callee_of(call);
  if (callee == CALLEE_MARK) return;
  for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++) {
    const LLVMTypeRef structure = by_value_type(call, i);
    if (structure)
      memory_address(shadow, call, LLVMGetArgOperand(call, i), LLVMStoreSizeOfType(shadow->unit->layout, structure));
  }
  group_flush(shadow);
}

/* What the callee does not take is still there when it returns. */
static void give_nothing(struct shadow *shadow, LLVMTypeRef type) {
  const unsigned members = returned_members(type);
  shadow_position(shadow);
  for (unsigned i = 0; i < members; i++)
    hooks_call(shadow->unit, i ? HOOK_give_second : HOOK_give, (LLVMValueRef[]){shadow->function, shadow->zero});
}

void call_before(struct shadow *shadow, LLVMValueRef call) {
  const enum callee callee = callee_of(call);
  shadow->passes = false;
  switch (callee) {
  case CALLEE_MARK: return;
  case CALLEE_ASSEMBLY: pin_arguments(shadow, call, PIN_ASSEMBLY); break;
  case CALLEE_KNOWN: pin_known(shadow, call); break;
  case CALLEE_PRINTS: pin_printed(shadow, call); break;
  case CALLEE_INTRINSIC:
  case CALLEE_VA_START: pin_arguments(shadow, call, shadow_pin_reason(call)); break;
  default:
    group_pin(shadow, call, LLVMGetCalledValue(call), PIN_JUMP);
    shadow->passes = announce_call(shadow, call);
    break;
  }
  group_flush(shadow);
  if (callee == CALLEE_UNKNOWN) announce_given(shadow, call);
  if (is_must_tail(call)) shadow->pending.count = 0; /* nothing comes between the call and its return */
  const bool gives = callee == CALLEE_HERE && !gives_nothing(shadow->unit, LLVMGetCalledValue(call));
  if (is_must_tail(call) && !gives) give_nothing(shadow, LLVMTypeOf(call));
}

static LLVMValueRef result(struct shadow *shadow, LLVMValueRef call, enum callee callee, unsigned member) {
  const LLVMValueRef index = number(shadow, member);
  if (callee == CALLEE_HERE) return hooks_call(shadow->unit, HOOK_result_here, &index);
  return hooks_call(shadow->unit, HOOK_result, (LLVMValueRef[]){LLVMGetCalledValue(call), index});
}

static void after_va_start(struct shadow *shadow, LLVMValueRef call) {
  const LLVMValueRef named = number(shadow, LLVMCountParams(shadow->function));
  shadow_position(shadow);
  hooks_call(shadow->unit, HOOK_variadic,
             (LLVMValueRef[]){LLVMGetArgOperand(call, 0), shadow->saved_call, shadow->claimed, named});
}

void call_after(struct shadow *shadow, LLVMValueRef call) {
  const enum callee callee = callee_of(call);
  if (callee == CALLEE_VA_START) after_va_start(shadow, call);
  if (!passes_terms(callee) || is_must_tail(call) || LLVMIsAUnreachableInst(shadow->next)) return;
  shadow_position(shadow);
  if (shadow->passes && callee == CALLEE_UNKNOWN) {
    hooks_call(shadow->unit, HOOK_returned, (LLVMValueRef[]){LLVMGetCalledValue(call), site_of_callee(shadow, call)});
  }
  const unsigned members = shadow_possible(shadow, call) ? returned_members(LLVMTypeOf(call)) : 0;
  for (unsigned i = 0; i < members; i++) shadow_set_term(shadow, call, i, result(shadow, call, callee, i));
}

/* ---- the callee ---- */

static void emit_argument(struct shadow *shadow, struct item *item) {
  const LLVMValueRef arguments[] = {item->term, number(shadow, item->number)};
  group_made(shadow, item, 0, hooks_call(shadow->unit, HOOK_argument, arguments));
}

static void emit_by_value(struct shadow *shadow, struct item *item) {
  hooks_call(shadow->unit, HOOK_by_value,
             (LLVMValueRef[]){item->instruction, item->term, number(shadow, item->number), item->arguments[0]});
}

static void emit_save(struct shadow *shadow, struct item *item) {
  hooks_call(shadow->unit, HOOK_save_call, &item->arguments[0]);
}

static struct item *add_taken(struct shadow *shadow, item_emit *emit, LLVMValueRef value, unsigned index) {
  struct item *item = group_add(shadow, emit, value);
  item->ordered = true;
  item->term = shadow->claimed;
  item->number = index;
  return item;
}

static void take_parameter(struct shadow *shadow, unsigned index) {
  const LLVMValueRef parameter = LLVMGetParam(shadow->function, index);
  const LLVMAttributeRef by_value =
      LLVMGetEnumAttributeAtIndex(shadow->function, index + 1, functions_attribute_kind("byval"));
  if (by_value) {
    struct item *item = add_taken(shadow, emit_by_value, parameter, index);
    item->if_any_memory = true;
    item->arguments[0] = number(shadow, LLVMABISizeOfType(shadow->unit->layout, LLVMGetTypeAttributeValue(by_value)));
    return;
  }
  if (!shadow_possible(shadow, parameter) || !LLVMGetFirstUse(parameter) || index >= HEDDLE_MAX_ARGUMENTS) return;
  struct item *item = add_taken(shadow, emit_argument, parameter, index);
  item->makes_terms = true;
  shadow_set_pending(shadow, parameter, item);
}

static void save_call(struct shadow *shadow) {
  struct unit *unit = shadow->unit;
  LLVMPositionBuilderBefore(unit->builder, LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(shadow->function)));
  shadow->saved_call = LLVMBuildAlloca(unit->builder, LLVMArrayType2(unit->byte, sizeof(struct symbolic_call)), "");
  LLVMSetAlignment(shadow->saved_call, _Alignof(struct symbolic_call));
  add_taken(shadow, emit_save, shadow->function, 0)->arguments[0] = shadow->saved_call;
}

/* Callers of this module pass a function something or nothing; others may come from anywhere. */
static bool may_be_passed_terms(struct shadow *shadow) {
  const LLVMValueRef function = shadow->function;
  if (!map_get(&shadow->unit->enclosed, function)) return true;
  for (unsigned i = 0; i < LLVMCountParams(function); i++)
    if (shadow_possible(shadow, LLVMGetParam(function, i)) ||
        LLVMGetEnumAttributeAtIndex(function, i + 1, functions_attribute_kind("byval")))
      return true;
  return LLVMIsFunctionVarArg(LLVMGlobalGetValueType(function));
}

void call_enter(struct shadow *shadow) {
  const unsigned count = LLVMCountParams(shadow->function);
  const bool variadic = LLVMIsFunctionVarArg(LLVMGlobalGetValueType(shadow->function));
  if (!may_be_passed_terms(shadow)) return;
  shadow_position(shadow);
  const LLVMValueRef arguments[] = {shadow->function, sites_of_function(shadow->unit, shadow->function)};
  shadow->claimed = hooks_call(shadow->unit, HOOK_claim, arguments);
  for (unsigned i = 0; i < count; i++) take_parameter(shadow, i);
  if (variadic) save_call(shadow);
  group_flush(shadow);
}

void call_return(struct shadow *shadow, LLVMValueRef instruction) {
  const LLVMValueRef before = LLVMGetLastInstruction(shadow->at);
  const LLVMValueRef previous = before == instruction ? LLVMGetPreviousInstruction(instruction) : before;
  if (LLVMGetNumOperands(instruction) == 0 || (previous && is_must_tail(previous))) return;
  const LLVMValueRef value = LLVMGetOperand(instruction, 0);
  if (gives_nothing(shadow->unit, shadow->function)) return;
  const unsigned members = returned_members(LLVMTypeOf(value));
  group_want(shadow, value);
  group_want_rest(shadow);
  group_flush(shadow);
  LLVMValueRef terms[2] = {shadow->zero, shadow->zero};
  for (unsigned i = 0; i < members; i++) terms[i] = shadow_term(shadow, value, i);
  shadow_position(shadow);
  for (unsigned i = 0; i < members; i++)
    hooks_call(shadow->unit, i ? HOOK_give_second : HOOK_give, (LLVMValueRef[]){shadow->function, terms[i]});
}
