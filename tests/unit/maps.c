/* SPDX-License-Identifier: MIT
 *
 * src/base: number_set.h, number_map.h, id_index.h, compared with arrays.
 */
#include "unit.h"

#include "base/id_index.h"
#include "base/number_map.h"
#include "base/number_set.h"
#include "base/random.h"

#include <string.h>

#define NUMBERS 512 /* keys of the tests are below: most are met several times */
#define ROUNDS 2000

static void a_set_has_what_was_added(void **state) {
  struct number_set set = {0};
  bool expected[NUMBERS] = {0};
  uint64_t random = 1;
  assert_false(number_set_has(&set, 0));
  assert_false(number_set_has(&set, 7));
  for (int i = 0; i < ROUNDS; i++) {
    const uint64_t number = random_next(&random) % NUMBERS;
    assert_int_equal(number_set_has(&set, number), expected[number]);
    assert_int_equal(number_set_add(&set, number), !expected[number]);
    expected[number] = true;
  }
  for (uint64_t i = 0; i < NUMBERS; i++) assert_int_equal(number_set_has(&set, i), expected[i]);
  number_set_free(&set);
  assert_false(number_set_has(&set, 7));
}

struct value {
  char text[3]; /* an odd size: slots must keep their keys apart */
};

static struct value value_of(uint64_t number) {
  return (struct value){{(char)number, (char)(number >> 8), 'x'}};
}

static void a_map_has_what_was_put_in(void **state) {
  NUMBER_MAP(struct value) map = {0};
  bool expected[NUMBERS] = {0};
  uint64_t random = 2, count = 0;
  assert_null(number_map_find(&map, 7));
  for (int i = 0; i < ROUNDS; i++) {
    const uint64_t number = random_next(&random) % NUMBERS, key = 1 + (number << 40);
    struct value *value = number_map_add(&map, key);
    const struct value none = {0}, wanted = value_of(number);
    assert_memory_equal(value, expected[number] ? &wanted : &none, sizeof none);
    *value = wanted;
    count += !expected[number];
    expected[number] = true;
    assert_int_equal(map.count, count);
  }
  for (uint64_t i = 0; i < NUMBERS; i++) {
    const struct value *value = number_map_find(&map, 1 + (i << 40)), wanted = value_of(i);
    assert_int_equal(value != NULL, expected[i]);
    if (value) assert_memory_equal(value, &wanted, sizeof wanted);
  }
  number_map_free(&map);
  assert_null(number_map_find(&map, 1));
}

static void a_map_keeps_wide_values(void **state) {
  NUMBER_MAP(unsigned __int128) map = {0};
  for (uint64_t key = 1; key <= 100; key++) *number_map_add(&map, key) = (unsigned __int128)key << 100 | key;
  for (uint64_t key = 1; key <= 100; key++) {
    const unsigned __int128 value = *number_map_find(&map, key);
    assert_true(value == ((unsigned __int128)key << 100 | key));
  }
  number_map_free(&map);
}

/* How often the index gives the id for the hash. */
static unsigned times_found(const struct id_index *index, uint32_t id, uint64_t hash) {
  struct id_search search = id_index_search(index, hash);
  unsigned times = 0;
  for (uint32_t found; (found = id_search_next(&search));) times += found == id;
  return times;
}

/* With few different hashes, all of which belong at the end of the slots. */
static uint64_t hash_of(uint32_t id) {
  return UINT32_MAX - id % 8;
}

static void an_index_gives_every_id_with_the_hash_once(void **state) {
  struct id_index index = {0};
  assert_int_equal(times_found(&index, 1, hash_of(1)), 0);
  for (int round = 0; round < 2; round++) {
    for (uint32_t id = 1; id <= 200; id++) id_index_add(&index, id, hash_of(id));
    assert_int_equal(index.count, 200);
    for (uint32_t id = 1; id <= 200; id++) {
      assert_int_equal(times_found(&index, id, hash_of(id)), 1);
      assert_int_equal(times_found(&index, id, hash_of(id + 1)), 0);
    }
    id_index_clear(&index);
    for (uint32_t id = 1; id <= 200; id++) assert_int_equal(times_found(&index, id, hash_of(id)), 0);
  }
  id_index_free(&index);
  assert_int_equal(times_found(&index, 1, hash_of(1)), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_set_has_what_was_added),
      cmocka_unit_test(a_map_has_what_was_put_in),
      cmocka_unit_test(a_map_keeps_wide_values),
      cmocka_unit_test(an_index_gives_every_id_with_the_hash_once),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
