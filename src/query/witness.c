/* SPDX-License-Identifier: MIT */
#include "query/witness.h"

#include "base/files.h"

#include <stdlib.h>
#include <string.h>

/* --- the program --- */

static char *beside(const char *file, const char *name) {
  const char *slash = strrchr(file, '/');
  if (!slash || *name == '/') return memory_copy_string(name);
  struct text text = {0};
  text_append_bytes(&text, file, (size_t)(slash - file) + 1);
  text_append(&text, name);
  char *path = memory_copy_string(text_string(&text));
  text_free(&text);
  return path;
}

static bool check_hash(const struct witness_program *program, const struct structure *structure, struct error *error) {
  uint64_t hash;
  if (!files_exists(program->path))
    return error_set(error, "the program %s is missing: make the unfolding again with 'heddle run --unfolding'",
                     program->path);
  if (!files_hash(program->path, &hash, error)) return false;
  return hash == structure->program.hash || error_set(error,
                                                      "%s is not the build that the unfolding was made from: make the "
                                                      "unfolding again with 'heddle run --unfolding'",
                                                      program->path);
}

bool witness_open_program(struct witness_program *program, const struct structure *structure, const char *file,
                          struct error *error) {
  *program = (struct witness_program){.path = beside(file, structure->program.executable),
                                      .settings = structure->program.settings};
  if (!check_hash(program, structure, error) || !program_open(&program->program, program->path, error)) {
    free(program->path);
    return false;
  }
  program->settings.executable = program->path;
  program->settings.arguments = structure->program.arguments.items;
  program->settings.coverage_bytes = program_coverage_bytes(program->program);
  program->settings.output = -1;
  return true;
}

void witness_close_program(struct witness_program *program) {
  program_close(program->program);
  free(program->path);
}

/* --- the run --- */

uint32_t witness_steps(const struct structure *structure, const struct configuration *configuration) {
  uint32_t steps = 0;
  for (size_t i = 0; i < configuration->events.count; i++)
    steps += structure->events.items[configuration->events.items[i] - 1].is_step;
  return steps;
}

static void append_schedule(struct schedule *schedule, const struct structure *structure,
                            const struct configuration *configuration) {
  for (size_t i = 0; i < configuration->events.count; i++) {
    const struct structure_event *event = &structure->events.items[configuration->events.items[i] - 1];
    const struct step step = {event->thread, event->alternative};
    if (event->is_step) schedule_append(schedule, &step, 1);
  }
}

static int compare_inputs(const void *a, const void *b) {
  const struct input_value *x = a, *y = b;
  if (x->thread != y->thread) return x->thread < y->thread ? -1 : 1;
  return (x->index > y->index) - (x->index < y->index);
}

static void append_inputs(input_values *list, const struct structure *structure, const struct model *model) {
  for (size_t i = 0; i < structure->inputs.count; i++) {
    const bits value = model_value(model, (input_id)i);
    const struct input_value item = {.index = structure->inputs.items[i].index,
                                     .thread = structure->inputs.items[i].thread,
                                     .value = {(uint64_t)value, (uint64_t)(value >> 64)}};
    if (value) vector_push(list, item);
  }
  if (list->count > 0) qsort(list->items, list->count, sizeof *list->items, compare_inputs);
}

static struct knowledge *make_knowledge(const struct structure *structure) {
  struct knowledge *knowledge = memory_allocate(sizeof *knowledge);
  for (size_t i = 0; i < structure->threads.count; i++) knowledge->threads[i] = structure->threads.items[i].identity;
  if (structure->shared.count > 0)
    memcpy(knowledge->shared, structure->shared.items, structure->shared.count * sizeof *knowledge->shared);
  atomic_store(&knowledge->n_threads, (uint32_t)structure->threads.count);
  atomic_store(&knowledge->n_shared, (uint32_t)structure->shared.count);
  return knowledge;
}

struct finding *witness_run(const struct structure *structure, const struct configuration *configuration,
                            const struct witness_program *program, struct error *error) {
  struct finding *finding = memory_allocate(sizeof *finding);
  finding->policy = POLICY_CONTINUE;
  finding->knowledge = make_knowledge(structure);
  append_schedule(&finding->schedule, structure, configuration);
  append_inputs(&finding->inputs, structure, &configuration->model);
  if (finding_repeat(finding, &program->settings, error)) {
    finding->found_switches = finding->record->switches;
    return finding;
  }
  finding_free(finding);
  return NULL;
}
