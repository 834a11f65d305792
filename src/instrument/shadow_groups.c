/* SPDX-License-Identifier: MIT
 *
 * Groups of items that wait for each other: shadow.h has the picture.
 */
#include "instrument/shadow.h"

#include <stdlib.h>

enum { LIKELY_WEIGHT = 1 << 20 };

struct item *group_add(struct shadow *shadow, item_emit *emit, LLVMValueRef instruction) {
  struct item *item = shadow_own(shadow, sizeof *item);
  item->emit = emit;
  item->instruction = instruction;
  vector_push(&shadow->pending, item);
  vector_push(&shadow->items, item);
  return item;
}

void group_need(struct shadow *shadow, struct item *item, LLVMValueRef value) {
  if (!shadow_possible(shadow, value)) return;
  const unsigned members = shadow_members(LLVMTypeOf(value));
  for (unsigned i = 0; i < members; i++) vector_push(&item->needs, ((struct need){value, i}));
}

/* ---- what is wanted ---- */

static struct item *item_of(const struct shadow *shadow, LLVMValueRef value, unsigned member) {
  const struct value_terms *terms = map_get(&shadow->terms, value);
  return terms ? terms->members[member].item : NULL;
}

void group_want(struct shadow *shadow, LLVMValueRef value) {
  struct item *item = shadow_possible(shadow, value) ? item_of(shadow, value, 0) : NULL;
  if (item) item->wanted = true;
}

static bool used_elsewhere(const struct shadow *shadow, const struct item *item) {
  for (LLVMUseRef use = LLVMGetFirstUse(item->instruction); use; use = LLVMGetNextUse(use))
    if (!item_of(shadow, LLVMGetUser(use), 0)) return true;
  return false;
}

void group_want_rest(struct shadow *shadow) {
  for (size_t i = 0; i < shadow->pending.count; i++) {
    struct item *item = shadow->pending.items[i];
    item->wanted |= item->makes_terms && used_elsewhere(shadow, item);
  }
}

/* An item comes after those it needs. */
static bool want_needed(struct shadow *shadow) {
  bool any = false;
  for (size_t i = shadow->pending.count; i-- > 0;) {
    struct item *item = shadow->pending.items[i];
    item->wanted |= item->ordered;
    if (!item->wanted) continue;
    any = true;
    for (size_t k = 0; k < item->needs.count; k++) {
      struct item *needed = item_of(shadow, item->needs.items[k].value, item->needs.items[k].member);
      if (needed && !shadow_is_concrete(shadow, item->needs.items[k].value)) needed->wanted = true;
    }
  }
  return any;
}

/* ---- the test ---- */

typedef VECTOR(LLVMValueRef) term_list;

static void add_term(term_list *list, LLVMValueRef term) {
  if (LLVMIsNull(term)) return;
  for (size_t i = 0; i < list->count; i++)
    if (list->items[i] == term) return;
  vector_push(list, term);
}

/* The terms that come from outside; `memory`: whether those in memory count too. */
static void find_terms(struct shadow *shadow, term_list *list, bool *memory) {
  for (size_t i = 0; i < shadow->pending.count; i++) {
    const struct item *item = shadow->pending.items[i];
    if (!item->wanted) continue;
    *memory |= item->if_any_memory;
    if (item->term) add_term(list, item->term);
    for (size_t k = 0; k < item->needs.count; k++) {
      const struct need need = item->needs.items[k];
      if (!item_of(shadow, need.value, need.member)) add_term(list, shadow_term(shadow, need.value, need.member));
    }
  }
}

static LLVMValueRef terms_in_memory(struct unit *unit) {
  LLVMValueRef global = LLVMGetNamedGlobal(unit->module, "__heddle_terms_in_memory");
  if (!global) global = LLVMAddGlobal(unit->module, unit->byte, "__heddle_terms_in_memory");
  const LLVMValueRef byte = LLVMBuildLoad2(unit->builder, unit->byte, global, "");
  return LLVMBuildZExt(unit->builder, byte, unit->int32, "");
}

static void mark_unlikely(struct unit *unit, LLVMValueRef branch) {
  static const char words[] = "branch_weights", kind[] = "prof";
  LLVMValueRef parts[] = {LLVMMDStringInContext(unit->context, words, sizeof words - 1),
                          LLVMConstInt(unit->int32, 1, false), LLVMConstInt(unit->int32, LIKELY_WEIGHT, false)};
  LLVMSetMetadata(branch, LLVMGetMDKindIDInContext(unit->context, kind, sizeof kind - 1),
                  LLVMMDNodeInContext(unit->context, parts, 3));
}

/* ---- emitting ---- */

static void set_member(struct shadow *shadow, LLVMValueRef value, unsigned member, struct member_term term) {
  struct value_terms *terms = map_get(&shadow->terms, value);
  terms->members[member] = term;
}

void group_made(struct shadow *shadow, struct item *item, unsigned member, LLVMValueRef term) {
  struct member_term made = {.group = shadow->emitting, .in_cold = term};
  if (LLVMIsNull(term)) made = (struct member_term){.term = shadow->zero};
  set_member(shadow, item->instruction, member, made);
}

static void emit_items(struct shadow *shadow) {
  for (size_t i = 0; i < shadow->pending.count; i++)
    if (shadow->pending.items[i]->wanted) shadow->pending.items[i]->emit(shadow, shadow->pending.items[i]);
}

static void open_group(struct shadow *shadow, const term_list *terms, bool memory) {
  struct unit *unit = shadow->unit;
  struct group *group = shadow_own(shadow, sizeof *group);
  shadow_position(shadow);
  LLVMValueRef any = memory ? terms_in_memory(unit) : terms->items[0];
  for (size_t i = !memory; i < terms->count; i++) any = LLVMBuildOr(unit->builder, any, terms->items[i], "");
  const LLVMValueRef test = LLVMBuildICmp(unit->builder, LLVMIntNE, any, shadow->zero, "");
  group->before = shadow->at;
  group->join = LLVMInsertBasicBlockInContext(unit->context, shadow->at, "");
  LLVMMoveBasicBlockAfter(group->join, shadow->at);
  group->cold = LLVMAppendBasicBlockInContext(unit->context, shadow->function, "");
  vector_push(&shadow->cold, group->cold);
  mark_unlikely(unit, LLVMBuildCondBr(unit->builder, test, group->cold, group->join));
  LLVMPositionBuilderAtEnd(unit->builder, group->cold);
  shadow->emitting = group;
}

static void close_group(struct shadow *shadow) {
  LLVMBuildBr(shadow->unit->builder, shadow->emitting->join);
  shadow->at = shadow->emitting->join;
  shadow->emitting = NULL;
}

/* Nothing can have a term: neither do the results. */
static void drop_items(struct shadow *shadow) {
  for (size_t i = 0; i < shadow->pending.count; i++) {
    const struct item *item = shadow->pending.items[i];
    if (!item->wanted || !item->makes_terms) continue;
    const unsigned members = shadow_members(LLVMTypeOf(item->instruction));
    for (unsigned k = 0; k < members; k++) shadow_set_term(shadow, item->instruction, k, shadow->zero);
  }
}

static void keep_unwanted(struct shadow *shadow) {
  size_t kept = 0;
  for (size_t i = 0; i < shadow->pending.count; i++) {
    struct item *item = shadow->pending.items[i];
    if (!item->wanted) shadow->pending.items[kept++] = item;
    if (item->wanted && item->pins) shadow_pin(shadow, item->pins);
  }
  shadow->pending.count = kept;
}

void group_flush(struct shadow *shadow) {
  if (!want_needed(shadow)) return;
  term_list terms = {0};
  bool memory = false;
  find_terms(shadow, &terms, &memory);
  if (terms.count || memory) {
    open_group(shadow, &terms, memory);
    emit_items(shadow);
    close_group(shadow);
  } else {
    drop_items(shadow);
  }
  keep_unwanted(shadow);
  vector_free(&terms);
}

/* ---- pins ---- */

static void emit_pin(struct shadow *shadow, struct item *item) {
  const LLVMValueRef why = hooks_integer(shadow->unit, item->number);
  for (size_t i = 0; i < item->needs.count; i++) {
    const LLVMValueRef term = shadow_term(shadow, item->needs.items[i].value, item->needs.items[i].member);
    if (!LLVMIsNull(term)) hooks_call(shadow->unit, HOOK_pin, (LLVMValueRef[]){term, why, item->arguments[0]});
  }
  if (item->term) hooks_call(shadow->unit, HOOK_pin, (LLVMValueRef[]){item->term, why, item->arguments[0]});
}

/* At a call the site names the function. */
static const char *name_at(LLVMValueRef instruction, enum pin_reason why) {
  const LLVMValueRef callee = why == PIN_CALL && LLVMIsACallInst(instruction) ? LLVMGetCalledValue(instruction) : NULL;
  size_t length;
  return callee && LLVMIsAFunction(callee) ? LLVMGetValueName2(callee, &length) : "";
}

static struct item *add_pin(struct shadow *shadow, LLVMValueRef instruction, enum pin_reason why) {
  struct item *item = group_add(shadow, emit_pin, instruction);
  item->ordered = true;
  item->number = why;
  item->arguments[0] = sites_of_instruction(shadow->unit, instruction, name_at(instruction, why));
  return item;
}

void group_pin(struct shadow *shadow, LLVMValueRef instruction, LLVMValueRef value, enum pin_reason why) {
  if (shadow_is_concrete(shadow, value)) return;
  struct item *item = add_pin(shadow, instruction, why);
  group_need(shadow, item, value);
  item->pins = value;
}

void group_pin_term(struct shadow *shadow, LLVMValueRef instruction, LLVMValueRef term, enum pin_reason why) {
  if (!LLVMIsNull(term)) add_pin(shadow, instruction, why)->term = term;
}
