/* SPDX-License-Identifier: MIT
 *
 * What C++ asks of the runtime: exceptions leave functions, std::terminate is a finding, threads have destructors.
 *
 * Exceptions themselves are libstdc++'s and libgcc's, which work on fibers as on any stack. What they keep of a thread
 * is in its thread-local storage. The originals are weak: C programs do not have them, nor src/cxx/support.cc.
 */
#include "ends.h"
#include "frames.h"
#include "memory.h"
#include "models.h"
#include "terms.h"

#include <stdlib.h>

/* In support.cc. False: the program has a handler of its own. The object is the exception's, NULL if there is none. */
bool __heddle_terminates(char *words, size_t size, const void **object) __attribute__((weak));

/* ---- functions that are left ---- */

/* An exception goes from the lowest frame to one above, where it lands (src/instrument/exceptions.c), and from there
 * perhaps further. */
#define WRAPPED_THROW(name)                                                                                            \
  int __real_##name(void *exception) __attribute__((weak));                                                            \
  EXPORTED int __wrap_##name(void *exception);                                                                         \
  int __wrap_##name(void *exception) {                                                                                 \
    if (controlled) self()->unwinds_from = (uint64_t)__builtin_frame_address(0);                                       \
    return __real_##name(exception);                                                                                   \
  }

WRAPPED_THROW(_Unwind_RaiseException)
WRAPPED_THROW(_Unwind_Resume_or_Rethrow)

void __heddle_slow_unclaimed(const struct site *site);

/* Of the function that it lands in; what lies below is left. */
EXPORTED void __heddle_slow_landed(const void *stack_pointer);
void __heddle_slow_landed(const void *stack_pointer) {
  struct thread *thread = self();
  const uint64_t here = (uint64_t)stack_pointer;
  if (!controlled) return;
  if (__heddle_call.callee) __heddle_slow_unclaimed(__heddle_site); /* whoever it was passed to is gone */
  guards_forget(thread);
  if (thread->unwinds_from) frames_leave_between(thread->unwinds_from, here, (site_id)(uint64_t)__heddle_site);
  thread->unwinds_from = here;
}

/* Where the program is static, objects are registered with the unwinder, which then has a lock and a table of its own,
 * made anew in every run. It finds its way without: the linker has made a table. */
void __real___register_frame_info(const void *frames, void *object) __attribute__((weak));
EXPORTED void __wrap___register_frame_info(const void *frames, void *object);
void __wrap___register_frame_info(const void *frames, void *object) {
  if (!__heddle_terminates && __real___register_frame_info) __real___register_frame_info(frames, object);
}

void *__real___deregister_frame_info(const void *frames) __attribute__((weak));
EXPORTED void *__wrap___deregister_frame_info(const void *frames);
void *__wrap___deregister_frame_info(const void *frames) {
  return __heddle_terminates || !__real___deregister_frame_info ? NULL : __real___deregister_frame_info(frames);
}

/* ---- std::terminate ---- */

/* An exception is allocated where it is thrown. */
static site_id place_of_throw(const void *object, site_id otherwise) {
  const struct heap_block *block = memory_is_heap((uint64_t)object) ? memory_block_before((uint64_t)object) : NULL;
  return block && block->site ? block->site : otherwise;
}

static void find_terminated(void) {
  const site_id site = take_site();
  char words[MESSAGE_BYTES];
  const void *object = NULL;
  if (!controlled || !__heddle_terminates || !__heddle_terminates(words, sizeof words, &object)) return;
  if (object) finish_run_with_message(OUTCOME_EXCEPTION, place_of_throw(object, site), 0, words);
  finish_run(OUTCOME_TERMINATED, site, 0);
}

_Noreturn void __real__ZSt9terminatev(void) __attribute__((weak));
EXPORTED _Noreturn void __wrap__ZSt9terminatev(void);
_Noreturn void __wrap__ZSt9terminatev(void) {
  find_terminated();
  __real__ZSt9terminatev();
}

/* __cxxabiv1::__terminate, to which an exception leads that nobody catches. */
_Noreturn void __real__ZN10__cxxabiv111__terminateEPFvvE(void (*handler)(void)) __attribute__((weak));
EXPORTED _Noreturn void __wrap__ZN10__cxxabiv111__terminateEPFvvE(void (*handler)(void));
_Noreturn void __wrap__ZN10__cxxabiv111__terminateEPFvvE(void (*handler)(void)) {
  find_terminated();
  __real__ZN10__cxxabiv111__terminateEPFvvE(handler);
}

/* ---- destructors of thread-local variables ---- */

struct thread_destructor {
  struct thread_destructor *before;
  void (*function)(void *);
  void *argument;
};

void *__wrap_malloc(size_t size);
void __wrap_free(void *block);

int __real___cxa_thread_atexit(void (*function)(void *), void *argument, void *module) __attribute__((weak));
EXPORTED int __wrap___cxa_thread_atexit(void (*function)(void *), void *argument, void *module);
int __wrap___cxa_thread_atexit(void (*function)(void *), void *argument, void *module) {
  if (!controlled) return __real___cxa_thread_atexit(function, argument, module);
  struct thread_destructor *destructor = __wrap_malloc(sizeof *destructor);
  if (!destructor) return -1;
  *destructor = (struct thread_destructor){self()->destructors, function, argument};
  self()->destructors = destructor;
  return 0;
}

void cxx_run_thread_destructors(struct thread *thread) {
  while (thread->destructors) {
    struct thread_destructor *last = thread->destructors;
    thread->destructors = last->before;
    last->function(last->argument);
    __wrap_free(last);
  }
}
