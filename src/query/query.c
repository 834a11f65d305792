/* SPDX-License-Identifier: MIT
 *
 * Solve, run, look. A value that the unfolding does not know (nobody read it in any run) is open for the solver; the
 * run then shows what it is, and the question is asked again with it. Values that depend on inputs are known as terms,
 * so that what one run shows holds for all, unless the program has inputs: then only so many runs are made.
 */
#include "query/query.h"

#include <stdlib.h>
#include <string.h>

#define MOST_TRIES 100u

struct question {
  struct structure *structure;
  const struct witness_program *program;
  const char *text;
  struct expression expression;
  object_numbers variables;
  struct configurations *configurations;
  term_id wanted;
};

/* --- names --- */

static void name_everything(const struct structure *structure, const object_numbers *variables,
                            struct expression_names *names) {
  for (size_t i = 0; i < variables->count; i++)
    vector_push(&names->variables, structure->objects.items[variables->items[i] - 1].name);
  for (size_t i = 0; i < structure->threads.count; i++) vector_push(&names->threads, structure->threads.items[i].name);
}

/* --- places --- */

typedef VECTOR(const struct place *) place_list;

static int compare_places(const void *a, const void *b) {
  const struct place *x = *(const struct place *const *)a, *y = *(const struct place *const *)b;
  const int files = strcmp(x->file, y->file);
  return files ? files : (x->line > y->line) - (x->line < y->line);
}

/* Where the thread's operations are, each place once. */
static void list_places(const struct structure *structure, uint64_t thread, place_list *list) {
  for (size_t i = 0; i < structure->events.count; i++) {
    const struct structure_event *event = &structure->events.items[i];
    if (event->thread != thread) continue;
    if (*event->next.words) vector_push(list, &event->next.place);
    for (uint32_t k = 0; k < event->tail.count; k++)
      if (structure->tails.items[event->tail.first + k].joins != NO_THREAD)
        vector_push(list, &structure->tails.items[event->tail.first + k].place);
  }
  if (list->count == 0) return;
  qsort(list->items, list->count, sizeof *list->items, compare_places);
  size_t count = 1;
  for (size_t i = 1; i < list->count; i++)
    if (compare_places(&list->items[i], &list->items[count - 1]) != 0) list->items[count++] = list->items[i];
  list->count = count;
}

static bool unknown_place(const struct structure *structure, const struct expression_node *node, const place_list *list,
                          struct error *error) {
  struct text text = {0};
  for (size_t i = 0; i < list->count && text.length < 800; i++)
    if (*list->items[i]->file)
      text_append_format(&text, "%s%s:%u", text.length > 0 ? ", " : "", list->items[i]->file, list->items[i]->line);
  error_set(error, "%s has no visible operation at %s%s%u, only at %s", structure->threads.items[node->number].name,
            node->file ? node->file : "line ", node->file ? ":" : "", node->line,
            text.length > 0 ? text_string(&text) : "no place");
  text_free(&text);
  return false;
}

static bool check_place(const struct structure *structure, const struct expression_node *node, struct error *error) {
  place_list list = {0};
  bool exists = false;
  list_places(structure, node->number, &list);
  for (size_t i = 0; i < list.count; i++)
    exists |=
        list.items[i]->line == node->line && (!node->file || expression_file_matches(node->file, list.items[i]->file));
  if (!exists) unknown_place(structure, node, &list, error);
  vector_free(&list);
  return exists;
}

static bool check_places(const struct question *question, struct error *error) {
  for (size_t i = 0; i < question->expression.nodes.count; i++) {
    const struct expression_node *node = &question->expression.nodes.items[i];
    if (node->kind == EXPRESSION_PLACE && !check_place(question->structure, node, error)) return false;
  }
  return true;
}

/* --- asking --- */

/* The run shows values that the unfolding does not know. Without inputs they are the same in every run that comes to
 * the condition. */
static bool learn(struct question *question, const struct configuration *configuration,
                  const struct query_result *result) {
  bool learnt = false;
  for (size_t i = 0; i < question->variables.count; i++) {
    const uint32_t number =
        configuration_condition(question->configurations, configuration, question->variables.items[i]);
    uint64_t value;
    if (!number || !state_value(&result->state, &result->finding->trace, i, &value)) continue;
    struct structure_condition *condition = &question->structure->conditions.items[number - 1];
    if (condition->is_known || condition->term || question->structure->inputs.count > 0) continue;
    condition->is_known = learnt = true;
    condition->value = value;
    configurations_learn(question->configurations, number);
  }
  return learnt;
}

/* False: the program cannot be run. *again: something was learnt, so that asking again makes sense. */
static bool run_and_look(struct question *question, const struct configuration *configuration,
                         struct query_result *result, bool *again, struct error *error) {
  enum state_answer answer = STATE_NOT_KNOWN;
  state_free(&result->state);
  if (result->finding) finding_free(result->finding);
  text_clear(&result->words);
  state_make(&result->state, question->structure, question->text, witness_steps(question->structure, configuration));
  result->finding = witness_run(question->structure, configuration, question->program, error);
  if (!result->finding) return false;
  const struct scene scene = {question->program->program, result->finding->knowledge, &result->finding->trace};
  if (!state_look(&result->state, &scene, &answer, &result->words, error)) return false;
  result->answer = answer == STATE_REACHED ? QUERY_REACHABLE : answer == STATE_NOT_KNOWN ? QUERY_UNKNOWN : QUERY_WRONG;
  *again = answer != STATE_REACHED && learn(question, configuration, result);
  return true;
}

static bool solve(struct question *question, struct query_result *result, struct error *error) {
  struct configuration configuration = {0};
  bool again = true, good = true;
  for (unsigned i = 0; again && good && i < MOST_TRIES; i++) {
    again = false;
    result->queries++;
    switch (configurations_find(question->configurations, question->wanted, &configuration)) {
    case ANSWER_SATISFIABLE: good = run_and_look(question, &configuration, result, &again, error); break;
    case ANSWER_UNSATISFIABLE:
      result->answer = question->structure->is_complete ? QUERY_UNREACHABLE : QUERY_NOT_IN_PART;
      break;
    case ANSWER_UNKNOWN: result->answer = QUERY_UNKNOWN; break;
    }
  }
  result->cycles = configurations_forbidden_cycles(question->configurations);
  configuration_free(&configuration);
  return good;
}

static bool prepare(struct question *question, uint32_t timeout_milliseconds, struct error *error) {
  struct expression_names names = {0};
  structure_append_variables(question->structure, &question->variables);
  name_everything(question->structure, &question->variables, &names);
  const bool good =
      expression_parse(&question->expression, question->text, &names, error) && check_places(question, error);
  vector_free(&names.variables);
  vector_free(&names.threads);
  if (!good) return false;
  question->configurations = configurations_create(question->structure, timeout_milliseconds);
  const struct expression_meaning meaning = configurations_meaning(question->configurations);
  question->wanted = expression_to_term(&question->expression, question->structure->terms, &meaning);
  return true;
}

bool query_ask(struct query_result *result, struct structure *structure, const struct witness_program *program,
               const char *expression, uint32_t timeout_milliseconds, struct error *error) {
  struct question question = {.structure = structure, .program = program, .text = expression};
  *result = (struct query_result){0};
  const bool good = prepare(&question, timeout_milliseconds, error) && solve(&question, result, error);
  if (question.configurations) configurations_destroy(question.configurations);
  expression_free(&question.expression);
  vector_free(&question.variables);
  if (!good) query_result_free(result);
  return good;
}

void query_result_free(struct query_result *result) {
  state_free(&result->state);
  if (result->finding) finding_free(result->finding);
  result->finding = NULL;
  text_free(&result->words);
}
