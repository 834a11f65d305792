/* SPDX-License-Identifier: MIT */
#include "explore/executor/ring.h"

#include <linux/futex.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define SPINS 4000
#define DOZE_NANOSECONDS 50000

/* The futex word of a position is its low half; x86-64 and every other machine we support stores it first. */
_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "a position's low half comes first");

static void wake(_Atomic uint64_t *position, _Atomic uint32_t *waits) {
  /* The position was stored before, both sequentially consistent: either we see the flag, or the waiter the position.
   */
  if (atomic_load(waits) == 0) return;
  atomic_store(waits, 0);
  syscall(SYS_futex, position, FUTEX_WAKE, 1, NULL, NULL, 0);
}

static bool has_room(const struct ring_end *end, uint64_t wanted_bytes) {
  /* Acquire: the reader is done with the bytes before its position. */
  const uint64_t used = end->position - atomic_load_explicit(&end->ring->read, memory_order_acquire);
  return used <= end->size_bytes && end->size_bytes - used >= wanted_bytes;
}

bool ring_write(struct ring_end *end, const void *record, uint32_t size_bytes) {
  const uint64_t offset = end->position % end->size_bytes, rest = end->size_bytes - offset;
  const uint64_t skipped = rest < size_bytes ? rest : 0;
  if (!has_room(end, skipped + size_bytes)) return false;
  if (skipped > 0) {
    const uint32_t skip = (uint32_t)skipped | RING_SKIP;
    memcpy(end->bytes + offset, &skip, sizeof skip);
    end->position += skipped;
  }
  memcpy(end->bytes + end->position % end->size_bytes, record, size_bytes);
  end->position += size_bytes;
  atomic_store(&end->ring->written, end->position);
  wake(&end->ring->written, &end->ring->reader_waits);
  return true;
}

void ring_wake_reader(struct ring_end *end) {
  wake(&end->ring->written, &end->ring->reader_waits);
}

static bool size_is_sound(uint64_t size_bytes, uint64_t available, uint64_t rest) {
  return size_bytes >= 8 && size_bytes % 8 == 0 && size_bytes <= available && size_bytes <= rest;
}

enum ring_answer ring_peek(struct ring_end *end, const void **record, uint32_t *size_bytes) {
  for (;;) {
    /* Acquire: what the writer wrote before it published the position. */
    const uint64_t available = atomic_load_explicit(&end->ring->written, memory_order_acquire) - end->position;
    if (available == 0) return RING_EMPTY;
    const uint64_t offset = end->position % end->size_bytes, rest = end->size_bytes - offset;
    if (available > end->size_bytes || available % 8 != 0) return RING_DAMAGED;
    uint32_t size;
    memcpy(&size, end->bytes + offset, sizeof size);
    if (!size_is_sound(size & ~RING_SKIP, available, rest)) return RING_DAMAGED;
    if (size & RING_SKIP) {
      ring_take(end, size & ~RING_SKIP);
      continue;
    }
    *record = end->bytes + offset;
    *size_bytes = size;
    return RING_READY;
  }
}

void ring_take(struct ring_end *end, uint32_t size_bytes) {
  end->position += size_bytes;
  atomic_store(&end->ring->read, end->position);
  wake(&end->ring->read, &end->ring->writer_waits);
}

static bool is_empty(const struct ring_end *end) {
  return atomic_load(&end->ring->written) == end->position;
}

void ring_doze(struct ring_end *end) {
  const struct timespec time = {0, DOZE_NANOSECONDS};
  if (is_empty(end)) nanosleep(&time, NULL);
}

void ring_wait(struct ring_end *end, long milliseconds) {
  for (int i = 0; i < SPINS; i++)
    if (!is_empty(end)) return;
  atomic_store(&end->ring->reader_waits, 1);
  if (is_empty(end)) {
    const struct timespec time = {milliseconds / 1000, milliseconds % 1000 * 1000000};
    syscall(SYS_futex, &end->ring->written, FUTEX_WAIT, (uint32_t)end->position, &time, NULL, 0);
  }
  atomic_store(&end->ring->reader_waits, 0);
}
