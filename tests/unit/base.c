/* SPDX-License-Identifier: MIT
 *
 * src/base: text, vectors, files, errors, random numbers.
 */
#include "unit.h"

#include "base/error.h"
#include "base/files.h"
#include "base/memory.h"
#include "base/random.h"
#include "base/text.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void text_grows(void **state) {
  struct text text = {0};
  assert_string_equal(text_string(&text), "");
  for (int i = 0; i < 1000; i++) text_append_format(&text, "%d,", i % 10);
  assert_int_equal(text.length, 2000);
  assert_int_equal(strlen(text.string), 2000);
  text_clear(&text);
  assert_string_equal(text_string(&text), "");
  text_append_bytes(&text, "a\0b", 3);
  assert_int_equal(text.length, 3);
  text_append_bytes(&text, NULL, 0);
  assert_memory_equal(text.string, "a\0b", 4);
  text_free(&text);
  assert_null(text.string);
}

static void vector_grows(void **state) {
  VECTOR(long) vector = {0};
  for (long i = 0; i < 1000; i++) vector_push(&vector, i * i);
  assert_int_equal(vector.count, 1000);
  for (long i = 0; i < 1000; i++) assert_int_equal(vector.items[i], i * i);
  vector_free(&vector);
  assert_int_equal(vector.count, 0);
}

static void memory_is_zeroed(void **state) {
  char *memory = memory_allocate(100);
  for (int i = 0; i < 100; i++) assert_int_equal(memory[i], 0);
  free(memory);
  free(memory_allocate(0));
}

static void errors_carry_a_message(void **state) {
  struct error error;
  assert_false(error_set(&error, "no %s", "such thing"));
  assert_string_equal(error.message, "no such thing");
  assert_false(error_set(NULL, "nobody listens"));
  errno = ENOENT;
  assert_false(error_set_errno(&error, "cannot read %s", "x"));
  assert_non_null(strstr(error.message, "No such file"));
  char *longer = memory_allocate(5000);
  memset(longer, 'x', 4999);
  assert_false(error_set(&error, "%s", longer));
  assert_true(strlen(error.message) < sizeof error.message);
  free(longer);
}

static void files_are_written_and_read(void **state) {
  struct error error;
  char *place;
  assert_true(files_make_temporary_directory(&place, &error));
  char *deep = files_join(place, "a/b/c");
  assert_true(files_make_directory(deep, &error));
  assert_true(files_make_directory(deep, &error));
  char *path = files_join(deep, "file"), *copy = files_join(place, "copy");
  assert_false(files_exists(path));
  assert_true(files_write(path, "contents\0more", 13, &error));
  assert_true(files_exists(path));
  assert_true(files_copy(path, copy, &error));
  struct text contents = {0};
  assert_true(files_read(copy, &contents, &error));
  assert_int_equal(contents.length, 13);
  assert_memory_equal(contents.string, "contents\0more", 13);
  uint64_t first, second;
  assert_true(files_hash(path, &first, &error));
  assert_true(files_hash(copy, &second, &error));
  assert_true(first == second);
  assert_true(files_write(copy, "other", 5, &error));
  assert_true(files_hash(copy, &second, &error));
  assert_true(first != second);
  files_remove_tree(place);
  assert_false(files_exists(place));
  assert_false(files_read(path, &contents, &error));
  assert_false(files_copy(path, copy, &error));
  assert_false(files_write(path, "", 0, &error));
  text_free(&contents);
  free(path), free(copy), free(deep), free(place);
}

static void processes_end_with_a_status(void **state) {
  struct error error;
  int status;
  assert_true(process_run((const char *const[]){"sh", "-c", "exit 7", NULL}, &status, &error));
  assert_int_equal(status, 7);
  assert_true(process_run((const char *const[]){"sh", "-c", "kill -9 $$", NULL}, &status, &error));
  assert_int_equal(status, 128 + 9);
  assert_false(process_run((const char *const[]){"/no/such/program", NULL}, &status, &error));
}

static void random_numbers_repeat(void **state) {
  uint64_t a = 1, b = 1, c = 2;
  int equal = 0;
  for (int i = 0; i < 100; i++) {
    const uint64_t next = random_next(&a);
    assert_true(next == random_next(&b));
    equal += next == random_next(&c);
  }
  assert_int_equal(equal, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(text_grows),
      cmocka_unit_test(vector_grows),
      cmocka_unit_test(memory_is_zeroed),
      cmocka_unit_test(errors_carry_a_message),
      cmocka_unit_test(files_are_written_and_read),
      cmocka_unit_test(processes_end_with_a_status),
      cmocka_unit_test(random_numbers_repeat),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
