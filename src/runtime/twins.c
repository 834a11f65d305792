/* SPDX-License-Identifier: MIT
 *
 * A class of twins is named after its lowest member. Before their first steps all members of a group are one class.
 * A step that is no read makes its thread a class of its own; a read leaves it in the class of the twin that went
 * before it, if that has read the same and nobody has written there since.
 *
 * Members take their steps in the order of their ids, so that the twin to compare with is always the last one of the
 * class with a lower id.
 */
#include "twins.h"

#include "model/dependence.h"
#include "sharing.h"
#include "system.h"
#include "warnings.h"

static bool is_member(const struct thread *thread) {
  return thread->twin.n_members > 1 || thread->twin.group != NO_THREAD;
}

static struct thread *first_of(struct thread *thread) {
  return thread->twin.group == NO_THREAD ? thread : &rt->threads[thread->twin.group];
}

static bool is_in_group(const struct thread *thread, thread_id first) {
  return thread->state != ABSENT && (thread->id == first ? thread->twin.n_members > 1 : thread->twin.group == first);
}

void twins_begin_run(void) {
  rt->looks_for_twins = rt->channel->options & RUN_SYMMETRY && !(rt->plan->flags & PLAN_SYMBOLIC_READS);
  rt->has_twins = false;
  rt->n_twin_reads = 0;
}

void twins_begin_thread(struct thread *thread) {
  const struct twin none = {.group = NO_THREAD, .class = thread->id, .last_child = NO_THREAD, .joining = NO_THREAD};
  __builtin_memcpy(&thread->twin, &none, offsetof(struct twin, reads));
  if (rt->looks_for_twins) memset(thread->twin.reads, 0, sizeof thread->twin.reads);
}

/* ---- telling apart ---- */

/* Shared memory of the runtime's own (as for requests to cancel, model_cancel.c). */
static uint64_t mark_of(const struct thread *thread) {
  return (uint64_t)&thread->twin & ~7ull;
}

static bool was_told_apart(const struct thread *thread) {
  const struct granule *granule = sharing_record_at(mark_of(thread));
  return granule && granule->shared;
}

static void warn(const struct thread *thread, const char *how, site_id site) {
  struct warning warning = {.kind = WARNING_TOLD_APART, .site = site, .thread = thread->id, .other_thread = NO_THREAD};
  memcpy(warning.message, how, string_length(how) + 1);
  warnings_add(&warning);
}

static void tell_apart_at(struct thread *thread, const char *how, site_id site) {
  if (!is_member(thread)) return;
  const struct thread *first = first_of(thread);
  if (was_told_apart(first)) return;
  warn(thread, how, site);
  rt->has_marked = true;
  for (uint32_t i = first->id; i <= rt->highest_thread; i++)
    if (is_in_group(&rt->threads[i], first->id)) sharing_make_shared(mark_of(&rt->threads[i]), 1);
}

void twins_tell_apart(struct thread *thread, const char *how) {
  tell_apart_at(thread, how, self()->at_site);
}

/* It has joined some members of a group and not all, and does something that others may see. */
static void note_step_while_joining(const struct thread *thread) {
  if (thread->twin.joining == NO_THREAD) return;
  twins_tell_apart(&rt->threads[thread->twin.joining], "the thread that joins them does something in between");
}

void twins_end_thread(const struct thread *thread) {
  note_step_while_joining(thread);
}

/* ---- groups ---- */

static bool are_the_same(const struct thread *a, const struct thread *b, uint64_t stack_bytes) {
  return a->start == b->start && a->argument == b->argument && !a->argument_term && !b->argument_term &&
         a->detached == b->detached && a->twin.stack_bytes == stack_bytes && a->signals_blocked == b->signals_blocked &&
         a->clock_nanoseconds == b->clock_nanoseconds;
}

void twins_meet(struct thread *parent, struct thread *thread, uint64_t stack_bytes) {
  struct twin *twin = &thread->twin;
  struct thread *last = parent->twin.last_child == NO_THREAD ? NULL : &rt->threads[parent->twin.last_child];
  const bool follows = last && parent->twin.last_child_step == parent->twin.n_steps;
  if (!rt->looks_for_twins) return;
  twins_tell_apart(parent, "they create threads");
  note_step_while_joining(parent);
  twin->stack_bytes = stack_bytes;
  parent->twin.last_child = thread->id;
  parent->twin.last_child_step = parent->twin.n_steps;
  if (!follows || rt->section_owner == parent->id || !are_the_same(last, thread, stack_bytes)) return;
  if (was_told_apart(last) || was_told_apart(thread)) return;
  struct thread *first = first_of(last);
  twin->group = twin->class = first->id;
  if (first->twin.n_members == 0) first->twin.n_members = 1;
  first->twin.n_members++;
  rt->has_twins = true;
  sharing_be_born_with(thread, first, parent);
}

/* ---- classes ---- */

/* Its class when it had taken so many steps. */
static thread_id class_at(struct thread *thread, uint32_t n_steps) {
  if (n_steps == 0) return first_of(thread)->id;
  return n_steps <= MAX_TWIN_READS ? thread->twin.reads[n_steps - 1].class : thread->id;
}

/* The twin that goes before it. */
static struct thread *twin_before(struct thread *thread) {
  const uint32_t n_steps = thread->twin.n_steps;
  const thread_id class = thread->twin.class;
  if (class == thread->id) return NULL;
  for (uint32_t i = thread->id; i-- > class;) {
    struct thread *other = &rt->threads[i];
    if (is_in_group(other, first_of(thread)->id) && other->twin.n_steps >= n_steps && class_at(other, n_steps) == class)
      return other;
  }
  return NULL;
}

static bool stand_before_the_same(const struct thread *a, const struct thread *b) {
  const struct operation *x = &a->operation, *y = &b->operation;
  return a->state == AT_OPERATION && b->state == AT_OPERATION && x->kind == y->kind && x->address == y->address &&
         x->size == y->size && x->site == y->site && x->expected == y->expected;
}

static bool has_to_wait(struct thread *thread) {
  struct thread *before = twin_before(thread);
  if (!before || before->twin.n_steps > thread->twin.n_steps) return false;
  if (set_has(&rt->enabled, before->id) && stand_before_the_same(before, thread)) return true;
  /* What turned out to be shared in this run was no step of those that came before. */
  if (!rt->shared_grew) twins_tell_apart(thread, "they do different things");
  return false;
}

/* Plans that make the schedule of a finding simpler, which are lenient, may use any names. */
void twins_hold_back(void) {
  struct thread_set held = {0};
  if (rt->plan->flags & PLAN_LENIENT) return;
  for (uint32_t i = 0; i <= rt->highest_thread; i++)
    if (set_has(&rt->enabled, (thread_id)i) && rt->threads[i].twin.group != NO_THREAD && has_to_wait(&rt->threads[i]))
      set_add(&held, (thread_id)i);
  for (uint32_t w = 0; w < rt->n_words; w++) rt->enabled.words[w] &= ~held.words[w];
}

void twins_step(struct thread *thread) {
  struct twin *twin = &thread->twin;
  note_step_while_joining(thread);
  if (!is_member(thread)) {
    twin->n_steps++;
    return;
  }
  const struct thread *before = twin_before(thread);
  twin->before = before ? before->id : NO_THREAD;
  twin->class = thread->id;
  if (twin->n_steps < MAX_TWIN_READS) twin->reads[twin->n_steps] = (struct twin_read){.class = thread->id};
  twin->n_steps++;
}

static bool have_read_the_same(const struct twin_read *a, const struct twin_read *b) {
  return a->is_open && a->address == b->address && a->value == b->value && a->size == b->size && a->kind == b->kind &&
         a->site == b->site;
}

void twins_read(struct event *event) {
  struct thread *thread = self();
  struct twin *twin = &thread->twin;
  if (!is_member(thread) || rt->section_owner == thread->id) return;
  if (twin->n_steps > MAX_TWIN_READS || event->size > 8 || event->flags & (EVENT_PARKED | EVENT_OF_ALL)) return;
  struct twin_read *read = &twin->reads[twin->n_steps - 1];
  *read = (struct twin_read){.address = event->object,
                             .value = event->value,
                             .size = event->size,
                             .site = event->site,
                             .class = thread->id,
                             .kind = event->kind,
                             .is_open = true};
  rt->n_twin_reads++;
  if (twin->before != NO_THREAD) {
    const struct twin_read *earlier = &rt->threads[twin->before].twin.reads[twin->n_steps - 1];
    if (have_read_the_same(earlier, read)) twin->class = read->class = earlier->class;
  }
  event->before = 1u + twin->class;
}

static void close_reads(struct twin *twin, const struct event *event) {
  const uint32_t count = twin->n_steps < MAX_TWIN_READS ? twin->n_steps : MAX_TWIN_READS;
  for (uint32_t i = 0; i < count; i++) {
    struct twin_read *read = &twin->reads[i];
    const struct event as_event = {.object = read->address, .size = read->size, .kind = read->kind};
    if (!read->is_open || !events_depend(&as_event, event)) continue;
    read->is_open = false;
    rt->n_twin_reads--;
  }
}

void twins_overwrite(const struct event *event) {
  for (uint32_t i = 0; i <= rt->highest_thread; i++)
    if (rt->threads[i].state != ABSENT && is_member(&rt->threads[i])) close_reads(&rt->threads[i].twin, event);
}

/* ---- joining ---- */

/* Whoever joins all members of a group before its next step does not tell them apart, unless their results differ. */
bool twins_join(struct thread *joined, bool takes_result) {
  struct thread *joiner = self();
  joiner->twin.last_child = NO_THREAD; /* its children may have taken steps while it waited */
  if (!rt->has_twins) return false;
  twins_tell_apart(joiner, "they join threads");
  if (!is_member(joined)) return false;
  struct thread *first = first_of(joined);
  const bool is_first = first->twin.n_joined == 0;
  const bool differs =
      !is_first && (first->twin.joiner != joiner->id || first->twin.result != (uint64_t)joined->result ||
                    first->twin.takes_result != takes_result || joined->result_term);
  const bool joins_another = joiner->twin.joining != NO_THREAD && joiner->twin.joining != first->id;
  if (differs && (takes_result || first->twin.takes_result || first->twin.joiner != joiner->id))
    twins_tell_apart(first, "their results differ");
  if (joins_another) note_step_while_joining(joiner);
  if (is_first) {
    first->twin.joiner = joiner->id;
    first->twin.result = (uint64_t)joined->result;
    first->twin.takes_result = takes_result;
  }
  const bool is_last = ++first->twin.n_joined == first->twin.n_members;
  joiner->twin.joining = is_last ? NO_THREAD : first->id;
  if (!is_last) return true;
  for (uint32_t i = first->id; i <= rt->highest_thread; i++)
    if (is_in_group(&rt->threads[i], first->id)) sharing_learn_from(joiner, &rt->threads[i]);
  return false;
}

/* ---- the end ---- */

/* Of an address of a stack, of thread-local variables or of the heap: whose it is. NO_THREAD: nobody's in particular.
 */
static thread_id owner_of(uint64_t address) {
  if (address >= STACKS_ADDRESS && address < STACKS_END)
    return (thread_id)((address - STACKS_ADDRESS) / STACK_SLOT_BYTES);
  if (address >= MAIN_ARENA_ADDRESS && address < ARENAS_END) return (thread_id)arena_owner(address);
  return NO_THREAD;
}

static void look_at_address(uint64_t address, const char *how, site_id site) {
  const thread_id owner = owner_of(address);
  if (owner != NO_THREAD && owner <= rt->highest_thread && rt->threads[owner].state != ABSENT)
    tell_apart_at(&rt->threads[owner], how, site);
}

void __heddle_address_number(const void *address, const struct site *site);
EXPORTED void __heddle_address_number(const void *address, const struct site *site) {
  if (controlled && rt->has_twins)
    look_at_address((uint64_t)address, "they compute with addresses of their own memory", (site_id)(uint64_t)site);
}

static bool has_unjoined_end(const struct thread *first) {
  for (uint32_t i = first->id; i <= rt->highest_thread; i++)
    if (is_in_group(&rt->threads[i], first->id) && rt->threads[i].state == ENDED && !rt->threads[i].joined) return true;
  return false;
}

/* Which member a thread joined, or would have to join, made a difference: it did not join all of them, or waits for one
 * where another has ended. */
static void look_at_joiner(const struct thread *thread) {
  if (thread->state != JOINING) {
    note_step_while_joining(thread);
    return;
  }
  struct thread *joined = &rt->threads[thread->joining];
  if (is_member(joined) && has_unjoined_end(first_of(joined)))
    twins_tell_apart(joined, "a thread waits for the end of one of them");
}

/* Nobody can move any more. */
static bool is_at_rest(enum outcome outcome) {
  return outcome == OUTCOME_FINISHED || outcome == OUTCOME_DEADLOCK || outcome == OUTCOME_LIVELOCK;
}

/* Did the run end with a failure of one thread, which kept others from continuing? (looks.c of the engine) */
static bool has_failed(const struct thread *thread) {
  return rt->outcome_thread == thread->id && !is_at_rest(rt->outcome) && rt->outcome != OUTCOME_SLEEP_BLOCKED;
}

void twins_end_run(void) {
  if (!rt->has_twins) return;
  for (uint32_t i = 0; i < rt->n_events; i++) {
    const struct event *event = &rt->events[i];
    if (!(event->flags & (EVENT_VISIBLE | EVENT_IN_SECTION)) || event_class_of(event) == CLASS_THREAD) continue;
    look_at_address(event->object, "others see their own memory", event->site);
    if (event_class_of(event) == CLASS_MEMORY)
      look_at_address(event->value, "others see addresses of their own memory", event->site);
  }
  for (uint32_t i = 0; i <= rt->highest_thread && is_at_rest(rt->outcome); i++)
    if (rt->threads[i].state != ABSENT) look_at_joiner(&rt->threads[i]);
  if (rt->outcome_thread <= rt->highest_thread && has_failed(&rt->threads[rt->outcome_thread]))
    twins_tell_apart(&rt->threads[rt->outcome_thread], "one of them ends the run");
}
