/* SPDX-License-Identifier: MIT
 *
 * longjmp: functions are left without return. Their local variables are dead, and what guards.c knows of their stacks
 * is no longer true.
 */
#include "frames.h"
#include "models.h"

#include <setjmp.h>

#define STACK_POINTER_WORD 6 /* glibc's JB_RSP */
#define MANGLE_BITS 17

/* glibc keeps it rotated, and mixed with a secret of the thread descriptor. */
uint64_t jump_stack_pointer(const struct __jmp_buf_tag *buffer) {
  const uint64_t mangled = (uint64_t)buffer->__jmpbuf[STACK_POINTER_WORD];
  uint64_t secret;
  __asm__("mov %%fs:0x30, %0" : "=r"(secret));
  return (mangled >> MANGLE_BITS | mangled << (64 - MANGLE_BITS)) ^ secret;
}

static void leave_functions(const struct __jmp_buf_tag *buffer) {
  guards_forget(self());
  frames_leave(jump_stack_pointer(buffer), (site_id)(uint64_t)__heddle_site);
}

#define JUMP(name, buffer_type)                                                                                        \
  EXPORTED _Noreturn void __heddle_call_##name(buffer_type buffer, int value);                                         \
  _Noreturn void __heddle_call_##name(buffer_type buffer, int value) {                                                 \
    if (controlled) leave_functions(buffer);                                                                           \
    name(buffer, value);                                                                                               \
  }

JUMP(longjmp, jmp_buf)
JUMP(_longjmp, jmp_buf)
JUMP(siglongjmp, sigjmp_buf)
