/* SPDX-License-Identifier: MIT
 *
 * longjmp: functions are left without return, and what guards.c knows of their stacks is no longer true.
 */
#include "models.h"

#include <setjmp.h>

#define JUMP(name, buffer_type)                                                                                        \
  EXPORTED _Noreturn void __heddle_call_##name(buffer_type buffer, int value);                                         \
  _Noreturn void __heddle_call_##name(buffer_type buffer, int value) {                                                 \
    if (controlled) guards_forget(self());                                                                             \
    name(buffer, value);                                                                                               \
  }

JUMP(longjmp, jmp_buf)
JUMP(_longjmp, jmp_buf)
JUMP(siglongjmp, sigjmp_buf)
