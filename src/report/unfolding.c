/* SPDX-License-Identifier: MIT
 *
 * --unfolding FILE: at the end of an exploration its net becomes a structure with names, and that a file. Heap blocks
 * have their names from a run that is made for it.
 */
#include "report/unfolding.h"

#include "base/files.h"
#include "explore/executor/knowledge.h"
#include "explore/unfolding/memo.h"
#include "explore/unfolding/operation.h"
#include "trace/tables.h"

#include <stdlib.h>
#include <string.h>

struct maker {
  struct structure *structure;
  const struct net *net;
  const struct scene *scene;
  uint32_t *numbers;           /* of the executed events, by id; 0: not executed */
  uint32_t *objects;           /* numbers of the net's objects, 0: not listed */
  uint32_t *condition_numbers; /* by id; 0: not listed */
  site_id *sites;              /* of an access of the object */
  struct text text;
};

/* --- words --- */

static const char *take_text(struct maker *self) {
  const char *string = structure_string(self->structure, text_string(&self->text));
  text_clear(&self->text);
  return string;
}

static struct place place_of(struct maker *self, site_id site) {
  const struct place place = program_place(self->scene->program, site);
  return (struct place){structure_string(self->structure, place.file),
                        structure_string(self->structure, place.function), "", place.line};
}

/* How it ended, where that shows in what it did: the net knows the form that succeeds. */
static uint8_t kind_of(const struct net *net, const struct net_event *event) {
  const uint8_t kind = net->operations.items[event->operation].kind;
  const bool changed = event->n_accesses == 0 || net->accesses.items[event->first_access].mode != ACCESS_LOOK;
  if (changed) return kind;
  const uint8_t in_vain = kind_need(kind) == NEEDS_NOTHING ? (uint8_t)EVENT_NONE : kind_in_vain(kind);
  return in_vain == EVENT_NONE ? kind : in_vain;
}

static const char *kind_words(uint8_t kind) {
  return kind == EVENT_NONE ? "thread starts" : event_row(kind)->words;
}

static void append_operation(struct maker *self, uint8_t kind, const struct operation *operation) {
  const struct event event = {
      .kind = kind, .object = operation->address, .size = (uint32_t)operation->size, .site = operation->site};
  if (kind == EVENT_NONE)
    text_append(&self->text, kind_words(kind));
  else
    describe_operation(&self->text, self->scene, &event);
}

/* The value it found or left there. */
static void append_value(struct maker *self, const struct net_event *event, const struct operation *operation) {
  const struct net *net = self->net;
  struct event memory = {.kind = operation->kind, .object = operation->address, .size = (uint32_t)operation->size};
  if (event_class_of(&memory) != CLASS_MEMORY || event_is_lifetime(&memory) || event->n_accesses == 0) return;
  const struct net_access *access = &net->accesses.items[event->first_access];
  const condition_id condition = access->mode == ACCESS_CHANGE ? event->first_output : access->condition;
  const struct object *object = &net->objects.items[net->conditions.items[condition].object];
  if (object->address != memory.object || object->size != memory.size) return;
  const struct net_value *value = memo_value(net, condition);
  if (!value) return;
  memory.value = value->value;
  text_append(&self->text, " = ");
  if (value->term)
    term_print(self->structure->terms, value->term, &self->text);
  else
    describe_value_in(&self->text, self->scene, &memory);
}

static const char *words_of(struct maker *self, const struct net_event *event) {
  const struct operation *operation = &self->net->operations.items[event->operation];
  if (net_decides(self->net, event)) {
    text_append(&self->text, "if ");
    term_print(self->structure->terms, event->choice, &self->text);
    return take_text(self);
  }
  append_operation(self, kind_of(self->net, event), operation);
  append_value(self, event, operation);
  return take_text(self);
}

/* No thread stands before these: they happen at once. */
static bool is_prompt(uint8_t kind) {
  const struct event event = {.kind = kind};
  return kind == EVENT_NONE || kind_effect(kind) == EFFECT_CREATES || event_ends_thread(&event);
}

static struct structure_operation operation_ahead(struct maker *self, operation_id id) {
  const struct operation *operation = &self->net->operations.items[id];
  struct structure_operation ahead = {.words = "", .place = {"", "", "", 0}, .joins = NO_THREAD};
  if (!id || is_prompt(operation->kind)) return ahead;
  append_operation(self, operation->kind, operation);
  ahead.words = take_text(self);
  ahead.place = place_of(self, operation->site);
  if (kind_effect(operation->kind) == EFFECT_JOINS) ahead.joins = (thread_id)operation->address;
  return ahead;
}

/* --- threads, objects, inputs --- */

static void add_threads(struct maker *self) {
  const struct knowledge *knowledge = self->scene->knowledge;
  for (uint32_t i = 0; i < knowledge_threads(knowledge); i++) {
    describe_thread(&self->text, knowledge, (thread_id)i);
    vector_push(&self->structure->threads, ((struct structure_thread){take_text(self), knowledge->threads[i]}));
  }
  for (uint32_t i = 0; i < knowledge_shared(knowledge); i++)
    vector_push(&self->structure->shared, knowledge->shared[i]);
}

static bool is_hidden(const struct net *net, const struct object *object) {
  for (size_t i = 0; net->memo && i < net->memo->hidden.count; i++) {
    const struct cell *cell = &net->memo->hidden.items[i];
    if (cell->start < object->address + object->size && object->address < cell->end) return true;
  }
  return false;
}

static const char *object_kind(const struct net *net, const struct object *object) {
  switch (object->kind) {
  case OBJECT_MEMORY: return is_hidden(net, object) ? "variable of atomic sections" : "variable";
  case OBJECT_MUTEX: return "mutex";
  case OBJECT_SEMAPHORE: return "semaphore";
  case OBJECT_RWLOCK: return "rwlock";
  case OBJECT_BARRIER: return "barrier";
  case OBJECT_CONDITION: return "condition";
  case OBJECT_LIFE: return "thread";
  case OBJECT_WORLD: return "everything";
  default: return "other";
  }
}

static bool has_name(const struct structure *structure, const char *name) {
  for (size_t i = 0; i < structure->objects.count; i++)
    if (structure->objects.items[i].name == name) return true;
  return false;
}

static const char *object_name(struct maker *self, object_id id) {
  const struct object *object = &self->net->objects.items[id];
  if (object->kind == OBJECT_WORLD) {
    text_append(&self->text, "everything");
  } else if (object->kind == OBJECT_LIFE) {
    text_append(&self->text, "end of ");
    describe_thread(&self->text, self->scene->knowledge, (thread_id)object->address);
  } else {
    const struct event event = {.kind = object->kind == OBJECT_MEMORY ? EVENT_READ : EVENT_MUTEX_LOCK,
                                .object = object->address,
                                .size = (uint32_t)object->size,
                                .site = self->sites[id]};
    describe_operand(&self->text, self->scene, &event);
  }
  const char *name = take_text(self);
  if (!has_name(self->structure, name)) return name;
  text_append_format(&self->text, "%s at %#llx", name, (unsigned long long)object->address);
  return take_text(self);
}

static bool is_signed(const struct maker *self, const struct object *object) {
  struct text unused = {0};
  enum value_kind kind = VALUE_UNKNOWN;
  program_append_variable(self->scene->program, &unused, object->address, (uint32_t)object->size, &kind);
  text_free(&unused);
  return kind == VALUE_SIGNED || kind == VALUE_UNKNOWN;
}

static void find_sites(struct maker *self) {
  for (operation_id i = 1; i < self->net->operations.count; i++)
    for (uint8_t k = 0; k < self->net->operations.items[i].n_accesses; k++)
      self->sites[operation_object(self->net, i, k)] = self->net->operations.items[i].site;
}

static void add_objects(struct maker *self) {
  find_sites(self);
  for (object_id i = 1; i < self->net->objects.count; i++) {
    const struct object *object = &self->net->objects.items[i];
    const bool is_memory = object->kind == OBJECT_MEMORY;
    const struct structure_object item = {.name = object_name(self, i),
                                          .kind = object_kind(self->net, object),
                                          .address = object->address,
                                          .size = is_memory ? (uint32_t)object->size : 0,
                                          .is_signed = is_memory && is_signed(self, object)};
    vector_push(&self->structure->objects, item);
    self->objects[i] = (uint32_t)self->structure->objects.count;
  }
}

/* --- conditions and events --- */

static void add_condition(struct maker *self, condition_id id) {
  const struct condition *condition = &self->net->conditions.items[id];
  struct structure_condition item = {.object = self->objects[condition->object],
                                     .event = self->numbers[condition->event]};
  const enum object_kind kind = self->net->objects.items[condition->object].kind;
  const struct net_value *value = kind == OBJECT_MEMORY ? memo_value(self->net, id) : NULL;
  if (value) {
    item.is_known = true;
    item.value = value->value;
    item.term = value->term;
  } else if (kind == OBJECT_MUTEX || kind == OBJECT_SEMAPHORE) {
    item.is_known = condition->state != UNKNOWN_STATE;
    item.value = item.is_known ? condition->state : 0;
  }
  vector_push(&self->structure->conditions, item);
  self->condition_numbers[id] = (uint32_t)self->structure->conditions.count;
}

/* Those that were there at first, and those of executed events. */
static void add_conditions(struct maker *self) {
  for (condition_id i = 1; i < self->net->conditions.count; i++) {
    const event_id event = self->net->conditions.items[i].event;
    if (!event || self->numbers[event]) add_condition(self, i);
  }
}

static void start_slice(const struct maker *self, struct structure_slice *slice) {
  *slice = (struct structure_slice){(uint32_t)self->structure->ids.count, 0};
}

static void add_id(struct maker *self, struct structure_slice *slice, uint32_t id) {
  vector_push(&self->structure->ids, id);
  slice->count++;
}

static void add_accesses(struct maker *self, const struct net_event *event, enum access_mode mode,
                         struct structure_slice *slice) {
  start_slice(self, slice);
  for (uint8_t i = 0; i < event->n_accesses; i++) {
    const struct net_access *access = &self->net->accesses.items[event->first_access + i];
    if (access->mode == mode) add_id(self, slice, self->condition_numbers[access->condition]);
  }
}

static void add_outputs(struct maker *self, const struct net_event *event, struct structure_slice *slice) {
  condition_id output = event->first_output;
  start_slice(self, slice);
  for (uint8_t i = 0; i < event->n_accesses; i++)
    if (self->net->accesses.items[event->first_access + i].mode == ACCESS_CHANGE)
      add_id(self, slice, self->condition_numbers[output++]);
}

/* The looks that an ordinary change comes after, and what made a condition that is past. */
static void add_after(struct maker *self, event_id id, struct structure_slice *slice) {
  const struct net *net = self->net;
  const struct net_event *event = &net->events.items[id];
  start_slice(self, slice);
  for (uint8_t i = 0; i < event->n_accesses; i++) {
    const access_id place = event->first_access + i;
    const struct net_access *access = &net->accesses.items[place];
    const event_id maker = net->conditions.items[access->condition].event;
    if (access->mode == ACCESS_PAST && maker) add_id(self, slice, self->numbers[maker]);
    if (access->mode != ACCESS_CHANGE || !event->readers) continue;
    const uint32_t *record = net_readers(net, id, place);
    for (uint32_t k = 0; k < record[1]; k++) add_id(self, slice, self->numbers[record[2 + k]]);
  }
}

static void add_event(struct maker *self, event_id id) {
  const struct net_event *event = &self->net->events.items[id];
  struct structure_event item = {.previous = self->numbers[event->previous],
                                 .thread = event->thread,
                                 .is_step = net_is_step(self->net, event),
                                 .ends_run = event->flags & NET_ENDS_RUN,
                                 .kind = structure_string(self->structure, kind_words(kind_of(self->net, event))),
                                 .words = words_of(self, event),
                                 .place = place_of(self, self->net->operations.items[event->operation].site),
                                 .next = operation_ahead(self, event->next)};
  if (item.is_step) item.alternative = (uint16_t)event->choice;
  if (net_decides(self->net, event)) {
    item.kind = structure_string(self->structure, "decision");
    item.constraint = event->choice;
  }
  add_accesses(self, event, ACCESS_LOOK, &item.reads);
  add_accesses(self, event, ACCESS_CHANGE, &item.consumes);
  add_outputs(self, event, &item.produces);
  add_after(self, id, &item.after);
  vector_push(&self->structure->events, item);
}

static void add_tails(struct maker *self) {
  const struct net_memo *memo = self->net->memo;
  for (size_t i = 0; memo && i < memo->tails.count; i++) {
    const uint32_t number = self->numbers[memo->tails.items[i].event];
    if (!number || is_prompt(self->net->operations.items[memo->tails.items[i].operation].kind)) continue;
    struct structure_slice *tail = &self->structure->events.items[number - 1].tail;
    if (tail->count == 0) tail->first = (uint32_t)self->structure->tails.count;
    vector_push(&self->structure->tails, operation_ahead(self, memo->tails.items[i].operation));
    tail->count++;
  }
}

static void add_left(struct maker *self, event_id id) {
  const struct net_event *event = &self->net->events.items[id];
  const struct structure_operation ahead = operation_ahead(self, event->operation);
  vector_push(&self->structure->left,
              ((struct structure_left){self->numbers[event->previous], event->thread, ahead.words, ahead.place}));
}

/* Ids grow with causality, so the numbers do. */
static void add_events(struct maker *self) {
  uint32_t count = 0;
  for (event_id i = 1; i < self->net->events.count; i++)
    if (event_is_executed(self->net, i)) self->numbers[i] = ++count;
  add_conditions(self);
  for (event_id i = 1; i < self->net->events.count; i++) {
    if (self->numbers[i])
      add_event(self, i);
    else if (!(self->net->events.items[i].flags & NET_IMPOSSIBLE))
      add_left(self, i);
  }
  add_tails(self);
}

/* Symbols of reads do not occur: no run of an unfolding has them. They keep their numbers anyway. */
static void add_inputs(struct maker *self, struct inputs *inputs) {
  struct structure *structure = self->structure;
  structure->terms = inputs_terms(inputs);
  for (input_id i = 0; i < inputs_count(inputs); i++) {
    struct structure_input input = {.name = structure_string(structure, terms_input_name(structure->terms, i))};
    inputs_identity(inputs, i, &input.thread, &input.index);
    vector_push(&structure->inputs, input);
  }
}

void structure_make(struct structure *structure, const struct net *net, struct inputs *inputs,
                    const struct scene *scene) {
  struct maker self = {.structure = structure, .net = net, .scene = scene};
  self.numbers = memory_allocate(net->events.count * sizeof *self.numbers);
  self.objects = memory_allocate(net->objects.count * sizeof *self.objects);
  self.condition_numbers = memory_allocate(net->conditions.count * sizeof *self.condition_numbers);
  self.sites = memory_allocate(net->objects.count * sizeof *self.sites);
  structure->is_contextual = net->is_contextual;
  add_inputs(&self, inputs);
  add_threads(&self);
  add_objects(&self);
  add_events(&self);
  free(self.numbers);
  free(self.objects);
  free(self.condition_numbers);
  free(self.sites);
  text_free(&self.text);
}

/* --- the observer --- */

bool unfolding_is_json(const char *file) {
  return string_ends_with(file, ".json");
}

bool unfolding_is_dot(const char *file) {
  return string_ends_with(file, ".dot");
}

/* A run that ends by itself: it has the heap blocks that names speak of. */
static struct finding *run_for_names(const struct report *report, const struct knowledge *knowledge,
                                     struct error *error) {
  struct finding *finding = memory_allocate(sizeof *finding);
  finding->policy = POLICY_CONTINUE;
  finding->knowledge = memory_allocate(sizeof *finding->knowledge);
  knowledge_copy_threads(finding->knowledge, knowledge);
  knowledge_copy_shared(finding->knowledge, knowledge);
  if (finding_repeat(finding, report->executor, error)) return finding;
  finding_free(finding);
  return NULL;
}

static const char *file_name(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

/* FILE.program beside FILE.json: the executable may be gone when somebody asks. */
static bool keep_program(struct structure *structure, const struct report *report, struct error *error) {
  const struct executor_settings *settings = report->executor;
  struct text path = {0};
  text_append_bytes(&path, report->unfolding, strlen(report->unfolding) - strlen(".json"));
  text_append(&path, ".program");
  structure->program.settings = *settings;
  structure->program.executable = structure_string(structure, file_name(text_string(&path)));
  for (const char *const *argument = settings->arguments; *argument; argument++)
    vector_push(&structure->program.arguments, structure_string(structure, *argument));
  vector_push(&structure->program.arguments, NULL);
  const bool kept = files_hash(settings->executable, &structure->program.hash, error) &&
                    files_copy(settings->executable, text_string(&path), error);
  text_free(&path);
  return kept;
}

static bool write_structure(struct structure *structure, const struct report *report, struct error *error) {
  struct text text = {0};
  if (unfolding_is_dot(report->unfolding)) {
    structure_append_dot(structure, &text);
  } else {
    if (!keep_program(structure, report, error)) return false;
    structure_append_json(structure, &text);
  }
  const bool written = files_write(report->unfolding, text_string(&text), text.length, error);
  text_free(&text);
  return written;
}

bool unfolding_make(struct structure *structure, const struct report *report, const struct summary *summary,
                    struct error *error) {
  struct finding *finding = run_for_names(report, summary->knowledge, error);
  if (!finding) return false;
  const struct scene scene = {report->program, finding->knowledge, &finding->trace};
  structure->strategy = summary->strategy;
  structure->is_complete = summary->complete;
  structure_make(structure, summary->net, summary->terms, &scene);
  finding_free(finding);
  return true;
}

static bool write_unfolding(const struct report *report, const struct summary *summary, struct error *error) {
  struct structure structure = {0};
  const bool written = unfolding_make(&structure, report, summary, error) && write_structure(&structure, report, error);
  structure_free(&structure);
  return written;
}

static void end(void *self, const struct summary *summary) {
  struct report *report = self;
  if (!report->unfolding || !summary->net) return;
  if (!write_unfolding(report, summary, &report->error)) report->failed = true;
}

struct observer unfolding_observer(struct report *report) {
  return (struct observer){.self = report, .end = end};
}
