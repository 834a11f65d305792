/* SPDX-License-Identifier: MIT
 *
 * Prints the trace of a run with symbolic reads (abi/symbolic.h).
 *
 *     print-symbolic EXECUTABLE [solo THREAD] [steps THREAD...] [inputs [THREAD.INDEX=VALUE...]] [then ...]
 *
 * What is shared is learned by random runs first. Then a run takes the steps, and continues with the thread alone, or
 * by itself; of several runs the last is printed. A line per access, decision and other event, in their order:
 *
 *     t1 rd counter r1.0 = 0                    what was read, and the symbol it became
 *     t1 wt counter (r1.0 + 1) = 1              what was written: the term, if it has one, and the value
 *     t1 up counter r1.0 -> (r1.0 + 1) = 1      both at once
 *     t1 first counter input                    before the first access of these bytes in the run, if they held a term
 *     t1 br 12 (r1.0 == 0) yes                  a decision: line, term, side or value
 *     t1 lock mutex
 *     finished                                  the outcome
 */
#include "base/error.h"
#include "explore/executor/executor.h"
#include "explore/inputs/inputs.h"
#include "program/program.h"
#include "trace/tables.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LEARNING_RUNS 60
#define MOST 256

struct wanted {
  struct step steps[MOST];
  struct input_value values[MOST];
  size_t n_steps, n_values;
  struct plan plan; /* without the rest of it */
};

struct printer {
  const struct program *program;
  struct inputs *inputs;
  const struct path *path; /* of the trace */
  const struct trace_view *trace;
  struct text line;
};

static void append_place(struct printer *self, uint64_t address, uint32_t size) {
  uint64_t offset = 0;
  if (program_append_variable(self->program, &self->line, address, size, NULL)) return;
  const char *name = program_symbol(self->program, address, &offset);
  if (name)
    text_append_format(&self->line, "%s+%llu", name, (unsigned long long)offset);
  else
    text_append(&self->line, "memory");
}

static void append_term(struct printer *self, uint32_t term) {
  term_print(inputs_terms(self->inputs), path_term(self->path, term), &self->line);
}

static void print_line(struct printer *self) {
  puts(text_string(&self->line));
  text_clear(&self->line);
}

static void begin(struct printer *self, thread_id thread, const char *what) {
  text_append_format(&self->line, "t%u %s ", thread, what);
}

static bool is_first(const struct printer *self, const struct access *access) {
  for (const struct access *a = self->trace->accesses; a < access; a++)
    if (a->address == access->address) return false;
  return true;
}

static void print_access(struct printer *self, const struct access *access, thread_id thread) {
  static const char *const words[] = {"?", "rd", "wt", "up"};
  if (access->found && is_first(self, access)) {
    begin(self, thread, "first");
    append_place(self, access->address, access->size);
    text_append(&self->line, " ");
    append_term(self, access->found);
    print_line(self);
  }
  begin(self, thread, words[access->flags & 3]);
  append_place(self, access->address, access->size);
  text_append(&self->line, " ");
  if (access->flags & ACCESS_READS) append_term(self, access->symbol);
  if (access->flags == (ACCESS_READS | ACCESS_WRITES)) text_append(&self->line, " -> ");
  if (access->written) append_term(self, access->written);
  const uint64_t value = access->flags & ACCESS_WRITES ? access->after : access->before;
  text_append_format(&self->line, " = %llu", (unsigned long long)value);
  print_line(self);
}

static void print_event(struct printer *self, const struct event *event) {
  const struct event_row *row = event_row(event->kind);
  begin(self, event->thread, row->words);
  if (row->class == CLASS_THREAD)
    text_append_format(&self->line, "t%llu", (unsigned long long)event->object);
  else if (row->class != CLASS_NOTHING)
    append_place(self, event->object, 0);
  print_line(self);
}

static void print_decision(struct printer *self, const struct decision *decision) {
  static const char *const words[DECISION_KINDS] = {"?", "br", "assume", "given", "pin", "address"};
  begin(self, decision->thread, words[decision->kind]);
  struct place place = program_place(self->program, decision->site);
  text_append_format(&self->line, "%u ", place.line);
  append_term(self, decision->term);
  if (self->trace->terms[decision->term - 1].width == 1)
    text_append(&self->line, decision->value ? " yes" : " no");
  else if (decision->kind == DECISION_PIN)
    text_append_format(&self->line, " = %llu", (unsigned long long)decision->value);
  print_line(self);
}

static void print_trace(struct printer *self) {
  const struct trace *record = self->trace->record;
  uint32_t access = 0, decision = 0;
  for (uint32_t i = 0; i <= record->n_events; i++) {
    for (; decision < record->n_decisions && self->trace->decisions[decision].event <= i; decision++)
      print_decision(self, &self->trace->decisions[decision]);
    if (i == record->n_events) break;
    const uint32_t first = access;
    for (; access < record->n_accesses && self->trace->accesses[access].event == i; access++)
      print_access(self, &self->trace->accesses[access], self->trace->events[i].thread);
    if (access == first) print_event(self, &self->trace->events[i]);
  }
  if (record->flags & TRACE_SHARED_GREW) puts("something new is shared");
  if (record->flags & TRACE_TERMS_FULL) puts("some terms are lost");
  puts(outcome_row(record->outcome)->words);
}

static void check_terms(const struct inputs *inputs) {
  const char *words;
  if (inputs_mismatches(inputs, &words)) printf("a term is wrong: %s\n", words);
}

static bool perform(struct executor *executor, const struct wanted *wanted, struct reply *reply, struct error *error) {
  executor_submit(executor, &wanted->plan, wanted->steps, wanted->n_steps, wanted->values, wanted->n_values);
  return executor_finish_plan(executor, reply, error);
}

static bool learn(struct executor *executor, struct error *error) {
  for (uint64_t i = 0; i < LEARNING_RUNS; i++) {
    struct reply reply;
    const struct wanted random = {
        .plan = {.flags = PLAN_RANDOM_INPUTS | PLAN_ACCESSES, .seed = i + 1, .runs = 1, .policy = POLICY_RANDOM}};
    if (!perform(executor, &random, &reply, error)) return false;
  }
  return true;
}

/* Up to "then", or all of them; returns the rest. */
static char **read_arguments(char **arguments, struct wanted *wanted) {
  const char *mode = "";
  *wanted = (struct wanted){.plan = {.flags = PLAN_SYMBOLIC_READS | PLAN_PUBLISH_ALL, .seed = 1, .runs = 1}};
  for (; *arguments; arguments++) {
    if (strcmp(*arguments, "then") == 0) return arguments + 1;
    char *end;
    const uint32_t number = (uint32_t)strtoul(*arguments, &end, 10);
    if (end == *arguments)
      mode = *arguments;
    else if (strcmp(mode, "solo") == 0)
      wanted->plan.solo = number, wanted->plan.flags |= PLAN_SOLO;
    else if (strcmp(mode, "steps") == 0 && wanted->n_steps < MOST)
      wanted->steps[wanted->n_steps++] = (struct step){(thread_id)number, 0};
    else if (wanted->n_values < MOST) {
      struct input_value value = {.thread = (thread_id)number};
      value.index = (uint32_t)strtoul(end + 1, &end, 10);
      value.value[0] = strtoull(end + 1, NULL, 10);
      wanted->values[wanted->n_values++] = value;
    }
  }
  return NULL;
}

static bool print_run(struct executor *executor, char **arguments, struct program *program, struct error *error) {
  struct reply reply;
  struct wanted wanted;
  const struct inputs_settings settings = {.solver_timeout_milliseconds = 1000, .check = true};
  if (!learn(executor, error)) return false;
  while (arguments) {
    arguments = read_arguments(arguments, &wanted);
    if (!perform(executor, &wanted, &reply, error)) return false;
  }
  struct printer printer = {.program = program, .inputs = inputs_create(&settings), .trace = &reply.trace};
  printer.path = inputs_read(printer.inputs, &reply.trace);
  print_trace(&printer);
  check_terms(printer.inputs);
  inputs_destroy(printer.inputs);
  text_free(&printer.line);
  return true;
}

int main(int argc, char **argv) {
  struct error error = {0};
  if (argc < 2) return fputs("usage: print-symbolic EXECUTABLE [solo THREAD] [steps THREAD...]\n", stderr), 2;
  const char *const arguments[] = {argv[1], NULL};
  struct program *program = NULL;
  if (!program_open(&program, argv[1], &error)) program = NULL;
  const struct executor_settings settings = {.executable = argv[1],
                                             .arguments = arguments,
                                             .max_events = 10000,
                                             .max_terms = 10000,
                                             .hang_seconds = 10,
                                             .coverage_bytes = program ? program_coverage_bytes(program) : 0,
                                             .output = -1};
  struct executor *executor = program ? executor_create(&settings, &error) : NULL;
  const bool good = executor && print_run(executor, argv + 2, program, &error);
  if (!good) fprintf(stderr, "print-symbolic: %s\n", error.message);
  if (executor) executor_destroy(executor);
  if (program) program_close(program);
  return good ? 0 : 2;
}
