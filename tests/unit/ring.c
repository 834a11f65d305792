/* SPDX-License-Identifier: MIT
 *
 * src/explore/executor/ring.c: records come out as they went in, across the wrap; senseless positions are reported.
 */
#include "unit.h"

#include "base/random.h"
#include "explore/executor/ring.h"

#include <string.h>

#define RING_BYTES 256

static struct ring ring;
static _Alignas(8) char bytes[RING_BYTES];

static void set_up(struct ring_end *writer, struct ring_end *reader) {
  memset(&ring, 0, sizeof ring);
  memset(bytes, 0, sizeof bytes);
  *writer = *reader = (struct ring_end){.ring = &ring, .bytes = bytes, .size_bytes = RING_BYTES};
}

struct record {
  uint32_t size_bytes, number;
  uint64_t rest[8];
};

static void records_come_out_in_order(void **state) {
  struct ring_end writer, reader;
  set_up(&writer, &reader);
  uint64_t seed = 3;
  uint32_t written = 0, read = 0;
  const void *place;
  uint32_t size;
  while (read < 10000) {
    struct record record = {.size_bytes = 8 * (uint32_t)(1 + random_next(&seed) % 9), .number = written};
    if (random_next(&seed) % 2 && ring_write(&writer, &record, record.size_bytes)) {
      written++;
      continue;
    }
    const enum ring_answer answer = ring_peek(&reader, &place, &size);
    if (read == written) {
      assert_int_equal(answer, RING_EMPTY);
      continue;
    }
    assert_int_equal(answer, RING_READY);
    struct record seen = {0};
    memcpy(&seen, place, size);
    assert_int_equal(seen.size_bytes, size);
    assert_int_equal(seen.number, read);
    ring_take(&reader, size);
    read++;
  }
}

static void a_full_ring_refuses(void **state) {
  struct ring_end writer, reader;
  set_up(&writer, &reader);
  const struct record record = {.size_bytes = 64};
  for (int i = 0; i < RING_BYTES / 64; i++) assert_true(ring_write(&writer, &record, 64));
  assert_false(ring_write(&writer, &record, 64));
  ring_take(&reader, 64);
  assert_true(ring_write(&writer, &record, 64));
}

static void senseless_positions_are_reported(void **state) {
  static const uint64_t positions[] = {1, 4, RING_BYTES + 8, UINT64_MAX, 1ull << 40};
  const void *place;
  uint32_t size;
  for (size_t i = 0; i < sizeof positions / sizeof *positions; i++) {
    struct ring_end writer, reader;
    set_up(&writer, &reader);
    atomic_store(&ring.written, positions[i]);
    assert_int_equal(ring_peek(&reader, &place, &size), RING_DAMAGED);
  }
}

static void senseless_sizes_are_reported(void **state) {
  static const uint32_t sizes[] = {0, 4, 7, 12, 24, RING_BYTES + 8, UINT32_MAX, RING_SKIP, RING_SKIP | 64};
  const void *place;
  uint32_t size;
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    struct ring_end writer, reader;
    set_up(&writer, &reader);
    memcpy(bytes, &sizes[i], sizeof sizes[i]);
    atomic_store(&ring.written, 16);
    assert_int_equal(ring_peek(&reader, &place, &size), RING_DAMAGED);
  }
}

static void waiting_ends(void **state) {
  struct ring_end writer, reader;
  set_up(&writer, &reader);
  ring_wait(&reader, 10);
  const struct record record = {.size_bytes = 8};
  assert_true(ring_write(&writer, &record, 8));
  ring_wait(&reader, 100000);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(records_come_out_in_order),
      cmocka_unit_test(a_full_ring_refuses),
      cmocka_unit_test(senseless_positions_are_reported),
      cmocka_unit_test(senseless_sizes_are_reported),
      cmocka_unit_test(waiting_ends),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
