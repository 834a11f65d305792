/* SPDX-License-Identifier: MIT
 *
 * Con2colic testing (docs/algorithms/con2colic.md): branches are covered by looking for scenarios, inputs with a
 * schedule in which threads see what others wrote at k places, all of degree k before those of degree k + 1.
 *
 * Every dangling node of the forest is a target. Its first scenario has no interferences. A scenario that cannot be
 * realised is extended at the places that its constraints blame, by everything the forest knows that helps there; it is
 * remembered, to be extended again when runs show more (re-exploration). One that can be realised is run; the sink's
 * thread then continues alone, until it ends, waits, or sees what another thread wrote, and what it did is merged.
 */
#include "explore/con2colic/con2colic_internal.h"

#include "base/error.h"
#include "trace/tables.h"

#include <stdlib.h>
#include <string.h>

/* How many targets are under way. Every run changes what the next one is: what it adds to the forest decides which
 * scenario is the cheapest and the most urgent, whether its sink is still open, and where it can be realised; its
 * inputs are the solver's hint. So no two targets are known to be independent before the first of them was run. Nor
 * would it help: a run comes after a hundred scenarios that were only thought about. */
#define WINDOW 1

#define MOST_QUESTIONS 256 /* in vain, before the loop may look at the clock */

/* --- targets --- */

static uint64_t side_of(const struct node *node) {
  return hash_mix(node->site, node->value);
}

/* Would it cover something new? */
static bool is_urgent(struct con2colic *self, node_id sink) {
  const struct node *node = forest_at(self->forest, sink);
  if (self->own.without & WITHOUT_PRIORITY) return false;
  return node->kind == NODE_BRANCH && !number_set_has(&self->sides, side_of(node));
}

static bool is_open(const struct con2colic *self, node_id sink) {
  return !(forest_at(self->forest, sink)->flags & (NODE_REALISED | NODE_CLOSED));
}

static void add_scenario(struct con2colic *self, const struct scenario_parts *parts) {
  const bool unique = !(self->own.without & WITHOUT_DUPLICATES);
  const scenario_id id = scenarios_add(&self->scenarios, self->forest, parts, unique);
  if (id) scenarios_push(&self->scenarios, id, is_urgent(self, parts->sink));
}

/* --- longer scenarios --- */

static bool is_used(const struct scenario_parts *parts, node_id source) {
  for (size_t i = 0; i < parts->interferences.count; i++)
    if (parts->interferences.items[i].source == source) return true;
  return false;
}

/* Which round of its barrier a thread is in at the node. */
static uint32_t round_of(const struct forest *forest, node_id id, uint64_t barrier) {
  uint32_t rounds = 0;
  for (; forest_at(forest, id)->kind != NODE_START; id = forest_at(forest, id)->parent)
    rounds += forest_at(forest, id)->kind == NODE_EVENT &&
              kind_effect(forest_at(forest, id)->event) == EFFECT_ARRIVES && forest_at(forest, id)->object == barrier;
  return rounds;
}

static bool touches(const struct node *access, const struct node *write) {
  return access->object < write->object + write->size && write->object < access->object + access->size;
}

/* Does the source make sense for the node, whatever else the scenario has? */
static bool fits(const struct con2colic *self, const struct scenario_parts *parts, node_id node, enum need_kind kind,
                 node_id source) {
  const struct node *a = forest_at(self->forest, node), *b = forest_at(self->forest, source);
  const bool is_other = a->thread != b->thread;
  switch (kind) {
  case NEED_WRITE: return is_other && touches(a, b);
  case NEED_SIGNAL: return is_other && (kind_effect(b->event) == EFFECT_SIGNALS_ALL || !is_used(parts, source));
  case NEED_HOLDER:
    return is_other && !(node_lock_use(a) == LOCK_FAILS_SHARED && node_lock_use(b) == LOCK_TAKES_SHARED);
  case NEED_TAKER: return is_other;
  case NEED_POST: return !is_used(parts, source);
  case NEED_ARRIVAL:
    return is_other && round_of(self->forest, node, b->object) == round_of(self->forest, source, b->object);
  case NEED_END: return a->value == b->value;
  case NEED_DONE: return true;
  case NEED_RELEASE: return forest_is_on_way(self->forest, node, source);
  case NEED_HOLDS: return is_other;
  case NEED_HALT:
  case NEED_LAST: return true;
  case NEED_KINDS: break;
  }
  return false;
}

static bool is_compatible(struct con2colic *self, const struct scenario_parts *parts) {
  cause_start(&self->cause, self->forest, parts->sink);
  for (size_t i = 0; i < parts->interferences.count; i++)
    if (!cause_merge(&self->cause, self->forest, parts->interferences.items[i].source)) return false;
  for (size_t i = 0; i < parts->tails.count; i++)
    if (!cause_merge(&self->cause, self->forest, parts->tails.items[i])) return false;
  return true;
}

/* Must the node have been reached before the source can be? */
static bool is_behind(struct con2colic *self, node_id source, node_id node) {
  cause_start(&self->cause, self->forest, source);
  return cause_has(&self->cause, self->forest, node);
}

/* Nothing of what the source does is seen: its thread only has to come there. */
static bool adds_tail(enum need_kind kind) {
  switch (kind) {
  case NEED_TAKER:
  case NEED_ARRIVAL:
  case NEED_END:
  case NEED_RELEASE:
  case NEED_HOLDS:
  case NEED_HALT:
  case NEED_LAST: return true;
  default: return false;
  }
}

static void extend(struct con2colic *self, scenario_id id, node_id node, enum need_kind kind, node_id source) {
  struct scenario_parts *parts = &self->longer;
  const bool is_tail = adds_tail(kind);
  parts_read(parts, &self->scenarios, id);
  if (!fits(self, parts, node, kind, source)) return;
  if (!is_tail && is_behind(self, source, node)) return;
  if (is_tail)
    parts_add_tail(parts, self->forest, source);
  else
    parts_add_interference(parts, (struct interference){node, source});
  if (is_compatible(self, parts)) add_scenario(self, parts);
}

/* Now with what is known, later with what becomes known. The scenario is the one that was checked last. */
static void extend_by_supply(struct con2colic *self, scenario_id id, const struct need *need, uint64_t object) {
  struct supply *supply = supplies_of(&self->supplies, need->kind, object);
  vector_push(&supply->waits, ((struct wait){id, need->node}));
  for (size_t i = 0; i < supply->sources.count && !deadline_is_over(self->settings.deadline); i++) {
    const node_id source = supply->sources.items[i];
    if (self->realiser->wants_cores && need->kind == NEED_WRITE &&
        realiser_excludes(self->realiser, need->node, source))
      continue;
    extend(self, id, need->node, need->kind, source);
  }
}

/* Which cells an access that no run has performed consists of is not known: a write of any of its bytes will do. */
static void extend_by_need(struct con2colic *self, scenario_id id, const struct need *need) {
  const struct node node = *forest_at(self->forest, need->node);
  if (need->kind != NEED_WRITE || node.kind != NODE_PENDING) {
    extend_by_supply(self, id, need, need->object);
    return;
  }
  for (uint64_t at = node.object & ~7ull; at < node.object + node.size; at++) extend_by_supply(self, id, need, at);
}

static void add_source(struct con2colic *self, const struct need *source) {
  struct supply *supply = supplies_of(&self->supplies, source->kind, source->object);
  vector_push(&supply->sources, source->node);
  for (size_t i = 0; i < supply->waits.count && !deadline_is_over(self->settings.deadline); i++) {
    const struct wait wait = supply->waits.items[i];
    if (is_open(self, self->scenarios.items.items[wait.scenario].sink))
      extend(self, wait.scenario, wait.node, source->kind, source->node);
  }
}

/* --- what to run --- */

static void count_answer(struct con2colic *self, enum realisability answer) {
  struct con2colic_summary *summary = self->summary;
  if (node_is_hazard(forest_at(self->forest, self->parts.sink))) {
    summary->hazards++;
    return;
  }
  summary->scenarios++;
  summary->realised += answer == IS_REALISABLE;
  summary->without_order += answer == HAS_NO_ORDER;
  summary->without_inputs += answer == HAS_NO_INPUTS;
}

#define MOST_CONDITIONS 4

/* The conditions that contradict each other, of a branch that is not covered. */
static void explain(struct con2colic *self, node_id sink) {
  const struct realiser *realiser = self->realiser;
  struct node *node = forest_at(self->forest, sink);
  if (node->kind != NODE_BRANCH || realiser->core.count == 0 || node->is_explained) return;
  node->is_explained = true;
  struct text words = {0};
  for (size_t i = 0; i < realiser->core.count && i < MOST_CONDITIONS; i++) {
    if (forest_at(self->forest, realiser->core.items[i])->kind != NODE_BRANCH) continue;
    if (words.length > 0) text_append(&words, " and ");
    term_print(inputs_terms(self->settings.inputs), forest_at(self->forest, realiser->core.items[i])->term, &words);
  }
  if (realiser->core.count > MOST_CONDITIONS) text_append(&words, " and more");
  const struct uncovered_side side = {node->site, node->value != 0, memory_copy_string(text_string(&words))};
  vector_push(&self->summary->uncovered, side);
  text_free(&words);
}

/* True: it is to be run. */
static bool look_at(struct con2colic *self, scenario_id id) {
  struct realiser *realiser = self->realiser;
  parts_read(&self->parts, &self->scenarios, id);
  if (!is_open(self, self->parts.sink)) return false;
  const enum realisability answer = realiser_check(realiser, &self->parts, self->hint);
  count_answer(self, answer);
  if (answer == IS_REALISABLE) return true;
  self->unsolved |= answer == IS_UNKNOWN;
  if (answer == HAS_NO_INPUTS) explain(self, self->parts.sink);
  if (answer == IS_UNKNOWN) return false;
  for (size_t i = 0; i < realiser->needs.count; i++) {
    const struct need need = realiser->needs.items[i];
    extend_by_need(self, id, &need);
  }
  return false;
}

static void make_target(struct con2colic *self, struct target *target, thread_id solo) {
  target->plan.flags |= PLAN_SYMBOLIC_READS;
  target->plan.flags |= PLAN_SOLO;
  target->plan.solo = solo;
  target->plan.policy = POLICY_CONTINUE;
  target->plan.seed = self->settings.seed;
  target->plan.runs = 1;
  self->is_under_way = true;
}

/* Does a thread of the scenario read again what it waits for in a loop? It may turn out to wait on. */
static bool has_parked(const struct con2colic *self) {
  const struct cause *cause = &self->realiser->cause;
  for (size_t i = 0; i < cause->nodes.count; i++)
    if (forest_at(self->forest, cause->nodes.items[i])->flags & NODE_PARKED) return true;
  return false;
}

/* It waited on: its reads must see something else. Where it waits for one of several variables, what it would have done
 * then is not known. */
static void extend_parked(struct con2colic *self) {
  node_list nodes = {0};
  for (size_t i = 0; i < self->realiser->cause.nodes.count; i++)
    vector_push(&nodes, self->realiser->cause.nodes.items[i]);
  for (size_t i = 0; i < nodes.count; i++) {
    const struct node *node = forest_at(self->forest, nodes.items[i]);
    if (!(node->flags & NODE_PARKED) || parts_source(&self->parts, nodes.items[i])) continue;
    const struct need need = {nodes.items[i], NEED_WRITE, node->object};
    node_id before = node->parent;
    for (; forest_at(self->forest, before)->kind != NODE_START; before = forest_at(self->forest, before)->parent) {
      const struct node *it = forest_at(self->forest, before);
      if (it->flags & NODE_READS && it->object == node->object) break;
      if (it->flags & NODE_READS) self->extraction.not_modelled = "a loop that waits for one of several variables";
    }
    extend_by_need(self, self->scenario, &need);
  }
  vector_free(&nodes);
}

/* What a hazard leads to shows when all threads continue; of two that meet, the sink's goes first. */
static void go_on_from_hazard(const struct con2colic *self, struct target *target) {
  target->plan.flags &= ~(uint32_t)PLAN_SOLO;
  if (forest_at(self->forest, self->parts.sink)->kind != NODE_MEET) return;
  const struct step steps[] = {{forest_at(self->forest, self->parts.sink)->thread, 0},
                               {forest_at(self->forest, self->parts.tails.items[0])->thread, 0}};
  schedule_append(&target->prefix, steps, 2);
}

static void make_target_of_scenario(struct con2colic *self, scenario_id id, struct target *target) {
  struct realiser *realiser = self->realiser;
  make_target(self, target, forest_at(self->forest, self->parts.sink)->thread);
  schedule_append(&target->prefix, realiser->schedule.items, realiser->schedule.count);
  if (node_is_hazard(forest_at(self->forest, self->parts.sink))) go_on_from_hazard(self, target);
  if (realiser->values) inputs_append_values(self->settings.inputs, realiser->values, &target->inputs);
  self->degree = self->scenarios.items.items[id].degree;
  self->scenario = id;
  if (has_parked(self) || self->extraction.not_modelled) target->plan.flags |= PLAN_LENIENT;
  self->has_scenario = true;
}

/* When every way of every thread is known, what can go wrong between them. False: nothing new. */
static bool look_for_hazards(struct con2colic *self) {
  if (scenarios_lowest(&self->scenarios) != UINT32_MAX) return false;
  hazards_look(&self->hazards, &self->extraction);
  for (size_t i = 0; i < self->hazards.sources.count; i++) add_source(self, &self->hazards.sources.items[i]);
  for (size_t i = 0; i < self->hazards.found.count; i++) {
    const struct hazard *hazard = &self->hazards.found.items[i];
    self->parts.sink = hazard->sink;
    self->parts.interferences.count = self->parts.tails.count = 0;
    if (hazard->interference.target) parts_add_interference(&self->parts, hazard->interference);
    if (hazard->tail) parts_add_tail(&self->parts, self->forest, hazard->tail);
    if (is_compatible(self, &self->parts)) add_scenario(self, &self->parts);
  }
  return scenarios_lowest(&self->scenarios) != UINT32_MAX;
}

/* Every way must have been followed to its end, where runs were. */
static void check_ways(struct con2colic *self) {
  const node_id lost = self->was_cut || self->extraction.not_modelled ? 0 : extraction_find_lost(&self->extraction);
  if (!lost || self->defect.length > 0) return;
  const struct node *node = forest_at(self->forest, lost);
  text_append_format(&self->defect, "no run shows what comes after step %u of the path of thread %u", node->depth,
                     node->thread);
}

static bool con2colic_next(void *memory, struct target *target) {
  struct con2colic *self = memory;
  if (self->is_under_way) return false;
  if (!self->started) {
    self->started = true;
    make_target(self, target, 0);
    return true;
  }
  for (int i = 0; i < MOST_QUESTIONS && !deadline_is_over(self->settings.deadline); i++) {
    if (has_enough_scenarios(self)) return false;
    const scenario_id id = scenarios_pop(&self->scenarios, self->own.max_interferences);
    if (!id && !look_for_hazards(self)) {
      check_ways(self);
      return false;
    }
    if (!id) continue;
    if (!look_at(self, id)) continue;
    make_target_of_scenario(self, id, target);
    return true;
  }
  return false;
}

/* --- what was run --- */

static void note_covered(struct con2colic *self, const struct trace_view *trace) {
  for (uint32_t i = 0; i < trace->record->n_covered; i++) {
    const uint32_t byte = trace->covered[i];
    while (self->degrees.count <= byte) vector_push(&self->degrees, NO_DEGREE);
    if (self->degrees.items[byte] <= self->degree) continue;
    const bool is_branch = self->settings.is_branch_side && self->settings.is_branch_side[byte];
    struct con2colic_summary *summary = self->summary;
    if (is_branch && self->degrees.items[byte] != NO_DEGREE) summary->covered.items[self->degrees.items[byte]]--;
    if (is_branch && self->degrees.items[byte] == NO_DEGREE) summary->covered_sides++;
    self->degrees.items[byte] = self->degree;
    if (byte < self->coverage.count) self->coverage.items[byte] = 1;
    while (summary->covered.count <= self->degree) vector_push(&summary->covered, 0);
    summary->covered.items[self->degree] += is_branch;
  }
}

static void note_defect(struct con2colic *self, node_id node, const char *what) {
  self->divergences++;
  if (self->defect.length > 0) return;
  const struct node *it = forest_at(self->forest, node);
  text_append_format(&self->defect,
                     "a run did not realise its scenario of %u interferences, which heddle called realisable: "
                     "thread %u, step %u of its path: %s",
                     self->degree, it->thread, it->depth, what);
}

/* A value that is none of the others', and what goes wrong between threads: what it is shows in the run. */
static bool is_unseen(const struct node *node) {
  return node->flags & NODE_RARE || node_is_hazard(node);
}

static bool came_everywhere(const struct con2colic *self) {
  const struct cause *cause = &self->realiser->cause;
  for (size_t i = 0; i < cause->nodes.count; i++)
    if (!is_unseen(forest_at(self->forest, cause->nodes.items[i])) &&
        !extraction_came_to(&self->extraction, cause->nodes.items[i]))
      return false;
  return true;
}

/* The run went as the scenario says: every thread came where it should, every read saw what it should. */
static bool was_realised(struct con2colic *self) {
  const struct cause *cause = &self->realiser->cause;
  for (size_t i = 0; i < cause->nodes.count; i++) {
    const node_id id = cause->nodes.items[i];
    const struct node *node = forest_at(self->forest, id);
    if (is_unseen(node)) continue;
    if (!extraction_came_to(&self->extraction, id)) {
      note_defect(self, id, "the thread did not get there");
      return false;
    }
    if (node->kind == NODE_ACCESS && node->flags & NODE_READS &&
        self->extraction.seen.items[id] != parts_source(&self->parts, id)) {
      note_defect(self, id, "a read saw something else");
      return false;
    }
  }
  return true;
}

/* Sides that were taken for the first time in the forest, and what else is new there. */
static void note_nodes(struct con2colic *self) {
  const size_t count = forest_count(self->forest);
  for (size_t i = 0; i < self->extraction.realised.count; i++) {
    const struct node *node = forest_at(self->forest, self->extraction.realised.items[i]);
    if (node->kind == NODE_BRANCH) number_set_add(&self->sides, side_of(node));
  }
  for (; self->n_counted < count; self->n_counted++) {
    const uint8_t kind = forest_at(self->forest, self->n_counted + 1)->kind;
    self->summary->accesses += kind == NODE_ACCESS || kind == NODE_PENDING;
    self->summary->branches += kind == NODE_BRANCH;
  }
}

static void add_targets(struct con2colic *self) {
  for (size_t i = 0; i < self->extraction.dangling.count; i++) {
    self->parts.sink = self->extraction.dangling.items[i];
    self->parts.interferences.count = self->parts.tails.count = 0;
    add_scenario(self, &self->parts);
  }
}

static bool is_whole(const struct trace_view *trace) {
  const enum outcome_class class = outcome_row(trace->record->outcome)->class;
  return class != OUTCOME_INTERNAL && trace->record->outcome != OUTCOME_VANISHED;
}

/* Where an operation's meaning is not known, runs that go another way prove nothing. A run that something between
 * threads has ended too early leaves the scenario undecided. */
static void check_run(struct con2colic *self, const struct trace_view *trace) {
  if (!is_whole(trace) || self->extraction.not_modelled) return;
  if (outcome_is_bug(trace->record->outcome) && !came_everywhere(self))
    self->hidden = true;
  else
    was_realised(self);
}

/* Done, or never to be tried again. A hazard whose run ends well may show in another one. */
static void close_sink(struct con2colic *self, const struct trace_view *trace) {
  struct node *sink = forest_at(self->forest, self->parts.sink);
  if (!node_is_hazard(sink) || outcome_is_bug(trace->record->outcome))
    sink->flags |= NODE_CLOSED;
  else
    self->undecided = hazards_words(sink);
}

/* The run shows all of its threads until they end, wait, or are stopped by the plan. */
static bool ends_as_planned(const struct trace_view *trace) {
  const enum outcome_class class = outcome_row(trace->record->outcome)->class;
  return class == OUTCOME_FINE || class == OUTCOME_DISCARDED || trace->record->outcome == OUTCOME_STOPPED;
}

static void con2colic_absorb(void *memory, void *cookie, const struct trace_view *trace, const struct path *path,
                             uint64_t runs) {
  struct con2colic *self = memory;
  (void)cookie, (void)runs;
  self->is_under_way = false;
  self->was_cut |= !ends_as_planned(trace);
  if (is_whole(trace)) {
    extraction_read(&self->extraction, trace, path, self->has_scenario ? &self->parts : NULL);
    note_covered(self, trace);
    note_nodes(self);
    values_release(self->hint);
    self->hint = path ? values_hold(path->values) : NULL;
    if (outcome_is_bug(trace->record->outcome) && self->summary->bug_degree == NO_DEGREE)
      self->summary->bug_degree = self->degree;
  }
  if (self->has_scenario && is_whole(trace) && self->extraction.found_fatal && !came_everywhere(self))
    scenarios_push(&self->scenarios, self->scenario, true); /* again, knowing that a thread may end the run there */
  else if (self->has_scenario && is_whole(trace) && has_parked(self) && !came_everywhere(self))
    extend_parked(self);
  else if (self->has_scenario) {
    check_run(self, trace);
    close_sink(self, trace);
  }
  self->has_scenario = false;
  if (!is_whole(trace)) return;
  for (size_t i = 0; i < self->extraction.sources.count; i++) add_source(self, &self->extraction.sources.items[i]);
  add_targets(self);
}

/* --- the whole --- */

static void *con2colic_create(const struct strategy_settings *settings) {
  struct con2colic *self = memory_allocate(sizeof *self);
  self->settings = *settings;
  self->own = settings->own ? *(const struct con2colic_settings *)settings->own
                            : (struct con2colic_settings){MOST_INTERFERENCES, NO_LIMIT, 0, false, false};
  self->forest = forest_create();
  self->realiser = realiser_create(self->forest, settings->inputs, settings->deadline);
  self->realiser->wants_cores = !(self->own.without & WITHOUT_UNSAT_CORES);
  self->realiser->uses_z3 = self->own.z3_orders;
  self->realiser->checks = self->own.checks_orders;
  self->extraction = (struct extraction){.forest = self->forest,
                                         .realiser = self->realiser,
                                         .inputs = settings->inputs,
                                         .max_values = inputs_max_address_targets(settings->inputs)};
  self->hazards = (struct hazards){.forest = self->forest, .wants_races = settings->races_are_bugs};
  scenarios_start(&self->scenarios);
  self->summary = con2colic_summary_create();
  for (uint32_t i = 0; i < settings->coverage_bytes; i++) vector_push(&self->coverage, 0);
  for (uint32_t i = 0; settings->is_branch_side && i < settings->coverage_bytes; i++)
    self->summary->branch_sides += settings->is_branch_side[i];
  return self;
}

static void con2colic_destroy(void *memory) {
  struct con2colic *self = memory;
  supplies_free(&self->supplies);
  scenarios_free(&self->scenarios);
  extraction_free(&self->extraction);
  hazards_free(&self->hazards);
  realiser_destroy(self->realiser);
  forest_destroy(self->forest);
  parts_free(&self->parts);
  parts_free(&self->longer);
  cause_free(&self->cause);
  number_set_free(&self->sides);
  values_release(self->hint);
  vector_free(&self->degrees);
  vector_free(&self->coverage);
  text_free(&self->defect);
  con2colic_summary_destroy(self->summary);
  free(self);
}

static uint64_t count_left(const struct con2colic *self) {
  if (self->is_under_way || !self->started) return 1;
  if (scenarios_lowest(&self->scenarios) > self->own.max_interferences) return 0;
  return has_enough_scenarios(self) ? 0 : self->scenarios.waiting;
}

static void con2colic_stats(const void *memory, struct strategy_stats *stats) {
  const struct con2colic *self = memory;
  *stats = (struct strategy_stats){
      .events = forest_count(self->forest),
      .left = count_left(self),
      .divergences = self->divergences,
      .unsolved = self->unsolved,
      .hidden = self->hidden,
      .addresses_left = self->extraction.values_left,
      .made_concrete = self->extraction.pins_left,
      .coverage = self->coverage.items,
      .defect = self->defect.length > 0 ? text_string(&self->defect) : NULL,
  };
}

const struct strategy strategy_con2colic = {
    .name = "con2colic",
    .spins = true,
    .help = "branches: scenarios in which threads see k values that other threads wrote, for k = 0, 1, 2, ...",
    .explores_inputs = true,
    .learns_quietly = true,
    .window = WINDOW,
    .default_max_runs = NO_LIMIT,
    .options = con2colic_options,
    .settings_bytes = sizeof(struct con2colic_settings),
    .configure = con2colic_configure,
    .create = con2colic_create,
    .destroy = con2colic_destroy,
    .next = con2colic_next,
    .absorb = con2colic_absorb,
    .stats = con2colic_stats,
    .account = con2colic_account,
};
