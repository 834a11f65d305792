/* SPDX-License-Identifier: MIT
 *
 * The shadow of a function: for every integer and pointer that may be made of inputs an i32, the number of its term
 * (abi/symbolic.h), 0 while it is concrete. Structures of a few integers have one for each member.
 *
 * Terms are made in groups. Operations that do nothing but compute are put off until something needs their terms (a
 * branch, a store, the end of the block); then one test decides whether any of their operands has one:
 *
 *     before                        after
 *     %c = add i32 %a, %b           %c = add i32 %a, %b
 *     %d = icmp ult i32 %c, 9       %d = icmp ult i32 %c, 9
 *     br i1 %d, ...                 %any = or i32 %a.term, %b.term
 *                                   br i1 (%any != 0), %cold, %join      almost never
 *                                 cold:
 *                                   %c.term = call term_binary(ADD, %a.term, %a, %b.term, %b)
 *                                   %d.term = call term_compare(LESS, %c.term, %c, 0, 9)
 *                                   call branch(%d.term, %d, @site)
 *                                   br %join
 *                                 join:
 *                                   %c.merged = phi i32 [0, ...], [%c.term, %cold]      if somebody asks for it
 *                                   br i1 %d, ...
 *
 * What is announced or recorded there is an item of the group as well; it is `ordered`: nothing that can be seen from
 * elsewhere happens before it.
 *
 * A value that was pinned, or used as an address, is a known constant of the path from there on: its term counts as 0
 * in all blocks that this dominates.
 *
 * Shadows belong to one function; everything they allocate is freed with them.
 */
#ifndef HEDDLE_INSTRUMENT_SHADOW_H
#define HEDDLE_INSTRUMENT_SHADOW_H

#include "abi/symbolic.h"
#include "instrument/internal.h"
#include "instrument/order.h"

enum { MOST_MEMBERS = 8, ITEM_ARGUMENTS = 4 };

struct shadow;
struct item;
typedef void item_emit(struct shadow *shadow, struct item *item);

/* A term that an item needs: that of a member of a value. */
struct need {
  LLVMValueRef value;
  unsigned member;
};

struct item {
  item_emit *emit;          /* makes its code in the cold block */
  LLVMValueRef instruction; /* that it stands for */
  LLVMValueRef arguments[ITEM_ARGUMENTS];
  uint64_t number;
  VECTOR(struct need) needs;
  LLVMValueRef term;  /* a term that belongs to no value, NULL if none */
  LLVMValueRef pins;  /* the value that is known after it, NULL if none */
  bool makes_terms;   /* of the instruction */
  bool if_any_memory; /* also wanted when only memory holds terms */
  bool ordered, wanted;
};

struct group {
  LLVMBasicBlockRef before, cold, join;
};

/* Of one member of a value. Pending while it has an item, then in the cold block of a group, then known everywhere. */
struct member_term {
  struct item *item;
  struct group *group;
  LLVMValueRef in_cold;
  LLVMValueRef term; /* NULL when it is not merged yet */
};

/* Blocks in which a value was pinned, by place in the order. */
struct pins {
  VECTOR(unsigned) places;
};

struct value_terms {
  unsigned count;
  struct member_term members[MOST_MEMBERS];
};

struct shadow {
  struct unit *unit;
  LLVMValueRef function;
  struct order order;
  struct map possible; /* values that may have terms */
  struct map terms;    /* value -> struct value_terms */
  struct map pinned;   /* value -> struct pins */
  struct map original; /* instructions of the program, apart from the hooks */
  VECTOR(struct item *) pending;
  VECTOR(struct item *) items; /* all there ever were */
  VECTOR(struct pins *) pins;
  VECTOR(LLVMBasicBlockRef) cold; /* the cold blocks of all groups */
  VECTOR(void *) owned;
  LLVMValueRef zero;

  /* Where the walk is. */
  unsigned place;              /* of the block in the order */
  LLVMBasicBlockRef block, at; /* the block it was, and the part of it that grows */
  LLVMValueRef next;           /* the instruction that will be placed next */
  struct group *emitting;
  LLVMValueRef read; /* the term that an atomic operation reads */
  bool passes;       /* the current call passes terms */

  LLVMValueRef claimed, saved_call; /* in a variadic function: how many arguments have terms, and the copy of them */
};

/* ---- shadow.c ---- */
void *shadow_own(struct shadow *shadow, size_t bytes);
/* Bits of an integer or pointer that can have a term, else 0. */
unsigned shadow_width(LLVMTypeRef type);
/* Members with a term each: 1 for integers and pointers, 0 for what has none. */
unsigned shadow_members(LLVMTypeRef type);
LLVMTypeRef shadow_member_type(LLVMTypeRef type, unsigned member);
bool shadow_possible(const struct shadow *shadow, LLVMValueRef value);
/* Why the operands of an instruction that is not followed are pinned. */
enum pin_reason shadow_pin_reason(LLVMValueRef instruction);
/* Sets the builder to where the next instruction will be. */
void shadow_position(struct shadow *shadow);
/* The term of a value where the walk is; in a group that is being emitted, its cold block. */
LLVMValueRef shadow_term(struct shadow *shadow, LLVMValueRef value, unsigned member);
bool shadow_is_concrete(struct shadow *shadow, LLVMValueRef value);
void shadow_set_term(struct shadow *shadow, LLVMValueRef value, unsigned member, LLVMValueRef term);
void shadow_set_pending(struct shadow *shadow, LLVMValueRef value, struct item *item);
/* From here on the value is that of this run. */
void shadow_pin(struct shadow *shadow, LLVMValueRef value);

/* ---- shadow_groups.c ---- */
/* A new item, which waits. */
struct item *group_add(struct shadow *shadow, item_emit *emit, LLVMValueRef instruction);
void group_need(struct shadow *shadow, struct item *item, LLVMValueRef value); /* all its members */
/* Emits all ordered items and those that were wanted, with what they need. */
void group_flush(struct shadow *shadow);
void group_want(struct shadow *shadow, LLVMValueRef value);
/* At the end of a block: whatever is used elsewhere. */
void group_want_rest(struct shadow *shadow);
/* The term that an emitted item has made. */
void group_made(struct shadow *shadow, struct item *item, unsigned member, LLVMValueRef term);
/* An item that pins a value, and forgets its term. */
void group_pin(struct shadow *shadow, LLVMValueRef instruction, LLVMValueRef value, enum pin_reason why);
void group_pin_term(struct shadow *shadow, LLVMValueRef instruction, LLVMValueRef term, enum pin_reason why);

/* ---- shadow_tables.c ---- */
/* Makes a cold block one call, when all that uses its terms is there. */
void tables_replace(struct shadow *shadow, LLVMBasicBlockRef cold);

/* ---- shadow_operations.c ---- */
struct operand {
  LLVMValueRef term, low, high; /* high: NULL up to 64 bits */
};
struct operand operation_operand(struct shadow *shadow, LLVMValueRef value);
LLVMValueRef operation_int64(struct shadow *shadow, LLVMValueRef value); /* its low 64 bits, zero-extended */
LLVMValueRef operation_binary(struct shadow *shadow, enum term_operator kind, unsigned width, struct operand a,
                              struct operand b);
LLVMValueRef operation_compare(struct shadow *shadow, enum symbolic_comparison comparison, unsigned width,
                               struct operand a, struct operand b);
LLVMValueRef operation_intrinsic(struct shadow *shadow, enum symbolic_intrinsic intrinsic, unsigned width,
                                 struct operand a, struct operand b);
LLVMValueRef operation_resize(struct shadow *shadow, LLVMValueRef term, unsigned from, unsigned to);
/* Whether the instruction only computes: its term follows from those of its operands. */
bool operation_is_pure(LLVMValueRef instruction);
void operation_shadow(struct shadow *shadow, LLVMValueRef instruction);

/* ---- shadow_possible.c ---- */
/* Finds the values that may have terms, and makes what is done with them defined for all values. */
void possible_find(struct shadow *shadow);
bool possible_reads_constant(LLVMValueRef load);

/* ---- shadow_memory.c: before the hooks of an instruction, before it, after it ---- */
void memory_before_hooks(struct shadow *shadow, LLVMValueRef instruction);
void memory_before(struct shadow *shadow, LLVMValueRef instruction);
void memory_after(struct shadow *shadow, LLVMValueRef instruction);
void memory_address(struct shadow *shadow, LLVMValueRef instruction, LLVMValueRef pointer, uint64_t bytes);
bool memory_is_block_operation(LLVMValueRef call);

/* ---- shadow_calls.c ---- */
void call_enter(struct shadow *shadow);
void call_before_hooks(struct shadow *shadow, LLVMValueRef call);
void call_before(struct shadow *shadow, LLVMValueRef call);
void call_after(struct shadow *shadow, LLVMValueRef call);
void call_return(struct shadow *shadow, LLVMValueRef instruction);
bool call_may_give_term(struct unit *unit, LLVMValueRef call);

#endif
