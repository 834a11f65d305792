/* SPDX-License-Identifier: MIT
 *
 * Linked into a heddle for tests, whose calls of the ring from other files go here (ld --wrap): a byte of the memory
 * that it shares with the program is changed once. HEDDLE_CHANGE_CHANNEL is a number from which follows when, where and
 * how:
 *
 *     a plan            on its way into the ring
 *     a trace           in the ring, before it is read
 *     the header        settings, positions of the rings, what the process says it does
 *     the knowledge     the entries in use, and the counts
 *
 * Each exploration has two executors when it repeats a failing run; both count as one here.
 */
#include "base/random.h"
#include "explore/executor/knowledge.h"
#include "explore/executor/ring.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#define MOST_RECORDS 60 /* short explorations have about as many */

bool __real_ring_write(struct ring_end *end, const void *record, uint32_t size_bytes);
enum ring_answer __real_ring_peek(struct ring_end *end, const void **record, uint32_t *size_bytes);

enum target { TARGET_NONE, TARGET_PLAN, TARGET_TRACE, TARGET_HEADER, TARGET_KNOWLEDGE, TARGETS };

static struct {
  enum target target;
  uint64_t record; /* at which plan or trace, from 0 */
  uint64_t place;
  unsigned char bits;
} fault;

__attribute__((constructor)) static void read_environment(void) {
  const char *number = getenv("HEDDLE_CHANGE_CHANNEL");
  if (!number) return;
  uint64_t state = strtoul(number, NULL, 10);
  fault.target = (enum target)(TARGET_PLAN + random_next(&state) % (TARGETS - 1));
  fault.record = random_next(&state) % (random_next(&state) % 2 ? MOST_RECORDS : MOST_RECORDS / 3);
  fault.place = random_next(&state);
  /* One bit, or several. */
  fault.bits = random_next(&state) % 2 ? (unsigned char)(1u << random_next(&state) % 8)
                                       : (unsigned char)(1 + random_next(&state) % 255);
}

static void change(void *bytes, uint64_t count) {
  if (count > 0) ((unsigned char *)bytes)[fault.place % count] ^= fault.bits;
  fault.target = TARGET_NONE;
}

bool __wrap_ring_write(struct ring_end *end, const void *record, uint32_t size_bytes) {
  static uint64_t count;
  if (fault.target != TARGET_PLAN || count != fault.record) {
    const bool is_written = __real_ring_write(end, record, size_bytes);
    count += is_written;
    return is_written;
  }
  char *changed = malloc(size_bytes);
  memcpy(changed, record, size_bytes);
  change(changed, size_bytes);
  const bool is_written = __real_ring_write(end, changed, size_bytes);
  free(changed);
  return is_written;
}

/* The parts of what the process knows that are in use, as if they lay one after the other. */
static void change_knowledge(struct process_knowledge *process) {
  struct knowledge *knowledge = &process->known;
  struct observations *observed = &process->untold.observations;
  const struct part {
    void *bytes;
    uint64_t count;
  } parts[] = {
      {knowledge, offsetof(struct knowledge, threads)},
      {knowledge->threads, knowledge_threads(knowledge) * sizeof *knowledge->threads},
      {knowledge->shared, knowledge_shared(knowledge) * sizeof *knowledge->shared},
      {knowledge->cuts, knowledge_shared(knowledge)},
      {&process->untold, offsetof(struct untold, changed)},
      {knowledge->warnings, knowledge_warnings(knowledge) * sizeof *knowledge->warnings},
      {knowledge->touches, knowledge_touches(knowledge) * sizeof *knowledge->touches},
      {knowledge->births, knowledge_births(knowledge) * sizeof *knowledge->births},
      {observed, offsetof(struct observations, observed) + observed->n_observed % 2 * sizeof *observed->observed},
  };
  const struct part *part = &parts[fault.place % (sizeof parts / sizeof *parts)];
  fault.place /= sizeof parts / sizeof *parts;
  change(part->bytes, part->count);
}

static void change_around(struct channel *channel) {
  if (fault.target == TARGET_HEADER)
    change(channel, sizeof *channel);
  else
    change_knowledge(channel_at(channel, channel->knowledge_offset));
}

enum ring_answer __wrap_ring_peek(struct ring_end *end, const void **record, uint32_t *size_bytes) {
  static uint64_t count;
  const enum ring_answer answer = __real_ring_peek(end, record, size_bytes);
  if (answer != RING_READY || fault.target == TARGET_NONE || fault.target == TARGET_PLAN) return answer;
  if (count++ != fault.record) return answer;
  if (fault.target == TARGET_TRACE)
    change((void *)*record, *size_bytes);
  else
    change_around((struct channel *)((char *)end->ring - offsetof(struct channel, traces)));
  /* What it would have found now. */
  return __real_ring_peek(end, record, size_bytes);
}
