/* SPDX-License-Identifier: MIT
 *
 * The way of a module: read, mark main's returns, values for locals, sroa, hooks, link the hooks' fast half, inline it
 * where that pays, optimise, write.
 *
 * Hooks come after sroa, which takes locals out of memory, and before everything else: clang's other passes merge,
 * hoist and drop plain accesses, and a racy program is one where that matters.
 */
#include "abi/kept.h"
#include "instrument/instrument.h"
#include "instrument/internal.h"

#include <llvm-c/Analysis.h>
#include <llvm-c/BitReader.h>
#include <llvm-c/Error.h>
#include <llvm-c/ErrorHandling.h>
#include <llvm-c/Linker.h>
#include <llvm-c/TargetMachine.h>
#include <llvm-c/Transforms/PassBuilder.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* With hooks around every access there is little that more passes could do: these make nearly the same code as -O2's in
 * a third of the time. Inlined hooks have their bodies from the start, so that what they compare is kept in registers.
 */
static const char optimise[] =
    "always-inline,globalopt,function(early-cse<memssa>,simplifycfg,instcombine<no-verify-fixpoint>),"
    "cgscc(inline,function(sroa,early-cse<memssa>,simplifycfg,instcombine<no-verify-fixpoint>)),globaldce,"
    "function(loop-mssa(loop-rotate,licm),simplifycfg,instcombine<no-verify-fixpoint>)";
static const char do_not_optimise[] = "default<O0>";
static const char target_triple[] = "x86_64-pc-linux-gnu";

/* Sets the error from a message of LLVM's, which is freed. */
static bool fail(struct error *error, const char *what, char *message) {
  message[strcspn(message, "\n")] = 0;
  error_set(error, "%s: %s", what, message);
  LLVMDisposeMessage(message);
  return false;
}

/* Keeps the first error that LLVM reports in passing (bad inline assembly, for example), instead of exiting. */
static void take_diagnostic(LLVMDiagnosticInfoRef info, void *data) {
  struct error *error = data;
  if (LLVMGetDiagInfoSeverity(info) != LLVMDSError || error->message[0]) return;
  fail(error, "error", LLVMGetDiagInfoDescription(info));
}

/* LLVM aborts when this returns; heddle ends with one line and the status of an internal error instead. */
static void end_after_fatal_error(const char *reason) {
  fprintf(stderr, "heddle: internal error: LLVM: %s\n", reason);
  exit(4);
}

static bool read_module(LLVMContextRef context, const char *path, LLVMModuleRef *module, struct error *error) {
  LLVMMemoryBufferRef buffer;
  char *message;
  if (LLVMCreateMemoryBufferWithContentsOfFile(path, &buffer, &message)) return fail(error, path, message);
  const bool failed = LLVMParseBitcodeInContext2(context, buffer, module);
  LLVMDisposeMemoryBuffer(buffer);
  return failed ? error_set(error, "%s is not bitcode of LLVM 19", path) : true;
}

static bool make_target(LLVMTargetMachineRef *machine, const char *optimisation, struct error *error) {
  LLVMInitializeX86TargetInfo();
  LLVMInitializeX86Target();
  LLVMInitializeX86TargetMC();
  LLVMInitializeX86AsmPrinter();
  LLVMInitializeX86AsmParser();
  LLVMTargetRef target;
  char *message;
  if (LLVMGetTargetFromTriple(target_triple, &target, &message)) return fail(error, target_triple, message);
  const LLVMCodeGenOptLevel level = strcmp(optimisation, "O0") == 0   ? LLVMCodeGenLevelNone
                                    : strcmp(optimisation, "O3") == 0 ? LLVMCodeGenLevelAggressive
                                                                      : LLVMCodeGenLevelDefault;
  *machine = LLVMCreateTargetMachine(target, target_triple, "x86-64", "", level, LLVMRelocStatic, LLVMCodeModelSmall);
  return true;
}

static bool run_passes(struct unit *unit, LLVMTargetMachineRef machine, const char *passes, struct error *error) {
  const LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
  const LLVMErrorRef failure = LLVMRunPasses(unit->module, passes, machine, options);
  LLVMDisposePassBuilderOptions(options);
  if (!failure) return true;
  char *message = LLVMGetErrorMessage(failure);
  error_set(error, "internal error: passes %s: %s", passes, message);
  LLVMDisposeErrorMessage(message);
  return false;
}

static void set_up_unit(struct unit *unit, LLVMTargetMachineRef machine, const char *optimisation) {
  unit->layout = LLVMCreateTargetDataLayout(machine);
  unit->builder = LLVMCreateBuilderInContext(unit->context);
  unit->pointer = LLVMPointerTypeInContext(unit->context, 0);
  unit->byte = LLVMInt8TypeInContext(unit->context);
  unit->int32 = LLVMInt32TypeInContext(unit->context);
  unit->int64 = LLVMInt64TypeInContext(unit->context);
  unit->optimises = strcmp(optimisation, "O0") != 0;
}

/* Whether inputs are followed, and what the object says about that. */
static bool choose_following(struct unit *unit, const struct instrument_options *options, struct error *error) {
  const bool asks = kept_asks_for_inputs(unit);
  unit->follows = asks || options->follow;
  if (asks) sites_mark(unit, HEDDLE_INPUTS_SECTION);
  if (unit->follows) return true;
  sites_mark(unit, HEDDLE_PLAIN_SECTION);
  return kept_add_module(unit, options, error);
}

static void insert_hooks(struct unit *unit, const struct instrument_options *options) {
  /* In the old format, assignments to variables are calls, which the LLVM-C API can read. */
  LLVMSetIsNewDbgInfoFormat(unit->module, false);
  const bool needs_no_storage = storage_is_not_needed(unit);
  functions_prepare(unit);
  if (options->function_sections) functions_set_sections(unit);
  if (options->data_sections) functions_set_data_sections(unit);
  sites_begin(unit);
  if (options->line_coverage) unit->line_bytes = LLVMAddGlobal(unit->module, unit->byte, "");
  hooks_declare(unit);
  functions_instrument(unit);
  if (!options->variables) functions_forget_variables(unit);
  stubs_add(unit);
  if (needs_no_storage) storage_mark(unit);
  functions_redirect(unit);
  constructors_defer(unit);
  sites_finish(unit);
  LLVMSetIsNewDbgInfoFormat(unit->module, true);
}

static bool verify(struct unit *unit, struct error *error) {
  char *message = NULL;
  if (LLVMVerifyModule(unit->module, LLVMReturnStatusAction, &message))
    return fail(error, "internal error: instrumented module is not valid", message);
  LLVMDisposeMessage(message);
  return true;
}

/* Those that are not inlined are in the runtime as well. */
static void prepare_hook(struct unit *unit, LLVMValueRef hook) {
  const unsigned always = functions_attribute_kind("alwaysinline"), never = functions_attribute_kind("noinline");
  if (LLVMGetEnumAttributeAtIndex(hook, LLVMAttributeFunctionIndex, never)) {
    LLVMSetLinkage(hook, LLVMAvailableExternallyLinkage);
    return;
  }
  LLVMSetLinkage(hook, LLVMInternalLinkage);
  LLVMAddAttributeAtIndex(hook, LLVMAttributeFunctionIndex, LLVMCreateEnumAttribute(unit->context, always, 0));
}

static bool link_hooks(struct unit *unit, const char *path, struct error *error) {
  LLVMModuleRef hooks;
  if (!read_module(unit->context, path, &hooks, error)) return false;
  VECTOR(char *) names = {0};
  for (LLVMValueRef f = LLVMGetFirstFunction(hooks); f; f = LLVMGetNextFunction(f)) {
    size_t length;
    const char *name = LLVMGetValueName2(f, &length);
    if (!LLVMIsDeclaration(f) && functions_starts_with(name, "__heddle_"))
      vector_push(&names, memory_copy_string(name));
  }
  const bool linked = !LLVMLinkModules2(unit->module, hooks);
  for (size_t i = 0; i < names.count; i++) {
    if (linked) prepare_hook(unit, LLVMGetNamedFunction(unit->module, names.items[i]));
    free(names.items[i]);
  }
  vector_free(&names);
  return linked ? true : error_set(error, "internal error: cannot link %s", path);
}

static bool write_assembly(struct unit *unit, const char *path, struct error *error) {
  char *message;
  if (!path || !LLVMPrintModuleToFile(unit->module, path, &message)) return true;
  return fail(error, path, message);
}

static bool write_object(struct unit *unit, LLVMTargetMachineRef machine, const char *path, struct error *error) {
  char *message;
  char *mutable_path = memory_copy_string(path);
  const bool failed = LLVMTargetMachineEmitToFile(machine, unit->module, mutable_path, LLVMObjectFile, &message);
  free(mutable_path);
  return failed ? fail(error, path, message) : true;
}

/* The edges of invokes are split later, so that what comes after one has a place. */
static bool prepare_cxx(struct unit *unit, LLVMTargetMachineRef machine, struct error *error) {
  exceptions_forget_guards(unit);
  return !headers_mark(unit) || run_passes(unit, machine, "always-inline,globaldce", error);
}

static bool transform(struct unit *unit, LLVMTargetMachineRef machine, const struct instrument_options *options,
                      struct error *error) {
  const char *passes = unit->optimises ? optimise : do_not_optimise;
  unit->is_cxx = functions_are_cxx(unit);
  if (unit->is_cxx && !prepare_cxx(unit, machine, error)) return false;
  returns_mark(unit);
  undefined_mark(unit);
  const char *first_passes = exceptions_are_possible(unit) ? "sroa,break-crit-edges" : "sroa";
  if (!run_passes(unit, machine, first_passes, error) || !choose_following(unit, options, error)) return false;
  insert_hooks(unit, options);
  return write_assembly(unit, options->assembly, error) && verify(unit, error) &&
         link_hooks(unit, options->hooks, error) && run_passes(unit, machine, passes, error) &&
         write_object(unit, machine, options->object, error);
}

static void free_unit(struct unit *unit) {
  sites_free(unit);
  map_free(&unit->hook_numbers);
  if (unit->builder) LLVMDisposeBuilder(unit->builder);
  if (unit->layout) LLVMDisposeTargetData(unit->layout);
  if (unit->module) LLVMDisposeModule(unit->module);
  LLVMContextDispose(unit->context);
}

bool instrument_module(const struct instrument_options *options, struct error *error) {
  LLVMInstallFatalErrorHandler(end_after_fatal_error);
  struct error diagnostic = {0};
  struct unit unit = {.context = LLVMContextCreate()};
  LLVMContextSetDiagnosticHandler(unit.context, take_diagnostic, &diagnostic);
  LLVMTargetMachineRef machine = NULL;
  bool good = make_target(&machine, options->optimisation, error) &&
              read_module(unit.context, options->bitcode, &unit.module, error);
  if (good) {
    set_up_unit(&unit, machine, options->optimisation);
    good = transform(&unit, machine, options, error);
  }
  free_unit(&unit);
  if (machine) LLVMDisposeTargetMachine(machine);
  LLVMResetFatalErrorHandler();
  if (diagnostic.message[0]) good = error_set(error, "%s", diagnostic.message);
  return good;
}
