/* SPDX-License-Identifier: MIT
 *
 * Cancellation of threads (model_cancel.c).
 */
#ifndef HEDDLE_RUNTIME_CANCEL_H
#define HEDDLE_RUNTIME_CANCEL_H

#include "runtime.h"

void cancel_begin_thread(struct thread *thread);
/* It was cancelled, and would end at a cancellation point. */
static inline bool cancel_is_due(const struct thread *thread) {
  return thread->cancel_requested && !thread->cancel_disabled && !thread->ending;
}

#endif
