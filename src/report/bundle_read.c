/* SPDX-License-Identifier: MIT
 *
 * Reading what bundle_write.c wrote, and doubting all of it: people edit, copy and truncate files.
 */
#include "report/bundle.h"

#include "base/files.h"
#include "report/given.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_TERMS (1u << 22)

/* The lines of a text, one after the other. */
struct reader {
  char *next;
  const char *line; /* the current one; NULL after the last */
};

static bool read_line(struct reader *reader) {
  char *line = reader->next;
  reader->line = NULL;
  if (!line || !*line) return false;
  char *end = strchr(line, '\n');
  if (!end) return false; /* every line ends with one: the file was cut off */
  *end = 0;
  reader->next = end + 1;
  reader->line = line;
  return true;
}

static bool read_exactly(struct reader *reader, const char *wanted) {
  return read_line(reader) && strcmp(reader->line, wanted) == 0;
}

static bool read_number(struct reader *reader, const char *format, uint64_t *number, uint64_t most) {
  unsigned long long value;
  int end = 0;
  if (!read_line(reader) || sscanf(reader->line, format, &value, &end) != 1) return false;
  *number = value;
  return end > 0 && reader->line[end] == 0 && value <= most;
}

static bool read_number_32(struct reader *reader, const char *format, uint32_t *number, uint64_t most) {
  uint64_t wide;
  if (!read_number(reader, format, &wide, most)) return false;
  *number = (uint32_t)wide;
  return true;
}

static bool read_pair(struct reader *reader, const char *format, uint64_t *first, uint64_t *second) {
  unsigned long long a, b;
  int end = 0;
  if (!read_line(reader) || sscanf(reader->line, format, &a, &b, &end) != 2) return false;
  *first = a;
  *second = b;
  return end > 0 && reader->line[end] == 0;
}

static char *unescape(const char *argument) {
  char *result = memory_copy_string(argument), *to = result;
  for (; *argument; argument++) {
    if (*argument == '\\' && argument[1])
      *to++ = *++argument == 'n' ? '\n' : *argument;
    else
      *to++ = *argument;
  }
  *to = 0;
  return result;
}

static bool read_policy(struct reader *reader, struct finding *finding) {
  unsigned policy;
  if (!read_line(reader)) return false;
  if (sscanf(reader->line, "policy %u %u %u", &policy, &finding->priority_changes, &finding->expected_steps) != 3)
    return false;
  finding->policy = policy;
  return policy <= POLICY_PRIORITY;
}

/* How many the minimised schedule has is in the trace; how many the run had that was found, only here. */
static bool read_switches(struct reader *reader, struct finding *finding) {
  uint64_t now, found;
  if (!read_pair(reader, "switches %llu of %llu%n", &now, &found) || found > UINT32_MAX) return false;
  finding->found_switches = (uint32_t)found;
  return true;
}

/* Arguments, variables of the environment, then the number of steps. */
static bool read_arguments(struct reader *reader, struct bundle *bundle, unsigned long long *n_steps) {
  while (read_line(reader) && strncmp(reader->line, "argument ", 9) == 0)
    vector_push(&bundle->arguments, unescape(reader->line + 9));
  if (!reader->line || bundle->arguments.count == 0) return false;
  vector_push(&bundle->arguments, NULL);
  for (; reader->line && strncmp(reader->line, "environment ", 12) == 0; read_line(reader)) {
    if (!strchr(reader->line + 12, '=')) return false;
    vector_push(&bundle->environment, unescape(reader->line + 12));
  }
  if (!reader->line) return false;
  return sscanf(reader->line, "steps %llu", n_steps) == 1 && *n_steps <= bundle->max_events;
}

static bool read_steps(struct reader *reader, struct finding *finding, unsigned long long n_steps) {
  for (unsigned long long i = 0; i < n_steps; i++) {
    uint64_t thread, alternative;
    if (!read_pair(reader, "%llu %llu%n", &thread, &alternative)) return false;
    if (thread >= HEDDLE_MAX_THREADS || alternative > UINT16_MAX) return false;
    const struct step step = {(thread_id)thread, (uint16_t)alternative};
    vector_push(&finding->schedule, step);
  }
  return true;
}

static bool read_symbolic(struct reader *reader, struct bundle *bundle) {
  uint64_t count, bytes;
  if (!read_pair(reader, "sym-args %llu %llu%n", &count, &bytes) || count > MOST_TERMS || bytes > MOST_TERMS)
    return false;
  bundle->symbolic_arguments = (uint32_t)count;
  bundle->symbolic_argument_bytes = (uint32_t)bytes;
  return read_number_32(reader, "sym-stdin %llu%n", &bundle->symbolic_stdin_bytes, MOST_TERMS);
}

static bool parse_schedule(struct bundle *bundle, struct reader *reader) {
  unsigned long long n_steps;
  return read_number(reader, "seed %llu%n", &bundle->finding->seed, UINT64_MAX) &&
         read_policy(reader, bundle->finding) &&
         read_number_32(reader, "max-events %llu%n", &bundle->max_events, 1000000) &&
         read_number_32(reader, "max-memory %llu%n", &bundle->max_memory_mb, UINT32_MAX) &&
         read_number_32(reader, "max-threads %llu%n", &bundle->max_threads, HEDDLE_MAX_THREADS) &&
         read_number_32(reader, "hang-time %llu%n", &bundle->hang_seconds, 86400) &&
         read_number_32(reader, "isolation %llu%n", &bundle->isolation, ISOLATION_FORK) &&
         read_number_32(reader, "options %llu%n", &bundle->options, UINT32_MAX) &&
         read_number_32(reader, "max-terms %llu%n", &bundle->max_terms, MOST_TERMS) && read_symbolic(reader, bundle) &&
         read_switches(reader, bundle->finding) && read_arguments(reader, bundle, &n_steps) &&
         read_steps(reader, bundle->finding, n_steps);
}

static bool parse_knowledge(struct knowledge *knowledge, struct reader *reader) {
  uint32_t n_threads, n_shared;
  uint64_t first, second;
  if (!read_exactly(reader, "heddle knowledge")) return false;
  if (!read_number_32(reader, "threads %llu%n", &n_threads, HEDDLE_MAX_THREADS)) return false;
  for (uint32_t i = 0; i < n_threads; i++) {
    if (!read_pair(reader, "%llu %llu%n", &first, &second) || first > NO_THREAD || second > UINT16_MAX) return false;
    knowledge->threads[i] = (struct thread_name){(thread_id)first, (uint16_t)second};
  }
  if (!read_number_32(reader, "shared %llu%n", &n_shared, MAX_SHARED)) return false;
  for (uint32_t i = 0; i < n_shared; i++) {
    if (!read_pair(reader, "%llx %llx%n", &first, &second) || second > UINT8_MAX) return false;
    knowledge->shared[i] = (struct shared_granule){first, second};
  }
  atomic_store(&knowledge->n_threads, n_threads);
  atomic_store(&knowledge->n_shared, n_shared);
  return true;
}

static bool damaged(const struct bundle *bundle, const char *file, struct error *error) {
  return error_set(error, "%s/%s is damaged: find the bug again with 'heddle run'", bundle->directory, file);
}

static bool read_file(const struct bundle *bundle, const char *name, struct text *text, struct error *error) {
  char *path = files_join(bundle->directory, name);
  const bool good = files_read(path, text, NULL);
  free(path);
  return good ||
         error_set(error, "%s is not a bug directory of heddle: it has no readable file '%s'", bundle->directory, name);
}

static bool check_protocol(struct bundle *bundle, struct reader *reader, struct error *error) {
  uint64_t protocol;
  if (!read_exactly(reader, "heddle schedule") || !read_number(reader, "protocol %llu%n", &protocol, UINT32_MAX))
    return damaged(bundle, "schedule", error);
  if (protocol == HEDDLE_PROTOCOL_VERSION) return true;
  return error_set(error, "%s is from another version of heddle (protocol %llu, this one has %u): find the bug again",
                   bundle->directory, (unsigned long long)protocol, HEDDLE_PROTOCOL_VERSION);
}

static bool check_program(struct bundle *bundle, struct reader *reader, struct error *error) {
  uint64_t hash;
  if (!read_number(reader, "program %llx%n", &bundle->program_hash, UINT64_MAX))
    return damaged(bundle, "schedule", error);
  if (!files_exists(bundle->program))
    return error_set(error, "%s is not a bug directory of heddle: it has no readable file 'program'",
                     bundle->directory);
  if (!files_hash(bundle->program, &hash, error)) return false;
  return hash == bundle->program_hash ||
         error_set(error, "%s is not the build that the bug was found in: find the bug again with 'heddle run'",
                   bundle->program);
}

static bool read_schedule(struct bundle *bundle, struct error *error) {
  struct text text = {0};
  bool good = read_file(bundle, "schedule", &text, error);
  if (good) {
    struct reader reader = {text.string, NULL};
    good = check_protocol(bundle, &reader, error) && check_program(bundle, &reader, error) &&
           (parse_schedule(bundle, &reader) || damaged(bundle, "schedule", error));
  }
  text_free(&text);
  return good;
}

/* Does the text, which was read first, say the same? */
static bool says_the_same(const struct finding *finding, const struct plan *plan) {
  return plan->seed == finding->seed && plan->policy == finding->policy &&
         plan->priority_changes == finding->priority_changes && plan->expected_steps == finding->expected_steps &&
         plan->n_steps == finding->schedule.count &&
         (plan->n_steps == 0 ||
          memcmp(plan_steps(plan), finding->schedule.items, plan->n_steps * sizeof(struct step)) == 0);
}

static bool plan_is_intact(const struct plan *plan, size_t size_bytes) {
  return plan_is_sound(plan, size_bytes) && plan->n_sleepers == 0 &&
         plan->check == record_check(plan, plan->size_bytes, NO_GENERATION);
}

static bool take_plan(struct bundle *bundle, const struct plan *plan, size_t size_bytes, struct error *error) {
  struct finding *finding = bundle->finding;
  if (!plan_is_intact(plan, size_bytes) || plan->n_inputs > bundle->max_terms) return damaged(bundle, "plan", error);
  if (!says_the_same(finding, plan))
    return error_set(error, "%s/schedule says something else than the plan, which is what is repeated: undo the change",
                     bundle->directory);
  finding->random_inputs = plan->flags & PLAN_RANDOM_INPUTS;
  for (uint32_t i = 0; i < plan->n_inputs; i++) vector_push(&finding->inputs, plan_inputs(plan)[i]);
  return true;
}

static bool read_plan(struct bundle *bundle, struct error *error) {
  struct text text = {0};
  bool good = read_file(bundle, "plan", &text, error);
  if (good) good = take_plan(bundle, (const struct plan *)text_string(&text), text.length, error);
  text_free(&text);
  return good;
}

static bool read_knowledge(struct bundle *bundle, struct error *error) {
  struct text text = {0};
  bool good = read_file(bundle, "knowledge", &text, error);
  if (good) {
    struct reader reader = {text.string, NULL};
    good = parse_knowledge(bundle->finding->knowledge, &reader) || damaged(bundle, "knowledge", error);
  }
  text_free(&text);
  return good;
}

static bool read_trace(struct bundle *bundle, struct error *error) {
  struct text text = {0};
  bool good = read_file(bundle, "trace", &text, error);
  if (good) {
    struct finding *finding = bundle->finding;
    finding->record = memory_allocate(text.length + sizeof(struct trace));
    if (text.length > 0) memcpy(finding->record, text.string, text.length);
    good = trace_read(&finding->trace, finding->record, text.length, NO_GENERATION) || damaged(bundle, "trace", error);
  }
  text_free(&text);
  return good;
}

/* The values of the run's inputs, in place of those of the plan. Edited values give a run with those. */
static bool read_inputs(struct bundle *bundle, struct error *error) {
  const struct finding *finding = bundle->finding;
  struct given_inputs given;
  struct assignment assignment = {0};
  if (finding->record->n_inputs == 0) return true;
  char *path = files_join(bundle->directory, "inputs.json");
  bool good = given_read(&given, path, error);
  if (good) {
    good = given_assign(&given, finding->knowledge, &finding->trace, &assignment, error) &&
           (assignment.values.count <= bundle->max_terms || damaged(bundle, "inputs.json", error));
    given_free(&given);
  }
  vector_free(&bundle->finding->inputs);
  bundle->finding->inputs = assignment.values;
  free(path);
  return good;
}

bool bundle_read(struct bundle *bundle, const char *directory, struct error *error) {
  *bundle = (struct bundle){.directory = memory_copy_string(directory), .program = files_join(directory, "program")};
  bundle->finding = memory_allocate(sizeof *bundle->finding);
  bundle->finding->knowledge = memory_allocate(sizeof *bundle->finding->knowledge);
  if (!files_exists(directory)) {
    error_set(error, "there is no bug directory %s", directory);
  } else if (read_schedule(bundle, error) && read_plan(bundle, error) && read_knowledge(bundle, error) &&
             read_trace(bundle, error) && read_inputs(bundle, error)) {
    return true;
  }
  bundle_free(bundle);
  return false;
}

void bundle_free(struct bundle *bundle) {
  finding_free(bundle->finding);
  for (size_t i = 0; i < bundle->arguments.count; i++) free(bundle->arguments.items[i]);
  vector_free(&bundle->arguments);
  environment_free(&bundle->environment);
  free(bundle->program);
  free(bundle->directory);
}
