/* SPDX-License-Identifier: MIT
 *
 * Constructors belong to the run: they may take locks, make keys and create threads. The C library calls them before
 * main, once per process, so what it calls is a stub that tells the runtime instead. In an executor the runtime calls
 * them at the beginning of every run; elsewhere, at once.
 *
 *     before                                                after
 *     @llvm.global_ctors = { i32 65535, ptr @init, ... }    @llvm.global_ctors = { i32 65535, ptr @stub, ... }
 *                                                           define internal void @stub(i32 %argc, ptr %argv, ptr %env)
 * { call void @__heddle_constructor(ptr @init, %argc, ...)
 *
 * The same holds for pointers that the program puts into .init_array itself. Destructors need nothing: the runtime
 * finds them in .fini_array.
 */
#include "instrument/internal.h"

static LLVMTypeRef stub_type(struct unit *unit) {
  LLVMTypeRef parameters[] = {unit->int32, unit->pointer, unit->pointer};
  return LLVMFunctionType(LLVMVoidTypeInContext(unit->context), parameters, 3, false);
}

static LLVMValueRef runtime_function(struct unit *unit, LLVMTypeRef *type) {
  static const char name[] = "__heddle_constructor";
  LLVMTypeRef parameters[] = {unit->pointer, unit->int32, unit->pointer, unit->pointer};
  *type = LLVMFunctionType(LLVMVoidTypeInContext(unit->context), parameters, 4, false);
  const LLVMValueRef known = LLVMGetNamedFunction(unit->module, name);
  return known ? known : LLVMAddFunction(unit->module, name, *type);
}

static LLVMValueRef make_stub(struct unit *unit, LLVMValueRef constructor) {
  LLVMTypeRef type;
  const LLVMValueRef function = runtime_function(unit, &type);
  const LLVMValueRef stub = LLVMAddFunction(unit->module, "heddle.constructor", stub_type(unit));
  LLVMSetLinkage(stub, LLVMInternalLinkage);
  LLVMPositionBuilderAtEnd(unit->builder, LLVMAppendBasicBlockInContext(unit->context, stub, ""));
  LLVMSetCurrentDebugLocation2(unit->builder, NULL);
  LLVMValueRef arguments[] = {constructor, LLVMGetParam(stub, 0), LLVMGetParam(stub, 1), LLVMGetParam(stub, 2)};
  LLVMBuildCall2(unit->builder, type, function, arguments, 4, "");
  LLVMBuildRetVoid(unit->builder);
  return stub;
}

static LLVMValueRef operand(LLVMValueRef aggregate, unsigned i) {
  return LLVMGetAggregateElement(aggregate, i);
}

/* ---- llvm.global_ctors: structures of priority, function and data ---- */

static LLVMValueRef defer_entry(struct unit *unit, LLVMValueRef entry) {
  const LLVMValueRef function = operand(entry, 1);
  if (LLVMIsNull(function)) return entry;
  LLVMValueRef members[] = {operand(entry, 0), make_stub(unit, function), operand(entry, 2)};
  return LLVMConstStructInContext(unit->context, members, 3, LLVMIsPackedStruct(LLVMTypeOf(entry)));
}

static void defer_list(struct unit *unit, LLVMValueRef list) {
  const LLVMValueRef entries = LLVMGetInitializer(list);
  const unsigned count = entries ? LLVMGetArrayLength(LLVMTypeOf(entries)) : 0;
  VECTOR(LLVMValueRef) deferred = {0};
  for (unsigned i = 0; i < count; i++) vector_push(&deferred, defer_entry(unit, operand(entries, i)));
  if (count) LLVMSetInitializer(list, LLVMConstArray2(LLVMGetElementType(LLVMTypeOf(entries)), deferred.items, count));
  vector_free(&deferred);
}

/* ---- .init_array: a pointer, or an array of them ---- */

static bool is_pointer(LLVMTypeRef type) {
  return LLVMGetTypeKind(type) == LLVMPointerTypeKind;
}

static LLVMValueRef defer_pointer(struct unit *unit, LLVMValueRef pointer) {
  return LLVMIsNull(pointer) ? pointer : make_stub(unit, pointer);
}

static void defer_variable(struct unit *unit, LLVMValueRef variable) {
  const LLVMValueRef value = LLVMGetInitializer(variable);
  const LLVMTypeRef type = LLVMTypeOf(value);
  if (is_pointer(type)) LLVMSetInitializer(variable, defer_pointer(unit, value));
  if (LLVMGetTypeKind(type) != LLVMArrayTypeKind || !is_pointer(LLVMGetElementType(type))) return;
  VECTOR(LLVMValueRef) deferred = {0};
  for (unsigned i = 0; i < LLVMGetArrayLength(type); i++)
    vector_push(&deferred, defer_pointer(unit, operand(value, i)));
  LLVMSetInitializer(variable, LLVMConstArray2(unit->pointer, deferred.items, (unsigned)deferred.count));
  vector_free(&deferred);
}

static bool is_in_init_array(LLVMValueRef variable) {
  const char *section = LLVMGetSection(variable);
  return section && LLVMGetInitializer(variable) && functions_starts_with(section, ".init_array");
}

void constructors_defer(struct unit *unit) {
  const LLVMValueRef list = LLVMGetNamedGlobal(unit->module, "llvm.global_ctors");
  if (list) defer_list(unit, list);
  for (LLVMValueRef g = LLVMGetFirstGlobal(unit->module); g; g = LLVMGetNextGlobal(g))
    if (is_in_init_array(g)) defer_variable(unit, g);
}
