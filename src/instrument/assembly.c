/* SPDX-License-Identifier: MIT
 *
 * Inline assembly. What it does to its memory operands is announced like any other atomic operation:
 *
 *     before                                                after
 *     call asm "lock xaddl $0, $1", "=r,=*m,..."(ptr %p)    call void @__heddle_atomic_update(ptr %p, i64 4, ptr @site)
 *                                                           call asm "lock xaddl $0, $1", "=r,=*m,..."(ptr %p)
 *
 * It is followed when that is all it does: one instruction touches memory, in one step (locked, or only a load or only
 * a store), and memory is reached through operands alone. Everything else runs as it is, its operands announced as far
 * as there are any, and is named in the summary.
 *
 * How many bytes an operand has is for the instruction to say: its suffix, or the register beside it. The operand's
 * type says it only where the instruction does not, as it may be a dummy: a char, or a structure larger than what is
 * there.
 */
#include "instrument/internal.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_NUMBERED = 64 };

/* What one command of the assembly text says about itself. */
struct command {
  char name[32]; /* the mnemonic, without prefixes */
  bool locked;
  uint64_t operands; /* bit i: names memory operand i */
  uint64_t bytes;    /* of them, 0 when it does not say */
  bool dereferences; /* reaches memory through a register */
  bool leaves;       /* to the kernel, or for clocks and random numbers */
};

struct assembly {
  const char *text; /* with $0, ${1:q}, ... for operands */
  const char *constraints;
  uint64_t memory_operands;            /* bit i: operand i is one */
  uint64_t value_bytes[MOST_NUMBERED]; /* of operand i if it is a value: in a register, or a constant; 0 not known */
};

/* Reads one word of assembly text; false at its end. */
static bool next_word(const char **text, char *word, size_t size) {
  static const char separators[] = " \t\n;";
  *text += strspn(*text, separators);
  const size_t length = strcspn(*text, separators);
  if (length == 0) return false;
  const size_t kept = length < size ? length : size - 1;
  memcpy(word, *text, kept);
  word[kept] = 0;
  *text += length;
  return true;
}

/* "lock; addl $0, 0(%rsp)" and its like: a locked operation that changes nothing, on the own stack. */
static bool is_stack_barrier(const char *text) {
  const size_t length = strlen(text);
  static const char stack[] = "(%rsp)";
  return functions_starts_with(text, "lock") && (strstr(text, " add") || strstr(text, " or")) && strstr(text, "$$0,") &&
         length > strlen(stack) && strcmp(text + length - strlen(stack), stack) == 0 && !strchr(text, '\n');
}

/* Nothing, pauses and barriers: they do nothing to the memory of a sequentially consistent program. */
static bool is_harmless(const char *text) {
  static const char *const harmless[] = {"pause", "rep", "nop", "mfence", "lfence", "sfence"};
  char word[64];
  if (is_stack_barrier(text)) return true;
  while (next_word(&text, word, sizeof word)) {
    bool found = false;
    for (size_t i = 0; i < sizeof harmless / sizeof *harmless && !found; i++) found = strcmp(word, harmless[i]) == 0;
    if (!found) return false;
  }
  return true;
}

/* ---- the text ---- */

/* As GCC's modifiers name the parts of a register: ${1:w}. */
static uint64_t bytes_of_modifier(char modifier) {
  switch (modifier) {
  case 'b':
  case 'h': return 1;
  case 'w': return 2;
  case 'k': return 4;
  case 'q': return 8;
  default: return 0;
  }
}

/* A reference is $1, ${1} or ${1:q}. */
static void look_at_operand(const struct assembly *assembly, const char *reference, struct command *command) {
  const char *digits = reference + 1 + (reference[1] == '{');
  if (!isdigit((unsigned char)*digits)) return;
  char *end;
  const unsigned long operand = strtoul(digits, &end, 10);
  if (operand >= MOST_NUMBERED) return;
  if (assembly->memory_operands >> operand & 1) {
    command->operands |= 1ull << operand;
    return;
  }
  const uint64_t modified = *end == ':' ? bytes_of_modifier(end[1]) : 0;
  command->bytes = modified ? modified : assembly->value_bytes[operand];
}

static void look_at_operands(const struct assembly *assembly, const char *text, size_t length,
                             struct command *command) {
  for (size_t i = 0; i < length; i++) {
    if (text[i] == '$' && text[i + 1] == '$')
      i++;
    else if (text[i] == '$')
      look_at_operand(assembly, text + i, command);
    else if (text[i] == '(')
      command->dereferences = true;
  }
}

/* From the suffix of a mnemonic; 0 when that says nothing. Those of the floating-point unit mean other sizes, and some
 * names end with such a letter. */
static uint64_t bytes_of_mnemonic(const char *name) {
  const size_t length = strlen(name);
  if (strcmp(name, "cmpxchg16b") == 0) return 16;
  if (strcmp(name, "cmpxchg8b") == 0) return 8;
  if (functions_starts_with(name, "set")) return 1;
  if (length <= 3 || name[0] == 'f' || strcmp(name, "imul") == 0) return 0;
  const bool widens = length == 6 && (functions_starts_with(name, "movz") || functions_starts_with(name, "movs"));
  switch (name[widens ? 4 : length - 1]) {
  case 'b': return 1;
  case 'w': return 2;
  case 'l': return 4;
  case 'q': return 8;
  default: return 0;
  }
}

static bool is_outside(const char *name) {
  return functions_starts_with(name, "rd") || strcmp(name, "syscall") == 0 || strcmp(name, "int") == 0;
}

/* Takes the next command: up to a semicolon or the end of the line. "lock;" alone is a prefix of what follows. */
static bool next_command(const struct assembly *assembly, const char **text, struct command *command) {
  *command = (struct command){0};
  for (;;) {
    *text += strspn(*text, " \t\n;");
    const size_t length = strcspn(*text, " \t\n;");
    if (length == 0) return false;
    const bool is_lock = length == 4 && strncmp(*text, "lock", 4) == 0;
    if (!is_lock) break;
    command->locked = true;
    *text += length;
  }
  const size_t length = strcspn(*text, "\n;"), name = strcspn(*text, " \t\n;");
  memcpy(command->name, *text, name < sizeof command->name ? name : sizeof command->name - 1);
  command->leaves = is_outside(command->name);
  look_at_operands(assembly, *text, length, command);
  const uint64_t bytes = bytes_of_mnemonic(command->name);
  if (bytes) command->bytes = bytes;
  *text += length;
  return true;
}

static bool is_move(const char *name) {
  return functions_starts_with(name, "mov");
}

/* xchg with memory is locked by itself. */
static bool is_one_step(const struct command *command) {
  return command->locked || is_move(command->name) || functions_starts_with(command->name, "xchg");
}

/* ---- the operands ---- */

struct operand {
  LLVMValueRef pointer;
  uint64_t numbers;    /* bit i: it is operand i */
  uint64_t type_bytes; /* as its type says */
  uint64_t bytes;      /* as the commands that name it say */
  bool read, written;
  bool unsized; /* one of them does not say it */
};

enum { MOST_OPERANDS = 16 };

struct operands {
  struct operand items[MOST_OPERANDS];
  unsigned count;
  bool too_many;
};

static void note_size(struct operands *operands, const struct command *command) {
  for (unsigned i = 0; i < operands->count; i++) {
    struct operand *operand = &operands->items[i];
    if (!(operand->numbers & command->operands)) continue;
    operand->unsized |= !command->bytes;
    if (command->bytes > operand->bytes) operand->bytes = command->bytes;
  }
}

static uint64_t bytes_of_operand(const struct operand *operand) {
  const bool is_known = operand->bytes && !operand->unsized;
  return is_known || operand->bytes > operand->type_bytes ? operand->bytes : operand->type_bytes;
}

/* What the commands do, taken together. */
struct summary {
  unsigned touching; /* commands that touch memory operands */
  bool moves, one_step, dereferences, leaves;
};

static struct summary summarise(const struct assembly *assembly, struct operands *operands) {
  struct summary summary = {.one_step = true, .moves = true};
  struct command command;
  for (const char *text = assembly->text; next_command(assembly, &text, &command);) {
    summary.dereferences |= command.dereferences;
    summary.leaves |= command.leaves;
    if (!command.operands) continue;
    note_size(operands, &command);
    summary.touching++;
    summary.moves &= is_move(command.name);
    summary.one_step &= is_one_step(&command);
  }
  return summary;
}

/* ---- finding the operands ---- */

static void note_operand(struct operands *operands, LLVMValueRef pointer, uint64_t bytes, unsigned number,
                         bool written) {
  unsigned i = 0;
  while (i < operands->count && operands->items[i].pointer != pointer) i++;
  if (i == MOST_OPERANDS) {
    operands->too_many = true;
    return;
  }
  if (i == operands->count) operands->items[operands->count++] = (struct operand){.pointer = pointer};
  struct operand *operand = &operands->items[i];
  if (bytes > operand->type_bytes) operand->type_bytes = bytes;
  if (number < MOST_NUMBERED) operand->numbers |= 1ull << number;
  operand->written |= written;
  operand->read |= !written;
}

/* The call gives its outputs in registers as a value, or as a structure of several. */
static LLVMTypeRef type_of_result(LLVMValueRef call, unsigned result) {
  const LLVMTypeRef type = LLVMTypeOf(call);
  if (LLVMGetTypeKind(type) != LLVMStructTypeKind) return type;
  return result < LLVMCountStructElementTypes(type) ? LLVMStructGetTypeAtIndex(type, result) : NULL;
}

/* Walks the constraints ("=*m,=r,*m,q,~{memory}"): outputs that are not indirect, clobbers and labels take no argument.
 */
static void find_operands(struct unit *unit, LLVMValueRef call, struct assembly *assembly, struct operands *operands) {
  const unsigned kind = functions_attribute_kind("elementtype");
  unsigned argument = 0, number = 0, result = 0;
  for (const char *at = assembly->constraints; *at; number++) {
    const size_t length = strcspn(at, ",");
    const bool output = *at == '=', indirect = memchr(at, '*', length);
    if (*at == '~' || *at == '!') break;
    const bool takes_argument = !output || indirect;
    const LLVMAttributeRef element = takes_argument ? LLVMGetCallSiteEnumAttribute(call, argument + 1, kind) : NULL;
    if (indirect && element) {
      const uint64_t bytes = LLVMStoreSizeOfType(unit->layout, LLVMGetTypeAttributeValue(element));
      note_operand(operands, LLVMGetArgOperand(call, argument), bytes, number, output);
      if (number < MOST_NUMBERED) assembly->memory_operands |= 1ull << number;
    } else if (number < MOST_NUMBERED) {
      const LLVMTypeRef type =
          takes_argument ? LLVMTypeOf(LLVMGetArgOperand(call, argument)) : type_of_result(call, result);
      assembly->value_bytes[number] = type ? LLVMStoreSizeOfType(unit->layout, type) : 0;
    }
    result += !takes_argument;
    argument += takes_argument;
    at += length + (at[length] == ',');
  }
}

/* Old code names a place it changes as an input: what is not a mere move may be one. */
static enum hook hook_of(const struct operand *operand, const struct summary *summary) {
  if (!operand->written) return summary->moves ? HOOK_atomic_read : HOOK_atomic_update;
  return summary->moves && !operand->read ? HOOK_atomic_write : HOOK_atomic_update;
}

static void announce_operands(struct unit *unit, LLVMValueRef call, const struct operands *operands,
                              const struct summary *summary) {
  for (unsigned i = 0; i < operands->count; i++) {
    const struct operand *operand = &operands->items[i];
    accesses_instrument_operand(unit, hook_of(operand, summary), call, operand->pointer, bytes_of_operand(operand));
  }
}

/* ---- together ---- */

static bool is_followed(const struct assembly *assembly, const struct operands *operands,
                        const struct summary *summary) {
  if (summary->dereferences || summary->leaves || operands->too_many) return false;
  if (operands->count) return operands->count == 1 && summary->touching == 1 && summary->one_step;
  return !strstr(assembly->constraints, "~{memory}");
}

static void announce_opaque(struct unit *unit, LLVMValueRef call, const char *text) {
  const LLVMValueRef site = sites_of_instruction(unit, call, "");
  hooks_insert(unit, HOOK_at_call, call, &site);
  struct text line = {0};
  text_append_bytes(&line, text, strcspn(text, "\n"));
  calls_announce_opaque(unit, call, site, NOTE_INLINE_ASSEMBLY, text_string(&line));
  text_free(&line);
}

static void instrument(struct unit *unit, LLVMValueRef call, struct assembly *assembly) {
  if (is_harmless(assembly->text)) return;
  struct operands operands = {0};
  find_operands(unit, call, assembly, &operands);
  const struct summary summary = summarise(assembly, &operands);
  if (!is_followed(assembly, &operands, &summary)) announce_opaque(unit, call, assembly->text);
  announce_operands(unit, call, &operands, &summary);
}

/* A terminated copy of what LLVM gives with a length. */
static char *copy_of(const char *bytes, size_t length) {
  struct text text = {0};
  text_append_bytes(&text, bytes, length);
  text_append(&text, "");
  return text.string;
}

void assembly_instrument(struct unit *unit, LLVMValueRef call, LLVMValueRef value) {
  size_t length;
  const char *bytes = LLVMGetInlineAsmAsmString(value, &length);
  char *text = copy_of(bytes, length);
  bytes = LLVMGetInlineAsmConstraintString(value, &length);
  char *constraints = copy_of(bytes, length);
  struct assembly assembly = {.text = text, .constraints = constraints};
  instrument(unit, call, &assembly);
  free(text);
  free(constraints);
}
