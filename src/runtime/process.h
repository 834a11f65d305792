/* SPDX-License-Identifier: MIT
 *
 * What a run must start afresh, and do at the end of a thread and of the process: heap, keys, attributes, observations.
 */
#ifndef HEDDLE_RUNTIME_PROCESS_H
#define HEDDLE_RUNTIME_PROCESS_H

#include "runtime.h"

uint32_t heap_list_blocks(struct block *blocks, uint32_t room);
void keys_run_destructors(struct thread *thread);
void keys_begin_thread(struct thread *thread);
void keys_begin_run(void);
void attributes_initialise(void); /* once */
void attributes_begin_thread(struct thread *thread);
void observations_publish(void);
/* Main has returned to this frame: exit handlers, then the end of the process. */
_Noreturn void process_main_returned(int status, const char *frame);
static inline bool process_exit_fails(int status) {
  return (status & 0xff) && !(rt->channel->options & RUN_ANY_EXIT_STATUS);
}

#endif
