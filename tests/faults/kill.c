/* SPDX-License-Identifier: MIT
 *
 * Linked into a runtime for tests, whose calls of trace_record and trace_record_access from other files go here (ld
 * --wrap). All processes of an exploration count their events in the file HEDDLE_EVENTS; the one that comes to event
 * number `kill_at`, from 1, kills itself in front of it.
 */
#include "runtime.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>

struct event *__real_trace_record(uint8_t kind, uint64_t object, uint32_t size, site_id site);
struct event *__real_trace_record_access(uint8_t kind, uint64_t object, uint32_t size, site_id site);

/* The file's contents: shared, so that they are not put back after a run. */
static struct events { uint64_t kill_at, count; } * events;

__attribute__((constructor)) static void read_environment(void) {
  const char *path = getenv("HEDDLE_EVENTS");
  if (!path) return;
  const long file = system_call(SYS_open, path, O_RDWR);
  events = (struct events *)system_call(SYS_mmap, 0, sizeof *events, 3 /* read, write */, 1 /* shared */, file, 0);
  system_call(SYS_close, file);
}

static void count_event(void) {
  if (events && ++events->count == events->kill_at) system_call(SYS_kill, system_call(SYS_getpid, 0), SIGKILL);
}

struct event *__wrap_trace_record(uint8_t kind, uint64_t object, uint32_t size, site_id site) {
  count_event();
  return __real_trace_record(kind, object, size, site);
}

struct event *__wrap_trace_record_access(uint8_t kind, uint64_t object, uint32_t size, site_id site) {
  count_event();
  return __real_trace_record_access(kind, object, size, site);
}
