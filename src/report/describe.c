/* SPDX-License-Identifier: MIT */
#include "report/describe.h"

#include "abi/layout.h"
#include "explore/executor/knowledge.h"
#include "trace/tables.h"

#include <stdlib.h>
#include <string.h>

#define DEEPEST_NAME 64

void describe_thread(struct text *text, const struct knowledge *knowledge, thread_id thread) {
  uint16_t indices[DEEPEST_NAME];
  int depth = 0;
  for (; thread != 0 && thread < knowledge_threads(knowledge) && depth < DEEPEST_NAME; depth++) {
    indices[depth] = knowledge->threads[thread].index;
    thread = knowledge->threads[thread].parent;
  }
  if (depth == 0) {
    text_append(text, thread == 0 ? "main" : "an unknown thread");
    return;
  }
  text_append_format(text, "t%u", indices[--depth] + 1u);
  while (depth > 0) text_append_format(text, ".%u", indices[--depth] + 1u);
}

const char *thread_start_routine(const struct scene *scene, thread_id thread) {
  for (uint32_t i = 0; i < scene->trace->record->n_events; i++) {
    const struct event *event = &scene->trace->events[i];
    if (event_effect_of(event) != EFFECT_CREATES || event->object != thread) continue;
    uint64_t offset;
    const char *function = program_symbol(scene->program, event->value, &offset);
    return function && offset == 0 ? function : "";
  }
  return "";
}

void describe_place(struct text *text, struct place place) {
  if (!*place.file || place.line == 0)
    text_append(text, "an unknown place");
  else
    text_append_format(text, "%s:%u", place.file, place.line);
}

static void append_site(struct text *text, const struct scene *scene, site_id site) {
  describe_place(text, program_place(scene->program, site));
}

/* --- objects --- */

static const struct block *find_block(const struct trace_view *trace, uint64_t address) {
  for (uint32_t i = 0; i < trace->record->n_blocks; i++) {
    const struct block *block = &trace->blocks[i];
    if (address >= block->address && address - block->address < block->size_bytes) return block;
  }
  return NULL;
}

/* The block with the least distance from an address outside of all blocks. */
static const struct block *nearest_block(const struct trace_view *trace, uint64_t address, uint64_t *distance) {
  const struct block *nearest = NULL;
  for (uint32_t i = 0; i < trace->record->n_blocks; i++) {
    const struct block *block = &trace->blocks[i];
    const uint64_t end = block->address + block->size_bytes;
    const uint64_t away = address < block->address ? block->address - address : address - end;
    if (nearest && away >= *distance) continue;
    nearest = block;
    *distance = away;
  }
  return nearest;
}

static void append_offset(struct text *text, uint64_t offset) {
  if (offset > 0) text_append_format(text, "+%llu", (unsigned long long)offset);
}

static void append_block(struct text *text, const struct scene *scene, const struct block *block, uint64_t address,
                         bool briefly) {
  text_append_format(text, "%s %u of ", briefly ? "block" : "heap block", block->index);
  describe_thread(text, scene->knowledge, block->thread);
  if (briefly) {
    append_offset(text, address - block->address);
    return;
  }
  if (address > block->address) text_append_format(text, " (+%llu)", (unsigned long long)(address - block->address));
  if (block->site) {
    text_append(text, ", allocated at ");
    append_site(text, scene, block->site);
  }
}

static void append_end_of_block(struct text *text, const struct scene *scene, const struct block *block) {
  if (!block->freed) return;
  text_append(text, ", freed by ");
  describe_thread(text, scene->knowledge, (thread_id)(block->freed - 1));
  if (!block->freed_site) return;
  text_append(text, " at ");
  append_site(text, scene, block->freed_site);
}

static bool is_in_heap(uint64_t address) {
  return address >= MAIN_ARENA_ADDRESS && address < ARENAS_END;
}

/* The block that a wrong access of the heap is about, and its story. */
static bool append_misused_block(struct text *text, const struct scene *scene, uint64_t address) {
  const struct block *block = find_block(scene->trace, address);
  uint64_t distance = 0;
  if (!block && is_in_heap(address)) block = nearest_block(scene->trace, address, &distance);
  if (!block) return false;
  const bool is_before = address < block->address, is_after = address >= block->address + block->size_bytes;
  if (is_before || (is_after && distance > 0))
    text_append_format(text, "%llu %s ", (unsigned long long)distance, distance == 1 ? "byte" : "bytes");
  if (is_before || is_after) text_append(text, is_before ? "before " : distance ? "after " : "right after ");
  append_block(text, scene, block, is_before || is_after ? block->address : address, false);
  text_append_format(text, " (%llu bytes)", (unsigned long long)block->size_bytes);
  append_end_of_block(text, scene, block);
  return true;
}

static bool is_on_stack(uint64_t address) {
  return address >= STACKS_ADDRESS && address < STACKS_END;
}

static void append_local(struct text *text, const struct scene *scene, uint64_t address, const char *variable,
                         bool briefly) {
  const thread_id owner = (thread_id)((address - STACKS_ADDRESS) / STACK_SLOT_BYTES);
  if (!briefly) text_append(text, "local variable ");
  if (briefly && !*variable) text_append(text, "local");
  text_append_format(text, "%s%sof ", variable, briefly || *variable ? " " : "");
  describe_thread(text, scene->knowledge, owner);
}

/* The last part of a name: "mutex" of "from->mutex", "items[2].key" of "queue->items[2].key"; NULL when there is none.
 */
static const char *field_behind_pointer(const char *variable) {
  const char *field = NULL;
  for (const char *at = variable; (at = strstr(at, "->")); at += 2) field = at + 2;
  return field;
}

/* What stands after the symbol's own name: ".head" of "queue.head"; NULL when the name is another. */
static const char *part_of_symbol(const char *variable, const char *symbol) {
  const size_t length = strlen(symbol);
  if (strncmp(variable, symbol, length) != 0) return NULL;
  return variable[length] == '.' || variable[length] == '[' ? variable + length : NULL;
}

/* A variable, with the part of it that the source names. An index that changes is the offset in units of `size`. */
static void append_symbol(struct text *text, const char *symbol, uint64_t offset, const char *variable, uint32_t size) {
  const char *part = part_of_symbol(variable, symbol), *field = field_behind_pointer(variable);
  text_append(text, symbol);
  if (part && strcmp(part, "[]") == 0 && size > 0 && offset % size == 0)
    text_append_format(text, "[%llu]", (unsigned long long)(offset / size));
  else if (part && !strstr(part, "[]"))
    text_append(text, part);
  else if (field && !strstr(field, "[]"))
    text_append_format(text, ".%s", field);
  else
    append_offset(text, offset);
}

/* "node->next #4": the name in the source, and which block it is in. */
static void append_block_member(struct text *text, const struct scene *scene, const struct block *block,
                                const char *variable) {
  text_append_format(text, "%s%s#", variable, *variable ? " " : "");
  if (block->thread != 0) {
    describe_thread(text, scene->knowledge, block->thread);
    text_append(text, ".");
  }
  text_append_format(text, "%u", block->index);
}

static bool is_of_files(uint64_t address) {
  return (address >= FILES_ADDRESS && address < FILES_ADDRESS + FILES_BYTES) ||
         (address >= CONTENTS_ADDRESS && address < CONTENTS_ADDRESS + MAX_FILES * CONTENT_BYTES);
}

/* What operations on files and sockets are accesses of: what it stands for, and which of them it is. */
static void append_file_word(struct text *text, uint64_t address) {
  const unsigned long long byte = (address - CONTENTS_ADDRESS) % CONTENT_BYTES;
  if (address >= CONTENTS_ADDRESS)
    text_append_format(text, "file %u (+%llu)", (unsigned)((address - CONTENTS_ADDRESS) / CONTENT_BYTES), byte);
  else if (address < FILE_WORDS)
    text_append(text, "the descriptors");
  else if (address < OFFSET_WORDS)
    text_append_format(text, "the size of file %llu", (unsigned long long)(address - FILE_WORDS) / 8);
  else if (address >= NAME_WORDS)
    text_append_format(text, "file name %llu", (unsigned long long)(address - NAME_WORDS) / 8);
  else if (address < SOCKET_WORDS)
    text_append_format(text, "the offset of descriptor %llu", (unsigned long long)(address - OFFSET_WORDS) / 8);
  else if (address < ADDRESS_WORDS)
    text_append_format(text, "socket %llu", (unsigned long long)(address - SOCKET_WORDS) / 8);
  else
    text_append_format(text, "address of sockets %llu", (unsigned long long)(address - ADDRESS_WORDS) / 8);
}

static void append_descriptor(struct text *text, uint64_t object) {
  if (object & DESCRIPTOR_PEER) text_append(text, "the other end of ");
  text_append_format(text, "%llu", (unsigned long long)(object & ~DESCRIPTOR_PEER));
}

/* What the source calls the object where a thread uses it, or last did; "" if it has no word for it. */
static const char *name_in_use(const struct scene *scene, uint64_t address) {
  const char *name = "";
  for (uint32_t i = 0; !*name && i < scene->trace->record->n_pending; i++)
    if (scene->trace->pendings[i].object == address)
      name = program_place(scene->program, scene->trace->pendings[i].site).variable;
  for (uint32_t i = scene->trace->record->n_events; !*name && i-- > 0;)
    if (scene->trace->events[i].object == address)
      name = program_place(scene->program, scene->trace->events[i].site).variable;
  return name;
}

/* "pool->lock, in heap block 1 of main, allocated at pool.c:12" */
static void append_named_block(struct text *text, const struct scene *scene, const struct block *block,
                               uint64_t address) {
  const char *name = name_in_use(scene, address);
  if (*name) text_append_format(text, "%s, in ", name);
  append_block(text, scene, block, *name ? block->address : address, false);
}

static void append_object(struct text *text, const struct scene *scene, uint64_t address, site_id site, uint32_t size,
                          bool briefly) {
  const char *variable = program_place(scene->program, site).variable;
  uint64_t offset;
  const char *symbol = program_symbol(scene->program, address, &offset);
  const struct block *block = find_block(scene->trace, address);
  if (is_of_files(address)) {
    append_file_word(text, address);
    return;
  }
  if (symbol && program_append_variable(scene->program, text, address, size, NULL)) return;
  if (symbol) {
    append_symbol(text, symbol, offset, variable, size);
  } else if (block && briefly && *variable) {
    append_block_member(text, scene, block, variable);
  } else if (block && briefly) {
    append_block(text, scene, block, address, true);
  } else if (block) {
    append_named_block(text, scene, block, address);
  } else if (is_on_stack(address)) {
    append_local(text, scene, address, variable, briefly);
  } else if (*variable) {
    text_append(text, variable);
  } else {
    text_append_format(text, "address %#llx", (unsigned long long)address);
  }
}

void describe_object(struct text *text, const struct scene *scene, uint64_t address, site_id site) {
  append_object(text, scene, address, site, 0, false);
}

void describe_object_briefly(struct text *text, const struct scene *scene, uint64_t address, site_id site) {
  append_object(text, scene, address, site, 0, true);
}

void describe_operand(struct text *text, const struct scene *scene, const struct event *event) {
  const bool is_memory = event_row(event->kind)->class == CLASS_MEMORY;
  append_object(text, scene, event->object, event->site, is_memory ? event->size : 0, true);
}

void describe_subject(struct text *text, const struct scene *scene, const struct event *event) {
  switch (event_class_of(event)) {
  case CLASS_NOTHING: return;
  case CLASS_PORT:
    if (event->object) break;
    return;
  case CLASS_THREAD:
    text_append(text, " ");
    describe_thread(text, scene->knowledge, (thread_id)event->object);
    return;
  case CLASS_DESCRIPTOR:
    text_append(text, " ");
    append_descriptor(text, event->object);
    return;
  default: break;
  }
  text_append(text, " ");
  describe_operand(text, scene, event);
}

bool describes_file(const struct event *event) {
  return event_class_of(event) == CLASS_MEMORY && is_of_files(event->object);
}

void describe_operation(struct text *text, const struct scene *scene, const struct event *event) {
  const bool only_reads = event_effect_of(event) == EFFECT_READS;
  text_append(text, !describes_file(event) ? event_row(event->kind)->words : only_reads ? "read" : "change");
  describe_subject(text, scene, event);
}

static enum value_kind kind_of_value(const struct scene *scene, const struct event *event) {
  struct text unused = {0};
  enum value_kind kind = VALUE_UNKNOWN;
  if (event->size > 0) program_append_variable(scene->program, &unused, event->object, event->size, &kind);
  text_free(&unused);
  return kind;
}

/* "&nodes[1]", "#4"; false: it points to nothing that has a name. */
static bool append_pointed_at(struct text *text, const struct scene *scene, uint64_t address, bool is_pointer) {
  struct text name = {0};
  uint64_t offset = 0;
  const char *symbol = program_symbol(scene->program, address, &offset);
  const struct block *block = find_block(scene->trace, address);
  if (symbol && (is_pointer || offset == 0)) {
    if (!program_append_variable(scene->program, &name, address, WHOLE_OBJECT, NULL)) text_append(&name, symbol);
    text_append_format(text, "&%s", text_string(&name));
    text_free(&name);
    return true;
  }
  if (!block || block->address != address) return false;
  append_block_member(text, scene, block, "");
  return true;
}

static void append_float(struct text *text, const struct event *event) {
  double value;
  float narrow;
  memcpy(&value, &event->value, sizeof value);
  memcpy(&narrow, &event->value, sizeof narrow);
  text_append_format(text, "%g", event->size == sizeof narrow ? (double)narrow : value);
}

void describe_value_in(struct text *text, const struct scene *scene, const struct event *event) {
  const enum value_kind kind = kind_of_value(scene, event);
  const bool may_be_pointer = kind == VALUE_POINTER || kind == VALUE_UNKNOWN;
  if (may_be_pointer && event->size == sizeof(void *) && event->value >= 4096 &&
      append_pointed_at(text, scene, event->value, kind == VALUE_POINTER))
    return;
  if (kind == VALUE_FLOAT && (event->size == sizeof(float) || event->size == sizeof(double)))
    append_float(text, event);
  else if (kind == VALUE_UNSIGNED)
    text_append_format(text, "%llu", (unsigned long long)event->value);
  else if (kind == VALUE_SIGNED && event->size == 8)
    text_append_format(text, "%lld", (long long)event->value);
  else
    describe_value(text, event);
}

void describe_value(struct text *text, const struct event *event) {
  const unsigned bits = event->size >= 8 || event->size == 0 ? 64 : event->size * 8;
  const int64_t value = (int64_t)(event->value << (64 - bits)) >> (64 - bits);
  const bool is_address = value > (1ll << 32);
  text_append_format(text, is_address ? "%#llx" : "%lld", (long long)value);
}

/* --- waiting --- */

static const char *class_words(enum event_class class) {
  switch (class) {
  case CLASS_MUTEX: return "mutex ";
  case CLASS_CONDITION: return "a signal on condition ";
  case CLASS_SEMAPHORE: return "semaphore ";
  case CLASS_ONCE: return "once ";
  case CLASS_RWLOCK: return "rwlock ";
  case CLASS_SPINLOCK: return "spinlock ";
  case CLASS_BINARY: return "binary semaphore ";
  case CLASS_PORT: return "port ";
  case CLASS_MONITOR: return "monitor ";
  case CLASS_FUTEX: return "a wake of futex ";
  case CLASS_BARRIER: return "barrier ";
  case CLASS_THREAD: return "the end of ";
  case CLASS_DESCRIPTOR: return "descriptor ";
  case CLASS_MEMORY:
  case CLASS_NOTHING: break;
  }
  return "";
}

static void append_holder(struct text *text, const struct scene *scene, const struct pending *pending) {
  if (pending->missing) text_append_format(text, " (%u more must come)", pending->missing);
  if (pending->holder == NO_THREAD || event_row(pending->kind)->class == CLASS_THREAD) return;
  text_append(text, " (held by ");
  describe_thread(text, scene->knowledge, pending->holder);
  if (pending->holder_site) {
    text_append(text, " since ");
    append_site(text, scene, pending->holder_site);
  }
  text_append(text, ")");
}

static void append_wait(struct text *text, const struct scene *scene, const struct pending *pending) {
  const enum event_class class = event_row(pending->kind)->class;
  describe_thread(text, scene->knowledge, pending->thread);
  text_append(text, " waits for ");
  text_append(text, class_words(class));
  if (class == CLASS_THREAD)
    describe_thread(text, scene->knowledge, (thread_id)pending->object);
  else if (class == CLASS_DESCRIPTOR)
    append_descriptor(text, pending->object);
  else
    describe_object(text, scene, pending->object, pending->site);
  append_holder(text, scene, pending);
}

struct place pending_place(const struct program *program, const struct pending *pending) {
  return pending_loops(pending) ? program_code_place(program, pending->object) : program_place(program, pending->site);
}

static const struct event *last_read(const struct scene *scene, const struct pending *pending) {
  for (uint32_t i = scene->trace->record->n_events; i-- > 0;) {
    const struct event *event = &scene->trace->events[i];
    if (event->thread == pending->thread && event->object == pending->object) return event;
  }
  return NULL;
}

static void append_spin(struct text *text, const struct scene *scene, const struct pending *pending) {
  describe_thread(text, scene->knowledge, pending->thread);
  text_append(text, " spins on ");
  describe_object(text, scene, pending->object, pending->site);
  const struct event *event = last_read(scene, pending);
  if (!event || !(event->flags & EVENT_VALUE_KNOWN)) return;
  text_append(text, " = ");
  describe_value(text, event);
}

static void append_loop(struct text *text, const struct scene *scene, const struct pending *pending) {
  const struct place place = pending_place(scene->program, pending);
  describe_thread(text, scene->knowledge, pending->thread);
  text_append(text, " repeats the same computation forever at ");
  describe_place(text, place);
  if (*place.function) text_append_format(text, " in %s", place.function);
}

static void append_pendings(struct text *text, const struct scene *scene, bool in_lines) {
  const char *separator = in_lines ? "\n    " : ": ";
  for (uint32_t i = 0; i < scene->trace->record->n_pending; i++) {
    const struct pending *pending = &scene->trace->pendings[i];
    if (!pending->blocked) continue;
    text_append(text, separator);
    separator = in_lines ? "\n    " : "; ";
    if (pending_loops(pending)) {
      append_loop(text, scene, pending);
      continue;
    }
    if (pending->blocked == 2)
      append_spin(text, scene, pending);
    else
      append_wait(text, scene, pending);
    text_append(text, " at ");
    append_site(text, scene, pending->site);
  }
}

/* --- failures --- */

static bool is_about_waiting(const struct scene *scene) {
  const uint32_t outcome = scene->trace->record->outcome;
  return outcome == OUTCOME_DEADLOCK || outcome == OUTCOME_LIVELOCK;
}

static void append_address(struct text *text, uint64_t address) {
  if (address < 4096)
    text_append_format(text, " at address %#llx (null pointer)", (unsigned long long)address);
  else
    text_append_format(text, " at address %#llx", (unsigned long long)address);
}

void describe_outcome(struct text *text, const struct trace *record) {
  text_append(text, outcome_row(record->outcome)->words);
  if (record->outcome == OUTCOME_EXIT) text_append_format(text, " %d", record->status);
}

static void append_failure(struct text *text, const struct scene *scene, bool in_lines) {
  const struct trace *record = scene->trace->record;
  const char *message = scene->trace->message;
  if (is_about_waiting(scene)) {
    text_append(text, record->outcome == OUTCOME_DEADLOCK ? "deadlock" : "livelock");
    append_pendings(text, scene, in_lines);
    return;
  }
  describe_outcome(text, record);
  if (record->outcome == OUTCOME_DATA_RACE) {
    text_append(text, " on ");
    describe_object(text, scene, record->address, record->site);
  }
  if (*message) text_append_format(text, ": %s", message);
  if (record->outcome == OUTCOME_SIGNAL && !*message)
    text_append_format(text, ": %d (%s)", record->status, strsignal(record->status));
  if (record->outcome == OUTCOME_BAD_ADDRESS) append_address(text, record->address);
  if ((record->outcome == OUTCOME_LOCK_MISUSE || record->outcome == OUTCOME_MEMORY_MISUSE) && record->address) {
    text_append(text, ": ");
    if (record->outcome == OUTCOME_LOCK_MISUSE || !append_misused_block(text, scene, record->address))
      describe_object(text, scene, record->address, record->site);
  }
}

void describe_failure(struct text *text, const struct scene *scene) {
  append_failure(text, scene, false);
}

void describe_failure_in_lines(struct text *text, const struct scene *scene) {
  append_failure(text, scene, true);
}

/* Of several waiting threads, the first one that waits for more than the end of another. */
static const struct pending *main_wait(const struct scene *scene) {
  const struct pending *first = NULL;
  for (uint32_t i = 0; i < scene->trace->record->n_pending; i++) {
    const struct pending *pending = &scene->trace->pendings[i];
    if (!pending->blocked) continue;
    if (event_row(pending->kind)->class != CLASS_THREAD) return pending;
    if (!first) first = pending;
  }
  return first;
}

/* Where the thread was last seen. */
static site_id last_site(const struct scene *scene, thread_id thread) {
  for (uint32_t i = scene->trace->record->n_events; i-- > 0;)
    if (scene->trace->events[i].thread == thread && scene->trace->events[i].site) return scene->trace->events[i].site;
  return 0;
}

/* The most exact of what is known: the instruction in the program's own code, the call that led out of it, the last
 * event. */
struct place failure_place(const struct scene *scene) {
  const struct trace *record = scene->trace->record;
  const struct pending *wait = is_about_waiting(scene) ? main_wait(scene) : NULL;
  if (wait) return pending_place(scene->program, wait);
  if (record->instruction) {
    const struct place place = program_code_place(scene->program, record->instruction);
    if (place.line > 0) return place;
  }
  const site_id before = record->last_site ? record->last_site : last_site(scene, record->thread);
  return program_place(scene->program, record->site ? record->site : before);
}

void failure_threads(const struct scene *scene, thread_list *threads) {
  if (!is_about_waiting(scene)) {
    if (scene->trace->record->thread < HEDDLE_MAX_THREADS) vector_push(threads, scene->trace->record->thread);
    return;
  }
  for (uint32_t i = 0; i < scene->trace->record->n_pending; i++)
    if (scene->trace->pendings[i].blocked) vector_push(threads, scene->trace->pendings[i].thread);
}
