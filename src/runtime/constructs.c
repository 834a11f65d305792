/* SPDX-License-Identifier: MIT
 *
 * What the constructs of include/heddle.h have in common (constructs.h): how they look in the program's memory, and
 * what a run starts with.
 */
#include "constructs.h"
#include "ends.h"
#include "executor.h"
#include "include/heddle.h"

#include <sys/mman.h>

void constructs_initialise(void) {
  const long at = system_call(SYS_mmap, the_messages, sizeof *the_messages, PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED | MAP_NORESERVE, -1, 0);
  if (at < 0) executor_die("cannot map the runtime's memory");
}

void constructs_begin_run(void) {
  if (!the_messages->n_used) return;
  the_messages->first = the_messages->last = the_messages->free = the_messages->n_used = 0;
}

static void read_port(const heddle_port *memory, struct object *port) {
  port->needed = memory->heddle_capacity;
  switch (memory->heddle_kind) {
  case HEDDLE_KIND_BOUNDED_PORT: port->type = PORT_BOUNDED; break;
  case HEDDLE_KIND_SYNCHRONOUS_PORT: port->type = PORT_SYNCHRONOUS; break;
  default: port->type = PORT_ASYNCHRONOUS;
  }
}

static void read_semaphore(const heddle_semaphore *memory, struct object *semaphore) {
  semaphore->type = memory->heddle_kind == HEDDLE_KIND_BINARY_SEMAPHORE;
  semaphore->count = semaphore->needed = (uint32_t)memory->heddle_value;
}

void construct_read(const void *memory, struct object *object) {
  switch (object->class) {
  case PORT_OBJECT: read_port(memory, object); break;
  case COUNTER_OBJECT: read_semaphore(memory, object); break;
  case MONITOR_OBJECT: object->type = *(const unsigned *)memory == HEDDLE_KIND_MONITOR_SU; break;
  default: break;
  }
}

bool construct_is_initialised(const void *memory, enum object_class class) {
  switch (class) {
  case PORT_OBJECT:
  case COUNTER_OBJECT:
  case MONITOR_OBJECT:
  case MONITOR_CONDITION_OBJECT: break;
  default: return true;
  }
  switch (*(const unsigned *)memory) {
  case HEDDLE_KIND_PORT:
  case HEDDLE_KIND_BOUNDED_PORT:
  case HEDDLE_KIND_SYNCHRONOUS_PORT: return class == PORT_OBJECT;
  case HEDDLE_KIND_SEMAPHORE:
  case HEDDLE_KIND_BINARY_SEMAPHORE: return class == COUNTER_OBJECT;
  case HEDDLE_KIND_MONITOR_SC:
  case HEDDLE_KIND_MONITOR_SU: return class == MONITOR_OBJECT;
  case HEDDLE_KIND_CONDITION: return class == MONITOR_CONDITION_OBJECT;
  default: return false;
  }
}

bool construct_is_waited_for(const struct thread *thread) {
  const struct object *object = thread->operation.object;
  switch (thread->operation.kind) {
  case EVENT_SEMAPHORE_WAIT:
  case EVENT_BINARY_P: return object->count == 0;
  case EVENT_BINARY_V: return object->count > 0;
  case EVENT_PORT_RECEIVE:
  case EVENT_PORT_SEND_BOUNDED: return !port_can_move(thread);
  default: return false;
  }
}

void construct_misuse(const struct object *object, site_id site, const char *what) {
  finish_run_with_message(OUTCOME_LOCK_MISUSE, site, object->address, what);
}
