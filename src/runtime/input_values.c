/* SPDX-License-Identifier: MIT
 *
 * Inputs: named by their thread and their index among its inputs, with the value that the plan gives to that name;
 * without one, 0 or a random number.
 */
#include "input_values.h"
#include "ends.h"
#include "spin.h"
#include "twins.h"

#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

void __heddle_slow_range(const void *address, uint64_t size, const struct site *site, int writes);

static const struct {
  const char *name;
  uint8_t width;
} types[INPUT_TYPES] = {
#define INPUT(NAME, name, type, width, is_signed) [INPUT_##NAME] = {#name, width},
#include "abi/inputs.def"
#undef INPUT
};

unsigned input_width(enum input_type type) {
  return types[type].width;
}

/* ---- values ---- */

/* Small values and extremes reach more of a program than uniform ones. */
static uint64_t draw(struct thread *thread) {
  const uint64_t z = next_random(&thread->input_state);
  if (rt->plan->flags & PLAN_SMALL_INPUTS) return z >> 8 & 7;
  switch (z & 7) {
  case 0: return 0;
  case 1: return 1;
  case 2: return ~0ull;
  case 3:
  case 4: return z >> 8 & 0xf;
  case 5: return z >> 8 & 0xff;
  default: return z >> 3;
  }
}

static bits as_type(uint64_t number, enum input_type type) {
  bits value = number;
  if (type == INPUT_FLOAT) {
    const float converted = (float)number;
    value = 0;
    memcpy(&value, &converted, sizeof converted);
  } else if (type == INPUT_DOUBLE) {
    const double converted = (double)number;
    memcpy(&value, &converted, sizeof converted);
  }
  return value & bits_mask(types[type].width);
}

static bits value_without_plan(enum input_type type) {
  if (!controlled) return as_type((uint64_t)rand(), type);
  return rt->plan->flags & PLAN_RANDOM_INPUTS ? as_type(draw(self()), type) : 0;
}

static bool comes_before(const struct input_value *value, thread_id thread, uint32_t index) {
  return value->thread != thread ? value->thread < thread : value->index < index;
}

/* The first value of the plan that is not before this name. */
static const struct input_value *find_in_plan(thread_id thread, uint32_t index) {
  const struct input_value *values = plan_inputs(rt->plan);
  uint32_t low = 0, high = rt->plan->n_inputs;
  while (low < high) {
    const uint32_t middle = low + (high - low) / 2;
    if (comes_before(&values[middle], thread, index))
      low = middle + 1;
    else
      high = middle;
  }
  return values + low;
}

static const struct input_value *end_of_plan(void) {
  return plan_inputs(rt->plan) + rt->plan->n_inputs;
}

static bits value_of(enum input_type type, thread_id thread, uint32_t index) {
  const struct input_value *planned = find_in_plan(thread, index);
  if (planned == end_of_plan() || planned->thread != thread || planned->index != index) return value_without_plan(type);
  return ((bits)planned->value[1] << 64 | planned->value[0]) & bits_mask(types[type].width);
}

/* ---- what the trace says ---- */

static bool add_name(const char *name, uint32_t *offset, uint32_t *bytes) {
  struct term_log *log = the_log;
  const uint32_t length = (uint32_t)string_length(name);
  const struct input_record *last = &log->inputs[log->n_inputs - 1];
  *bytes = length;
  if (log->n_inputs && last->name_bytes == length && memcmp(log->names + last->name_offset, name, length) == 0) {
    *offset = last->name_offset;
    return true;
  }
  if (length > TERM_NAMES_BYTES - log->names_bytes) return false;
  memcpy(log->names + log->names_bytes, name, length);
  *offset = log->names_bytes;
  log->names_bytes += length;
  return true;
}

static bool add_record(const struct input *input, uint32_t index, uint32_t count) {
  if (!terms_on()) return false;
  struct input_record record = {.index = index,
                                .count = count,
                                .thread = self()->id,
                                .type = (uint8_t)input->type,
                                .width = types[input->type].width,
                                .site = input->site};
  const char *name = input->name ? input->name : types[input->type].name;
  if (the_log->n_inputs >= rt->max_terms || !add_name(name, &record.name_offset, &record.name_bytes)) {
    terms_are_full();
    return false;
  }
  the_log->inputs[the_log->n_inputs++] = record;
  return true;
}

static void add_value(uint32_t index, bits value) {
  if (!terms_on() || !value) return;
  if (the_log->n_values >= rt->max_terms) {
    terms_are_full();
    return;
  }
  the_log->values[the_log->n_values++] =
      (struct input_value){.index = index, .thread = self()->id, .value = {(uint64_t)value, (uint64_t)(value >> 64)}};
}

/* ---- one value ---- */

/* The section HEDDLE_PLAIN_SECTION: modules whose code does not follow inputs. */
extern char __start_heddle_plain[] __attribute__((weak));
extern char __stop_heddle_plain[] __attribute__((weak));

bool inputs_are_followed(void) {
  return __start_heddle_plain == __stop_heddle_plain;
}

/* Their links are made again, unless something that heddle did not compile asks for the inputs. */
void inputs_check_followed(void) {
  if (!inputs_are_followed())
    finish_at_limit("inputs in a program that is built without code that follows them (--heddle-follow)");
}

/* A loop that asks until it likes the answer must end somewhere; whether it does depends on its own thread alone. */
static void check_number(const struct thread *thread, site_id site) {
  inputs_check_followed();
  const uint32_t most = rt->channel->max_inputs;
  if (most && thread->n_inputs >= most) finish_run(OUTCOME_TOO_MANY_INPUTS, site, 0);
}

static uint32_t take_indices(uint32_t count) {
  struct thread *thread = self();
  const uint32_t first = thread->n_inputs;
  twins_tell_apart(thread, "they ask for inputs");
  spin_end(thread);
  thread->n_inputs += count;
  return first;
}

/* An input whose value is settled: its record and its term. */
static uint32_t announce(const struct input *input, uint32_t index, bits value) {
  const bool known = add_record(input, index, 1);
  add_value(index, value);
  return known ? term_input(index, self()->id, types[input->type].width, value) : 0;
}

bits input_take(const struct input *input, uint32_t *term) {
  *term = 0;
  if (!controlled) return value_without_plan(input->type);
  check_number(self(), input->site);
  const uint32_t index = take_indices(1);
  const bits value = value_of(input->type, self()->id, index);
  *term = announce(input, index, value);
  if (input->type == INPUT_FLOAT || input->type == INPUT_DOUBLE) decide_pin(*term, PIN_FLOAT, input->site);
  return value;
}

/* A value outside of the range stands for one inside. */
static bits moved_into(const struct input_range *range, bits value, unsigned width) {
  const signed_bits number = bits_as_signed(value, width);
  if (number >= range->low && number <= range->high) return value;
  const bits count = (bits)(range->high - range->low) + 1;
  return (bits)(range->low + (signed_bits)(value % count)) & bits_mask(width);
}

static uint32_t end_of_range(signed_bits value, uint32_t term, unsigned width) {
  return term ? term : term_constant((bits)value, width);
}

/* The range is not empty, and the input lies in it. */
static void say_range(const struct input_range *range, uint32_t term, unsigned width, site_id site) {
  const uint32_t low = end_of_range(range->low, range->low_term, width);
  const uint32_t high = end_of_range(range->high, range->high_term, width);
  decide_given(term_is(COMPARE_LESS_EQUAL_SIGNED, low, term), site);
  decide_given(term_is(COMPARE_LESS_EQUAL_SIGNED, term, high), site);
}

static void assume_not_empty(const struct input_range *range, unsigned width, site_id site) {
  uint32_t ordered = 0;
  if (terms_on() && (range->low_term || range->high_term))
    ordered = term_is(COMPARE_LESS_EQUAL_SIGNED, end_of_range(range->low, range->low_term, width),
                      end_of_range(range->high, range->high_term, width));
  input_assume(range->low <= range->high, ordered, site);
}

bits input_take_between(const struct input *input, struct input_range range, uint32_t *term) {
  const unsigned width = types[input->type].width;
  *term = 0;
  assume_not_empty(&range, width, input->site);
  if (!controlled) return moved_into(&range, value_without_plan(input->type), width);
  check_number(self(), input->site);
  const uint32_t index = take_indices(1);
  const bits value = moved_into(&range, value_of(input->type, self()->id, index), width);
  *term = announce(input, index, value);
  if (*term) say_range(&range, *term, width, input->site);
  return value;
}

void input_assume(bool holds, uint32_t term, site_id site) {
  if (term) {
    if (term_width(term) > 1) term = term_is(COMPARE_NOT_EQUAL, term, term_constant(0, term_width(term)));
    decide_assume(term, site);
  }
  if (holds) return;
  if (!controlled) _exit(0);
  finish_run(OUTCOME_ASSUMPTION_FAILED, site, 0);
}

/* ---- many bytes ---- */

#define MOST_RANDOM_BYTES 4096 /* of one input; a trace lists all that are not 0 */

/* As the plan says: mostly it says nothing of most of them. */
static void fill_values(uint8_t *bytes, enum input_type type, uint32_t first, uint64_t count) {
  const thread_id thread = self()->id;
  const uint64_t random =
      rt->plan->flags & PLAN_RANDOM_INPUTS ? (count < MOST_RANDOM_BYTES ? count : MOST_RANDOM_BYTES) : 0;
  for (uint64_t i = 0; i < random; i++) bytes[i] = (uint8_t)value_without_plan(type);
  memset(bytes + random, 0, count - random);
  for (const struct input_value *planned = find_in_plan(thread, first);
       planned < end_of_plan() && planned->thread == thread && planned->index - first < count; planned++)
    bytes[planned->index - first] = (uint8_t)planned->value[0];
}

static const struct block_input *add_block(const struct input *input, const uint8_t *bytes, uint32_t index,
                                           uint64_t count) {
  struct term_tables *tables = the_tables;
  if (!terms_on()) return NULL;
  if (tables->n_blocks == MAX_BLOCK_INPUTS || count > MAX_UNREAD - tables->n_unread) {
    terms_are_full();
    return NULL;
  }
  if (!add_record(input, index, (uint32_t)count)) return NULL;
  struct block_input *block = &tables->blocks[tables->n_blocks++];
  *block = (struct block_input){tables->n_unread, (uint32_t)count, index, self()->id};
  memcpy(tables->unread_values + block->first, bytes, count);
  tables->n_unread += (uint32_t)count;
  return block;
}

const struct block_input *input_take_block(const struct input *input, void *memory, uint64_t size) {
  uint8_t *bytes = memory;
  if (!size) return NULL;
  if (!controlled) {
    for (uint64_t i = 0; i < size; i++) bytes[i] = (uint8_t)value_without_plan(input->type);
    return NULL;
  }
  const uint32_t index = take_indices((uint32_t)size);
  fill_values(bytes, input->type, index, size);
  for (uint64_t i = 0; i < size; i++) add_value(index + (uint32_t)i, bytes[i]);
  return add_block(input, bytes, index, size);
}

void input_fill(const struct input *input, void *memory, uint64_t size) {
  if (controlled) inputs_check_followed();
  if (__heddle_in_run) __heddle_slow_range(memory, size, (const struct site *)(uint64_t)input->site, 1);
  const struct block_input *block = input_take_block(input, memory, size);
  if (block) term_memory_place((uint64_t)memory, block, 0, size);
}

/* ---- what main gets ---- */

uint64_t inputs_arguments_bytes(void) {
  const uint64_t each = sizeof(char *) + rt->channel->symbolic_argument_bytes + 1;
  return rt->channel->symbolic_arguments * each;
}

void inputs_make_arguments(char **arguments, char *strings) {
  const uint32_t bytes = rt->channel->symbolic_argument_bytes;
  for (uint32_t i = 0; i < rt->channel->symbolic_arguments; i++) {
    char name[16] = "arg";
    char *end = name + 3;
    for (uint32_t power = i + 1 >= 1000 ? 1000 : i + 1 >= 100 ? 100 : i + 1 >= 10 ? 10 : 1; power; power /= 10)
      *end++ = (char)('0' + (i + 1) / power % 10);
    arguments[i] = strings;
    const struct block_input *block = input_take_block(&(struct input){INPUT_ARGUMENT, name, 0}, strings, bytes);
    if (block) term_memory_place((uint64_t)strings, block, 0, bytes);
    strings[bytes] = 0;
    strings += bytes + 1;
  }
}

void inputs_make_standard_input(void) {
  const uint32_t bytes = rt->channel->symbolic_stdin_bytes;
  rt->standard_input_at = 0;
  rt->standard_input_ended = false;
  rt->standard_input = NULL;
  if (bytes)
    rt->standard_input =
        input_take_block(&(struct input){INPUT_STDIN, "stdin", 0}, (void *)STANDARD_INPUT_ADDRESS, bytes);
}
