/* SPDX-License-Identifier: MIT
 *
 * What the files of src/instrument share: the translation unit at work, and one function or two per idea.
 *
 * Everything a unit points to belongs to its LLVM context or, for the vectors and maps, to the unit itself.
 */
#ifndef HEDDLE_INSTRUMENT_INTERNAL_H
#define HEDDLE_INSTRUMENT_INTERNAL_H

#include "abi/groups.h"
#include "abi/sites.h"
#include "base/memory.h"
#include "base/text.h"
#include "instrument/map.h"

#include <llvm-c/Core.h>
#include <llvm-c/Target.h>
#include <stdbool.h>
#include <stdint.h>

struct unit {
  LLVMContextRef context;
  LLVMModuleRef module;
  LLVMTargetDataRef layout;
  LLVMBuilderRef builder;
  bool is_cxx;    /* has names of C++ */
  bool optimises; /* not -O0 */
  bool follows;   /* inputs: with a shadow (shadow.h) */
  LLVMTypeRef pointer, byte, int32, int64;
  LLVMTypeRef site_type, branch_type, note_type;
  LLVMValueRef hooks[HOOKS];
  struct map hook_numbers; /* hook -> 1 + its number */

  /* sites.c */
  struct map strings;            /* metadata string -> global with its bytes */
  struct map sites;              /* constant struct site -> global that holds it */
  struct map noted;              /* metadata string "kind what" -> itself */
  LLVMValueRef coverage;         /* stands for the coverage bytes until their number is known */
  VECTOR(LLVMValueRef) branches; /* sites, in the order of the coverage bytes */
  LLVMValueRef line_bytes;       /* likewise for the bytes of lines; NULL: lines are not counted */
  VECTOR(LLVMValueRef) lines;    /* sites, in the order of these bytes */
  struct map line_numbers;       /* site -> its byte */
  VECTOR(LLVMValueRef) notes;    /* globals holding a struct note */
  VECTOR(LLVMValueRef) function_names;

  struct map hot; /* blocks and functions in which hooks are inlined (hot.c) */

  /* shadow_possible.c */
  struct map enclosed; /* functions that only calls in this module lead to */
  struct map given;    /* their parameters, and they themselves for their results, if a term may be passed there */

  /* Of the function at work. */
  struct map locals;    /* alloca -> whether it escapes (local.c) */
  struct map announced; /* access -> the call of its hook (accesses.c) */
  struct map variables; /* value -> metadata of the variable that has this value, or for an alloca is this (names.c) */
};

/* hooks.c */
void hooks_declare(struct unit *unit);
/* A call of the hook where the builder stands; the row in hooks.def says how many arguments there are. */
LLVMValueRef hooks_call(struct unit *unit, enum hook hook, const LLVMValueRef *arguments);
/* Inserts it before an instruction. */
LLVMValueRef hooks_insert(struct unit *unit, enum hook hook, LLVMValueRef before, const LLVMValueRef *arguments);
LLVMValueRef hooks_integer(struct unit *unit, uint64_t value);
/* The hook that an instruction calls, HOOKS if it does none. */
enum hook hooks_called(struct unit *unit, LLVMValueRef instruction);

/* sites.c */
void sites_begin(struct unit *unit);
LLVMValueRef sites_of_instruction(struct unit *unit, LLVMValueRef instruction, const char *variable);
LLVMValueRef sites_of_function(struct unit *unit, LLVMValueRef function);
LLVMValueRef sites_of_module(struct unit *unit);
/* Whether the instruction stands in a header of the system rather than in the program. */
bool sites_in_system_header(LLVMValueRef instruction);
bool sites_is_system_file(LLVMMetadataRef file); /* NULL is none */
/* The two coverage bytes of a new branch. */
LLVMValueRef sites_add_branch(struct unit *unit, LLVMValueRef site);
/* The byte of the instruction's line; NULL when it has none. */
LLVMValueRef sites_byte_of_line(struct unit *unit, LLVMValueRef instruction);
/* Once per kind and `what`; later ones are ignored. */
void sites_add_note(struct unit *unit, enum note_kind kind, LLVMValueRef site, const char *what);
/* A constant of its own in the module. */
LLVMValueRef sites_constant(struct unit *unit, LLVMValueRef value);
void sites_add_function(struct unit *unit, const char *name);
void sites_finish(struct unit *unit); /* emits the tables */
/* A byte in a section, which the linker keeps; and bytes that stay in the object. */
void sites_mark(struct unit *unit, const char *section);
LLVMValueRef sites_keep_bytes(struct unit *unit, const char *bytes, size_t count, const char *section);
void sites_free(struct unit *unit);

/* kept.c */
struct instrument_options;
struct error;
bool kept_asks_for_inputs(struct unit *unit);
/* The object will hold the module as the options name it. */
bool kept_add_module(struct unit *unit, const struct instrument_options *options, struct error *error);

/* names.c */
void names_begin_function(struct unit *unit, LLVMValueRef function);
/* Appends what the source calls the `size_bytes` bytes at `pointer`, nothing if unknown. Size 0: the whole object. */
void names_append(struct unit *unit, struct text *name, LLVMValueRef pointer, uint64_t size_bytes);

/* Appends the name of the variable that has this value, nothing if there is none. */
void names_append_variable(struct unit *unit, struct text *name, LLVMValueRef value);

/* metadata.c */
/* Operand `index` of a metadata node, NULL if there is none. */
LLVMMetadataRef metadata_operand(struct unit *unit, LLVMMetadataRef node, unsigned index);
/* Operand `index` as a positive integer, 0 if it is none. */
uint64_t metadata_integer(struct unit *unit, LLVMMetadataRef node, unsigned index);
unsigned metadata_operand_count(struct unit *unit, LLVMMetadataRef node);
/* A metadata string's bytes, not terminated; NULL if it is none. */
const char *metadata_string(struct unit *unit, LLVMMetadataRef string, unsigned *length);

/* local.c */
/* Whether no other thread can see what `pointer` points to; `reading` also accepts constants. */
bool local_to_thread(struct unit *unit, LLVMValueRef pointer, bool reading);
/* The one variable that `pointer` points into, wherever in it; NULL when that is not known. */
LLVMValueRef local_variable_of(LLVMValueRef pointer);

/* bounds.c */
/* A check that `bytes` bytes at the pointer lie in the variable it points into, where that is known. */
void bounds_instrument(struct unit *unit, LLVMValueRef instruction, LLVMValueRef pointer, uint64_t bytes);

/* ---- numbers.c ---- */

/* Before a conversion of an address to a number. */
void numbers_instrument(struct unit *unit, LLVMValueRef conversion);

/* In bytes, 0 when it is not known. */
uint64_t bounds_size_of_variable(struct unit *unit, LLVMValueRef variable);

/* guards.c */
struct guards {
  VECTOR(LLVMValueRef) arrays; /* allocas */
};
void guards_find(struct unit *unit, LLVMValueRef function, struct guards *guards);   /* before any hook is inserted */
void guards_insert(struct unit *unit, LLVMValueRef function, struct guards *guards); /* after the others */

/* frames.c */
struct frames {
  VECTOR(LLVMValueRef) variables; /* allocas of a fixed size at a fixed place */
  VECTOR(LLVMValueRef) dynamic;   /* other allocas */
  VECTOR(unsigned) parameters;    /* structures passed by value, by index */
};
void frames_find(struct unit *unit, LLVMValueRef function, struct frames *frames);   /* before any hook is inserted */
void frames_insert(struct unit *unit, LLVMValueRef function, struct frames *frames); /* before guards_insert */

/* types.c */
bool types_have_synchronisation(LLVMTypeRef type);

/* undefined.c */
struct lives {
  VECTOR(LLVMValueRef) starts; /* the instructions before which a variable's life begins */
};
struct undefined_use {
  LLVMValueRef user, site;
};
struct undefined {
  VECTOR(struct undefined_use) uses; /* of variables that have no value */
};
void undefined_mark(struct unit *unit); /* before sroa */
/* First of all in a function: finds uses of what was marked, and gives it its value. */
void undefined_find(struct unit *unit, LLVMValueRef function, struct undefined *undefined);
void undefined_insert(struct unit *unit, struct undefined *undefined); /* after the other hooks */
/* Gives a value to a variable that others may see. */
void undefined_define(struct unit *unit, LLVMValueRef function, LLVMValueRef alloca, uint64_t bytes);
void undefined_find_lives(LLVMValueRef function, LLVMValueRef alloca, struct lives *lives);

/* accesses.c */
void accesses_instrument_load(struct unit *unit, LLVMValueRef load);
void accesses_instrument_store(struct unit *unit, LLVMValueRef store);
void accesses_instrument_update(struct unit *unit, LLVMValueRef update);
void accesses_instrument_compare_exchange(struct unit *unit, LLVMValueRef exchange);
/* llvm.memcpy, llvm.memmove, llvm.memset; false if the intrinsic is none of them. */
bool accesses_instrument_block(struct unit *unit, LLVMValueRef call, const char *intrinsic);
/* The structures a call passes by value. */
void accesses_instrument_by_value(struct unit *unit, LLVMValueRef call);

/* A memory operand of inline assembly; `hook` is one of the atomic ones. */
void accesses_instrument_operand(struct unit *unit, enum hook hook, LLVMValueRef call, LLVMValueRef pointer,
                                 uint64_t bytes);

LLVMValueRef accesses_site(struct unit *unit, LLVMValueRef instruction, LLVMValueRef pointer, uint64_t bytes);

/* loops.c */
void loops_prepare(struct unit *unit, LLVMValueRef function);

/* hot.c */
void hot_find(struct unit *unit); /* before any hook is inserted */
/* Has the hook inlined if the access it announces stands in such a place. */
void hot_inline(struct unit *unit, LLVMValueRef instruction, LLVMValueRef hook);

/* shadow.c: terms of values, described in shadow.h */
struct shadow;
/* Before any of them: what calls within the module may pass on. */
void possible_find_calls(struct unit *unit);
/* Before the hooks: what can have terms. */
void shadow_prepare(struct unit *unit, struct shadow **shadow, LLVMValueRef function);
/* After them: `instructions` are those of the program. */
void shadow_insert(struct shadow *shadow, LLVMValueRef *instructions, size_t count);
void shadow_free(struct shadow *shadow);

/* calls.c */
void calls_instrument(struct unit *unit, LLVMValueRef call);
/* Something unknown is about to happen: it ends spin detection, and the summary names it. */
void calls_announce_opaque(struct unit *unit, LLVMValueRef call, LLVMValueRef site, enum note_kind kind,
                           const char *what);

/* returns.c */
void returns_mark(struct unit *unit); /* before sroa */
/* At a mark; false if the intrinsic is none. */
bool returns_instrument(struct unit *unit, LLVMValueRef call, const char *intrinsic);

/* assembly.c */
void assembly_instrument(struct unit *unit, LLVMValueRef call, LLVMValueRef assembly);

/* known.c */
enum known { KNOWN_NOT, KNOWN_WRAP, KNOWN_RENAME, KNOWN_PLAIN };
enum known known_function(const char *name);
/* Intercepted or plain, or one of heddle's own. */
bool known_to_heddle(const char *name);
/* Whether terms are passed to it (abi/symbolic_functions.def). */
bool known_follows(const char *name);
bool known_prints(const char *name); /* its arguments only leave the program */
/* abi/effects.def */
enum effects { EFFECTS_UNKNOWN, EFFECTS_NONE, EFFECTS_SOME };
enum effects known_effects(const char *name);
/* Whether a thread that calls it needs no thread-local storage of its own for that. */
bool known_needs_no_storage(const char *name);
/* Whether the C library or libm has a function of this name. */
bool known_in_library(const char *name);
/* The prefix that turns an intercepted function's name into its model's. */
const char *known_prefix(enum known known);

/* headers.c */
/* Has small functions of the system's headers inlined, before sroa; false if there are none. */
bool headers_mark(struct unit *unit);

/* exceptions.c */
bool exceptions_is_call(LLVMValueRef instruction); /* or an invoke */
bool exceptions_are_possible(struct unit *unit);
/* The invoke that alone leads to this block when it returns; NULL: there is none. */
LLVMValueRef exceptions_invoke_before(LLVMBasicBlockRef block);
void exceptions_instrument_landing(struct unit *unit, LLVMValueRef pad);
void exceptions_forget_guards(struct unit *unit); /* of static variables of functions; before sroa */

/* known_cxx.c */
/* A function of libstdc++ that touches no memory that threads share, but what it allocates. */
bool known_is_plain_cxx(const char *name);
/* Something of libstdc++, by its name. */
bool known_is_of_cxx_library(const char *name);
/* It prints its arguments to the stream that is the first of them. */
bool known_prints_to_stream(const char *name);

/* stubs.c */
extern const char stubs_mark_prefix[];
/* All that the module says in assembly: which functions it defines for others, what stands before their code, calls of
 * functions that have effects. After the hooks, before functions_redirect. */
void stubs_add(struct unit *unit);
bool stubs_has(LLVMValueRef function); /* calls of it go through a stub */

/* constructors.c */
void constructors_defer(struct unit *unit); /* after all functions are instrumented */

/* storage.c */
/* Whether threads need no thread-local storage of their own; asked before anything is inserted. */
bool storage_is_not_needed(struct unit *unit);
void storage_mark(struct unit *unit); /* says so */

/* branches.c */
void branches_instrument(struct unit *unit, LLVMValueRef terminator);

/* lines.c */
void lines_instrument(struct unit *unit, LLVMValueRef function);

/* functions.c */
void functions_prepare(struct unit *unit);    /* linkage and attributes, before the hooks */
void functions_instrument(struct unit *unit); /* all hooks of all functions */
void functions_redirect(struct unit *unit);   /* intercepted functions to their models, after the hooks */
/* Without debug information of where local variables are, compiling is quicker. */
void functions_forget_variables(struct unit *unit);
/* A section of its own for every function or variable that has none. */
void functions_set_sections(struct unit *unit);
void functions_set_data_sections(struct unit *unit);
/* Where hooks at the start of a function, and before a return, stand. */
LLVMValueRef functions_first_after_locals(LLVMValueRef function);
LLVMValueRef functions_start_of_return(LLVMValueRef terminator);
bool functions_are_cxx(struct unit *unit); /* whether the module has names of C++ */
/* Whether a defined function gets hooks at all. */
bool functions_is_instrumented(LLVMValueRef function);
bool functions_starts_with(const char *string, const char *prefix);
unsigned functions_attribute_kind(const char *name);

#endif
