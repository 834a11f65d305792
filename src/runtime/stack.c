/* SPDX-License-Identifier: MIT
 *
 * Where a thread is when a signal interrupts it: the places of its calls, innermost first. Code that heddle compiles
 * keeps frame pointers (src/cli/cc.c). Code that does not (libc, the runtime itself) may have anything in that
 * register: then the list begins with the first frame it still points to, or is empty.
 */
#include "executor.h"
#include "repetition.h"

extern char __start_heddle_hooks[], __stop_heddle_hooks[];

static bool is_code(uint64_t address) {
  return address > 4096 && address < UINT32_MAX && !executor_is_in_runtime(address);
}

static bool is_frame(const struct thread *thread, uint64_t frame, uint64_t above) {
  return frame >= above && frame % 8 == 0 && frame + 16 <= thread->stack_top;
}

/* A hook has no frame: what called it is where the thread is. */
static uint64_t caller_of_hook(uint64_t instruction, uint64_t stack_pointer) {
  const bool in_hook = instruction >= (uint64_t)__start_heddle_hooks && instruction < (uint64_t)__stop_heddle_hooks;
  return in_hook ? *(const uint64_t *)stack_pointer - 1 : instruction;
}

void stack_note(uint64_t instruction, uint64_t frame, uint64_t stack_pointer) {
  const struct thread *thread = self();
  uint32_t count = 0;
  instruction = caller_of_hook(instruction, stack_pointer);
  memset(rt->stack, 0, sizeof rt->stack);
  if (is_code(instruction)) rt->stack[count++] = (uint32_t)instruction;
  for (uint64_t above = stack_pointer; count < TRACE_STACK && is_frame(thread, frame, above);) {
    const uint64_t caller = ((const uint64_t *)frame)[1];
    if (!is_code(caller)) return;
    rt->stack[count++] = (uint32_t)caller - 1; /* of the call, not after it */
    above = frame + 16;
    frame = *(const uint64_t *)frame;
  }
}
