/* SPDX-License-Identifier: MIT
 *
 * Threads. Creating, starting and ending one are not choices of the scheduler: they commute with what other threads do.
 *
 * A thread's id is the place of its name (parent, index among the parent's children) in the knowledge all runs share,
 * so that it has the same id, stack and arena in every run whatever the schedule. As a pthread_t it is the address of
 * its thread descriptor, as in glibc.
 */
#include "checkpoint.h"
#include "children.h"
#include "cxx.h"
#include "ends.h"
#include "fiber.h"
#include "files.h"
#include "frames.h"
#include "models.h"
#include "process.h"
#include "rounds.h"
#include "sharing.h"
#include "terms.h"
#include "twins.h"
#include "unfollowed.h"

#include <errno.h>
#include <pthread.h>
#include <setjmp.h>

#define DEFAULT_STACK_BYTES (8u << 20)

/* ---- names ---- */

static bool has_name(thread_id id, thread_id parent, uint16_t index) {
  const struct thread_name *name = &rt->knowledge->threads[id];
  return name->parent == parent && name->index == index;
}

static thread_id id_of_name(thread_id parent, uint16_t index) {
  struct knowledge *knowledge = rt->knowledge;
  const uint32_t known = atomic_load_explicit(&knowledge->n_threads, memory_order_relaxed);
  /* Mostly main creates all threads, and child k got id k + 1. */
  if (index + 1u < known && has_name((thread_id)(index + 1), parent, index)) return (thread_id)(index + 1);
  for (uint32_t id = 1; id < known; id++)
    if (has_name((thread_id)id, parent, index)) return (thread_id)id;
  if (known == HEDDLE_MAX_THREADS) finish_at_limit("more than 8191 threads, counted over all runs");
  knowledge->threads[known] = (struct thread_name){parent, index};
  knowledge->seal += sealed_thread(known, knowledge->threads[known]);
  atomic_store_explicit(&knowledge->n_threads, known + 1, memory_order_release);
  return (thread_id)known;
}

static void note_most_threads(uint32_t count) {
  struct knowledge *knowledge = rt->knowledge;
  knowledge->seal += sealed_most_threads(count) - sealed_most_threads(knowledge->most_threads);
  knowledge->most_threads = count;
}

static pthread_t handle_of(const struct thread *thread) {
  return (pthread_t)thread->tls;
}

struct thread *thread_of(pthread_t handle) {
  if ((uint64_t)handle == rt->root_tls) return &rt->threads[0];
  const uint64_t slot = ((uint64_t)handle - STACKS_ADDRESS) / STACK_SLOT_BYTES;
  if ((uint64_t)handle < STACKS_ADDRESS || slot > rt->highest_thread) return NULL;
  struct thread *thread = &rt->threads[slot];
  return thread->state != ABSENT && thread->tls == (uint64_t)handle ? thread : NULL;
}

struct thread *thread_asked_for(pthread_t handle) {
  struct thread *thread = thread_of(handle);
  if (thread) twins_tell_apart(thread, "somebody uses the id of one of them");
  return thread;
}

/* ---- starting and ending ---- */

void thread_seed_inputs(struct thread *thread) {
  thread->input_state = (rt->seed + 1) * 0x9e3779b97f4a7c15ull ^ (uint64_t)thread->id << 32;
}

void thread_draw_priority(struct thread *thread) {
  thread->priority = 64 + (uint32_t)(rt->random_state * (thread->id + 1ull) * 0x9e3779b97f4a7c15ull >> 34);
}

static void begin_thread(struct thread *thread, thread_id id) {
  thread->id = id;
  thread->detached = thread->joined = thread->signalled = false;
  thread->n_joiners = 0;
  thread->has_joined = thread->is_made = false;
  thread->join_event = 0;
  thread->n_children = thread->n_joined_children = thread->depth = 0;
  thread->operation = (struct operation){0};
  thread->relock = thread->queue = NULL;
  thread->in_guard = false;
  thread->section_depth = 0;
  thread->at_site = 0;
  thread->called_before = NULL;
  thread->progress = 0;
  thread->valued_event = 0;
  thread->clock_nanoseconds = thread->n_changes = 0;
  memset(thread->looks, 0, sizeof thread->looks);
  thread->random_state = id;
  thread_seed_inputs(thread);
  thread->n_inputs = thread->n_read_symbols = thread->n_sent = 0;
  thread->argument_term = thread->result_term = 0;
  thread->cleanup = NULL;
  thread->destructors = NULL;
  thread->unwinds_from = 0;
  thread->left_below = 0;
  thread->signals_blocked = thread->signals_pending = 0;
  thread->is_signalled = thread->was_interrupted = false;
  thread->n_held = thread->lock_set = 0;
  attributes_begin_thread(thread);
  thread->woke_for_nothing = false;
  thread->n_read_holds = 0;
  thread->time_outs = thread->timed_out_at = thread->moved_at = 0;
  cancel_begin_thread(thread);
  thread->arena_used = 0;
  thread->n_blocks = 0;
  thread->spin.armed = thread->spin.parked = thread->await.is_on = false;
  thread->spin.n_visits = thread->spin.suspected = 0;
  thread->spin.progress = 0;
  thread->spin.update.size = 0;
  rounds_begin_thread(thread);
  thread_draw_priority(thread);
  twins_begin_thread(thread);
  keys_begin_thread(thread);
  rt->n_live++;
  rt->n_threads++;
  __heddle_has_threads = rt->n_threads > 1;
  if (rt->n_threads == 2) files_begin_sharing();
  if (rt->n_threads > rt->knowledge->most_threads) note_most_threads(rt->n_threads);
  if (id <= rt->highest_thread) return;
  for (uint32_t i = rt->highest_thread + 1; i < id; i++) rt->threads[i].state = ABSENT;
  rt->highest_thread = id;
  for (; rt->n_words <= id / 64u; rt->n_words++)
    rt->ready.words[rt->n_words] = rt->waiting.words[rt->n_words] = rt->local.words[rt->n_words] = 0;
  if (rt->n_words == 1) return;
  rt->is_wide = true;
  rt->recorded_quickly = 0;
}

_Noreturn void __real_exit(int status);

static _Noreturn void end_thread(void *result) {
  struct thread *thread = self();
  if (!controlled) __real_exit(0); /* the only thread of a child that the program forked */
  rehearsal_check();
  thread->result = result;
  if (reads_are_symbolic()) {
    /* What is returned must follow from the thread's own way. */
    decide_pin(thread->result_term, PIN_MODEL, 0);
    thread->result_term = 0;
  }
  cxx_run_thread_destructors(thread);
  keys_run_destructors(thread);
  schedule_thread_ended();
}

/* As an instrumented caller would: with the term of the argument, and taking that of the result. */
static void thread_entry(void) {
  struct thread *thread = self();
  const void *start = (const void *)thread->start;
  if (thread->argument_term) {
    __heddle_call.callee = start;
    __heddle_call.count = 1;
    __heddle_call.terms[0] = thread->argument_term;
  }
  void *result = thread->start(thread->argument);
  if (controlled && __heddle_return.terms[0] && __heddle_return.from == start)
    thread->result_term = __heddle_return.terms[0];
  end_thread(result);
}

struct thread *thread_create(void *(*start)(void *), void *argument, size_t stack_bytes) {
  checkpoint_before_thread();
  struct thread *parent = self();
  const thread_id id = id_of_name(parent->id, parent->n_children);
  parent->n_children++;
  struct thread *thread = &rt->threads[id];
  begin_thread(thread, id);
  thread->depth = parent->depth + 1;
  thread->clock_nanoseconds = parent->clock_nanoseconds;
  thread->signals_blocked = parent->signals_blocked;
  thread->start = start;
  thread->argument = argument;
  sharing_new_thread(parent, thread);
  sharing_new_segment(parent);
  fiber_map_stack(thread, stack_bytes);
  fiber_prepare(thread, thread_entry);
  return thread;
}

/* It depends on what the thread itself did and on nothing else: so whether it is held back is the same in all orders.
 */
static bool has_enough_threads(const struct thread *parent) {
  const uint32_t most = rt->channel->max_threads;
  if (!most) return false;
  return parent->n_children - parent->n_joined_children >= most || parent->depth >= most;
}

void thread_prepare_main(void) {
  struct thread *thread = &rt->threads[0];
  begin_thread(thread, 0);
  sharing_new_thread(NULL, thread);
  thread->state = LOCAL;
}

static int model_pthread_create(pthread_t *handle, const pthread_attr_t *attributes, void *(*start)(void *),
                                void *argument);
int __real_pthread_create(pthread_t *handle, const pthread_attr_t *attributes, void *(*start)(void *), void *argument);
EXPORTED int __wrap_pthread_create(pthread_t *handle, const pthread_attr_t *attributes, void *(*start)(void *),
                                   void *argument);
int __wrap_pthread_create(pthread_t *handle, const pthread_attr_t *attributes, void *(*start)(void *), void *argument) {
  if (controlled) return model_pthread_create(handle, attributes, start, argument);
  child_report(CHILD_CREATES_THREAD, call_site());
  return __real_pthread_create(handle, attributes, start, argument);
}

static int model_pthread_create(pthread_t *handle, const pthread_attr_t *attributes, void *(*start)(void *),
                                void *argument) {
  const site_id site = take_site();
  uint32_t terms[4] = {0};
  call_take_terms((const void *)__wrap_pthread_create, terms, 4);
  decide_pin(terms[2], PIN_JUMP, site);
  size_t stack_bytes = DEFAULT_STACK_BYTES;
  int detach_state = PTHREAD_CREATE_JOINABLE;
  if (attributes) {
    pthread_attr_getstacksize(attributes, &stack_bytes);
    pthread_attr_getdetachstate(attributes, &detach_state);
    if (stack_bytes < DEFAULT_STACK_BYTES) stack_bytes = DEFAULT_STACK_BYTES;
    if (stack_bytes > STACK_SLOT_BYTES)
      process_not_supported(site, "a stack of more than 64 MB: the thread gets 64 MB");
  }
  spin_end(self());
  if (has_enough_threads(self())) finish_creating(site);
  unfollowed_look_at((const void *)start, site);
  model_writes(handle, sizeof *handle, site); /* before the thread is there: it may look at it */
  struct thread *thread = thread_create(start, argument, stack_bytes);
  thread->argument_term = terms[3];
  thread->detached = detach_state == PTHREAD_CREATE_DETACHED;
  *handle = handle_of(thread);
  term_memory_clear((uint64_t)handle, sizeof *handle);
  struct event *event = trace_record(EVENT_THREAD_CREATE, thread->id, 0, site);
  event->enabled = (uint64_t)argument; /* for who looks for threads that are alike */
  event->value = (uint64_t)start;      /* for reports: the thread's name in the source */
  twins_meet(self(), thread, stack_bytes);
  event->size = thread->twin.group == NO_THREAD ? 0 : 1u + thread->twin.group;
  schedule_local(thread);
  return 0;
}

WRAPPED(int, pthread_join, (pthread_t handle, void **result), (handle, result)) {
  char *frame = SPIN_FRAME();
  struct thread *target = thread_of(handle);
  if (!target || target->joined) return ESRCH;
  if (target == self()) return EDEADLK;
  if (target->detached) return EINVAL;
  const site_id site = take_site();
  cancel_point(site, frame);
  spin_end(self());
  if (target->state != ENDED) schedule_wait_for_join(target->id, site);
  if (target->state != ENDED) cancel_act(site);
  target->joined = true;
  self()->n_joined_children += rt->knowledge->threads[target->id].parent == self()->id;
  races_join(self(), target);
  if (!twins_join(target, result)) sharing_learn_from(self(), target);
  if (target->clock_nanoseconds > self()->clock_nanoseconds) self()->clock_nanoseconds = target->clock_nanoseconds;
  struct event *event = trace_record(EVENT_THREAD_JOIN, target->id, 0, site);
  event->value = (uint64_t)target->result;
  target->join_event = event < rt->events + rt->n_events ? rt->n_events : 0;
  target->joiner = self()->id;
  self()->has_joined = true;
  if (!result) return 0;
  sharing_saw(target);
  model_writes(result, sizeof *result, site);
  *result = target->result;
  term_memory_store((uint64_t)result, sizeof *result, term_resize(target->result_term, 64));
  return 0;
}

WRAPPED(int, pthread_detach, (pthread_t handle), (handle)) {
  struct thread *target = thread_asked_for(handle);
  if (!target || target->joined) return ESRCH; /* glibc: the descriptor of a joined thread has no id any more */
  if (target->detached) return EINVAL;
  target->detached = true;
  return 0;
}

WRAPPED(pthread_t, pthread_self, (void), ()) {
  twins_tell_apart(self(), "they ask for their ids");
  return handle_of(self());
}

WRAPPED(int, pthread_equal, (pthread_t a, pthread_t b), (a, b)) {
  return a == b;
}

/* ---- pthread_exit and cleanup handlers ---- */

/* pthread_cleanup_push is a macro that saves a jump buffer and registers it; the end of the thread jumps there, the
 * macro calls the handler and comes back with __pthread_unwind_next. The first pad word links the buffers. */
_Noreturn void thread_unwind(void) {
  struct thread *thread = self();
  if (cxx_is_linked()) finish_at_limit("pthread_exit or cancellation in C++, where destructors would have to run");
  thread->ending = true;
  __pthread_unwind_buf_t *buffer = thread->cleanup;
  const site_id site = (site_id)(uint64_t)__heddle_site;
  guards_forget(thread);
  if (!buffer) {
    frames_leave_all(site);
    end_thread(thread->result);
  }
  struct __jmp_buf_tag *target = (struct __jmp_buf_tag *)buffer->__cancel_jmp_buf;
  thread->cleanup = buffer->__pad[0];
  frames_leave(jump_stack_pointer(target), site);
  siglongjmp(target, 1);
}

_Noreturn void __real_pthread_exit(void *result);
EXPORTED _Noreturn void __wrap_pthread_exit(void *result) {
  if (!controlled) __real_pthread_exit(result);
  self()->result = result;
  self()->result_term = call_take_term((const void *)__wrap_pthread_exit, 0);
  thread_unwind();
}

WRAPPED_VOID(__pthread_register_cancel, (__pthread_unwind_buf_t * buffer), (buffer)) {
  buffer->__pad[0] = self()->cleanup;
  self()->cleanup = buffer;
}

WRAPPED_VOID(__pthread_unregister_cancel, (__pthread_unwind_buf_t * buffer), (buffer)) {
  self()->cleanup = buffer->__pad[0];
}

_Noreturn void __real___pthread_unwind_next(__pthread_unwind_buf_t *buffer);
EXPORTED _Noreturn void __wrap___pthread_unwind_next(__pthread_unwind_buf_t *buffer) {
  if (!controlled) __real___pthread_unwind_next(buffer);
  thread_unwind();
}
