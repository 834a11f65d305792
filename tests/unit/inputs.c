/* SPDX-License-Identifier: MIT
 *
 * src/report: inputs as C, JSON, test cases of Test-Comp and of KLEE, and back from each of these files; bad files are
 * refused, whatever stands in them.
 */
#include "unit.h"

#include "base/files.h"
#include "base/json_read.h"
#include "base/random.h"
#include "base/sha256.h"
#include "report/given.h"
#include "report/inputs.h"
#include "report/ktest.h"
#include "report/numbers.h"
#include "report/testcase.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* --- a run with inputs of every kind --- */

static const struct {
  enum input_type type;
  uint8_t width;
  uint16_t thread;
  uint32_t index, count;
  const char *name;
} asked[] = {
    {INPUT_INT, 32, 0, 0, 1, "x"},      {INPUT_BYTES, 8, 0, 1, 4, "key"},   {INPUT_ULONG, 64, 1, 0, 1, "x"},
    {INPUT_BOOL, 1, 0, 5, 1, "flag"},   {INPUT_CHAR, 8, 1, 1, 1, "c"},      {INPUT_INT128, 128, 0, 6, 1, "wide"},
    {INPUT_DOUBLE, 64, 0, 7, 1, "d"},   {INPUT_FLOAT, 32, 0, 8, 1, "f"},    {INPUT_SHORT, 16, 0, 9, 2, "pair"},
    {INPUT_POINTER, 64, 0, 11, 1, "p"}, {INPUT_UINT, 32, 1, 2, 1, "q<\">"}, {INPUT_SIZE, 64, 0, 12, 1, "n"},
};
enum { ASKED = sizeof asked / sizeof *asked };

static const struct input_value had[] = {
    {0, 0, 0, {0xfffffffd, 0}},
    {1, 0, 0, {'a', 0}},
    {3, 0, 0, {'1', 0}},
    {4, 0, 0, {0xff, 0}},
    {5, 0, 0, {1, 0}},
    {6, 0, 0, {0, 1ull << 63}},
    {7, 0, 0, {0x3fe0000000000000, 0}},
    {8, 0, 0, {0x7f800000, 0}},
    {10, 0, 0, {0x8000, 0}},
    {11, 0, 0, {0x1000, 0}},
    {0, 1, 0, {UINT64_MAX, 0}},
    {1, 1, 0, {'z', 0}},
    {2, 1, 0, {7, 0}},
};
enum { HAD = sizeof had / sizeof *had };

static struct trace *make_run(struct trace_view *view) {
  struct text names = {0};
  struct input_record records[ASKED];
  for (size_t i = 0; i < ASKED; i++) {
    records[i] = (struct input_record){.index = asked[i].index,
                                       .count = asked[i].count,
                                       .thread = asked[i].thread,
                                       .type = asked[i].type,
                                       .width = asked[i].width,
                                       .name_offset = (uint32_t)names.length,
                                       .name_bytes = (uint32_t)strlen(asked[i].name)};
    text_append(&names, asked[i].name);
  }
  const uint64_t size = round_up_8(sizeof(struct trace) + sizeof records + sizeof had + names.length);
  struct trace *record = memory_allocate(size);
  record->size_bytes = (uint32_t)size;
  record->outcome = OUTCOME_FINISHED;
  record->n_threads = 2;
  record->n_inputs = ASKED;
  record->n_input_values = HAD;
  record->names_bytes = (uint32_t)names.length;
  char *at = (char *)(record + 1);
  memcpy(at, records, sizeof records);
  memcpy(at + sizeof records, had, sizeof had);
  memcpy(at + sizeof records + sizeof had, names.string, names.length);
  text_free(&names);
  assert_true(trace_open(view, record, size));
  return record;
}

static struct knowledge *make_knowledge(void) {
  struct knowledge *knowledge = memory_allocate(sizeof *knowledge);
  atomic_store(&knowledge->n_threads, 2);
  knowledge->threads[0] = (struct thread_name){NO_THREAD, 0};
  knowledge->threads[1] = (struct thread_name){0, 0};
  return knowledge;
}

/* --- words --- */

static void inputs_are_declared_as_in_c(void **state) {
  static const char *const wanted[ASKED] = {
      "int x = -3",
      "unsigned char key[4] = \"a\\0001\\xff\"",
      "unsigned long x = 18446744073709551615 (t1)",
      "_Bool flag = 1",
      "char c = 'z' (t1)",
      "__int128 wide = -170141183460469231731687303715884105728",
      "double d = 0.5",
      "float f = 0x7f800000",
      "short pair[2] = {0, -32768}",
      "void *p = 0x1000",
      "unsigned q<\"> = 7 (t1)",
      "size_t n = 0",
  };
  struct trace_view view;
  struct trace *record = make_run(&view);
  struct knowledge *knowledge = make_knowledge();
  const struct scene scene = {NULL, knowledge, &view};
  for (size_t i = 0; i < ASKED; i++) {
    struct text text = {0};
    input_append_declaration(&text, &scene, &view.inputs[i], 64);
    assert_string_equal(text_string(&text), wanted[i]);
    text_free(&text);
  }
  struct text text = {0};
  input_append_declaration(&text, &scene, &view.inputs[1], 1);
  assert_string_equal(text_string(&text), "unsigned char key[4] = \"a\"...");
  text_free(&text);
  free(knowledge);
  free(record);
}

static void a_string_means_its_bytes_in_c(void **state) {
  struct text text = {0};
  input_append_c_string(&text, "a\"\\\n\0b\0\0019\x7f", 10);
  assert_string_equal(text_string(&text), "\"a\\\"\\\\\\n\\0b\\0\\0019\\x7f\"");
  text_free(&text);
}

static void json_has_values_and_bytes(void **state) {
  struct trace_view view;
  struct trace *record = make_run(&view);
  struct knowledge *knowledge = make_knowledge();
  struct text json = {0};
  inputs_append_json(&json, knowledge, &view);
  static const char *const wanted[] = {
      "[{\"name\": \"x\", \"thread\": \"main\", \"type\": \"int\", \"value\": -3}, ",
      "\"value\": \"a\\u00001\\ufffd\", \"bytes\": \"610031ff\"}",
      "\"thread\": \"t1\", \"type\": \"unsigned long\", \"value\": 18446744073709551615}",
      "\"value\": [0, -32768]}",
      "\"type\": \"float\", \"value\": \"0x7f800000\"}",
  };
  for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) assert_non_null(strstr(text_string(&json), wanted[i]));
  text_free(&json);
  free(knowledge);
  free(record);
}

/* --- files and back --- */

static const char *const path = "unit-inputs-file";

static bool read_file(struct given_inputs *given, const void *bytes, size_t count, struct error *error) {
  assert_true(files_write(path, bytes, count, NULL));
  const bool good = given_read(given, path, error);
  unlink(path);
  return good;
}

static void expect_same_values(const struct text *file) {
  struct trace_view view;
  struct trace *record = make_run(&view);
  struct knowledge *knowledge = make_knowledge();
  struct given_inputs given;
  struct assignment assignment = {0};
  struct error error = {0};
  assert_true(read_file(&given, file->string, file->length, &error));
  assert_true(given_assign(&given, knowledge, &view, &assignment, &error));
  assert_int_equal(assignment.unused, 0);
  assert_int_equal(assignment.missing, 0);
  assert_int_equal(assignment.values.count, HAD);
  assert_memory_equal(assignment.values.items, had, sizeof had);
  vector_free(&assignment.values);
  given_free(&given);
  free(knowledge);
  free(record);
}

enum format { JSON, TESTCASE, KTEST, FORMATS };

static void append_file(struct text *file, enum format format) {
  static const char *const arguments[] = {"program", "-v", NULL};
  struct trace_view view;
  struct trace *record = make_run(&view);
  struct knowledge *knowledge = make_knowledge();
  switch (format) {
  case JSON: inputs_append_file(file, knowledge, &view); break;
  case TESTCASE: testcase_append(file, &view); break;
  case KTEST: ktest_append(file, arguments, &view); break;
  case FORMATS: break;
  }
  free(knowledge);
  free(record);
}

static void every_format_is_read_back(void **state) {
  for (enum format format = 0; format < FORMATS; format++) {
    struct text file = {0};
    append_file(&file, format);
    expect_same_values(&file);
    text_free(&file);
  }
}

/* A file that was cut off is refused, one with other bytes in it is refused or gives other values: nothing worse. */
static void damaged_files_do_no_harm(void **state) {
  for (enum format format = 0; format < FORMATS; format++) {
    struct text file = {0};
    append_file(&file, format);
    struct given_inputs given;
    struct error error;
    for (size_t length = 0; length + 1 < file.length; length++)
      assert_false(read_file(&given, text_string(&file), length, &error));
    struct trace_view view;
    struct trace *record = make_run(&view);
    struct knowledge *knowledge = make_knowledge();
    uint64_t random = format + 1;
    for (int i = 0; i < 3000; i++) {
      struct assignment assignment = {0};
      const size_t at = random_next(&random) % file.length;
      const char before = file.string[at];
      file.string[at] = (char)random_next(&random);
      if (read_file(&given, file.string, file.length, &error)) {
        given_assign(&given, knowledge, &view, &assignment, &error);
        given_free(&given);
      }
      vector_free(&assignment.values);
      file.string[at] = before;
    }
    free(knowledge);
    free(record);
    text_free(&file);
  }
}

static void ktest_goes_by_name(void **state) {
  static const char file[] = "KTEST\0\0\0\3\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\3"
                             "\0\0\0\15model_version\0\0\0\4\1\0\0\0"
                             "\0\0\0\4flag\0\0\0\1\1"
                             "\0\0\0\1x\0\0\0\4\5\0\0\0";
  struct trace_view view;
  struct trace *record = make_run(&view);
  struct knowledge *knowledge = make_knowledge();
  struct given_inputs given;
  struct assignment assignment = {0};
  struct error error = {0};
  assert_true(read_file(&given, file, sizeof file - 1, &error));
  assert_true(given_assign(&given, knowledge, &view, &assignment, &error));
  assert_int_equal(assignment.values.items[0].value[0], 5); /* x comes first */
  assert_int_equal(assignment.values.items[0].index, 0);
  assert_int_equal(assignment.missing, ASKED - 2);
  vector_free(&assignment.values);
  given_free(&given);
  free(knowledge);
  free(record);
}

static void what_is_no_value_is_refused(void **state) {
  static const char file[] =
      "<?xml version='1.0'?><testcase><!-- one --><input variable='x'> three </input></testcase>";
  struct trace_view view;
  struct trace *record = make_run(&view);
  struct knowledge *knowledge = make_knowledge();
  struct given_inputs given;
  struct assignment assignment = {0};
  struct error error = {0};
  assert_true(read_file(&given, file, sizeof file - 1, &error));
  assert_false(given_assign(&given, knowledge, &view, &assignment, &error));
  assert_string_equal(error.message, "unit-inputs-file: 'three' is not a value of int x");
  given_free(&given);
  vector_free(&assignment.values);
  free(knowledge);
  free(record);
}

/* --- numbers --- */

static void numbers_are_read_as_written(void **state) {
  static const struct {
    const char *text;
    enum input_type type;
    uint8_t width;
    bool good;
    uint64_t value;
  } rows[] = {
      {"-1", INPUT_INT, 32, true, 0xffffffff},
      {"0x1F", INPUT_INT, 32, true, 31},
      {"42ul", INPUT_ULONG, 64, true, 42},
      {"-2147483648", INPUT_INT, 32, true, 0x80000000},
      {"-2147483649", INPUT_INT, 32, false, 0},
      {"4294967295", INPUT_INT, 32, true, 0xffffffff},
      {"4294967296", INPUT_INT, 32, false, 0},
      {"'a'", INPUT_CHAR, 8, true, 'a'},
      {"true", INPUT_BOOL, 1, true, 1},
      {"2", INPUT_BOOL, 1, false, 0},
      {"", INPUT_INT, 32, false, 0},
      {"1.5", INPUT_INT, 32, false, 0},
      {"1.5", INPUT_FLOAT, 32, true, 0x3fc00000},
      {"1.5f", INPUT_FLOAT, 32, true, 0x3fc00000},
      {"-0.0", INPUT_DOUBLE, 64, true, 1ull << 63},
      {"0x7f800000", INPUT_FLOAT, 32, true, 0x7f800000},
      {"x", INPUT_DOUBLE, 64, false, 0},
      {"99999999999999999999999999999999999999999", INPUT_ULONG, 64, false, 0},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    const struct input_record record = {.type = rows[i].type, .width = rows[i].width, .count = 1};
    wide_value value = 0;
    assert_int_equal(number_parse(rows[i].text, &record, &value), rows[i].good);
    if (rows[i].good) assert_int_equal((uint64_t)value, rows[i].value);
  }
}

static void json_is_read_piece_by_piece(void **state) {
  static const char text[] = " {\"a\": [1, -2.5e3, {}], \"\\u00e4\\ud83d\\ude00\\n\": \"\\\"\", \"b\": {\"c\": null}} ";
  struct json_reader json = json_read(text, sizeof text - 1);
  struct text word = {0};
  assert_true(json_enter(&json, '{'));
  assert_true(json_next_member(&json, &word));
  assert_string_equal(text_string(&word), "a");
  assert_true(json_enter(&json, '['));
  assert_true(json_next_item(&json));
  assert_true(json_read_number(&json, &word));
  assert_true(json_next_item(&json));
  assert_true(json_read_number(&json, &word));
  assert_string_equal(text_string(&word), "-2.5e3");
  assert_true(json_next_item(&json));
  json_skip(&json);
  assert_false(json_next_item(&json));
  assert_true(json_next_member(&json, &word));
  assert_string_equal(text_string(&word), "\xc3\xa4\xf0\x9f\x98\x80\n");
  json_skip(&json);
  assert_true(json_next_member(&json, &word));
  json_skip(&json);
  assert_false(json_next_member(&json, &word));
  assert_true(json_ended_well(&json));
  text_free(&word);
}

static void bad_json_fails(void **state) {
  static const char *const bad[] = {"",      "{",         "[1,]",  "[1 2]",       "{\"a\" 1}", "{a: 1}",
                                    "\"\\x", "\"\\ud83d", "[tru]", "{\"a\": 1,}", "[1] x",     "\"\n\""};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    struct json_reader json = json_read(bad[i], strlen(bad[i]));
    json_skip(&json);
    assert_false(json_ended_well(&json));
  }
  struct text deep = {0};
  for (int i = 0; i < 100000; i++) text_append(&deep, "[");
  struct json_reader json = json_read(deep.string, deep.length);
  json_skip(&json);
  assert_false(json_ended_well(&json));
  text_free(&deep);
}

/* Also where a block just does not suffice for what is put behind. */
static void sha256_is_the_standard_one(void **state) {
  static char bytes[200];
  static const struct {
    size_t count;
    const char *digest;
  } rows[] = {
      {0, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
      {55, "9f4390f8d30c2dd92ec9f095b65e2b9ae9b0a925a5258e241c9f1e910f734318"},
      {56, "b35439a4ac6f0948b6d6f9e3c6af0f5f590ce20f1bde7090ef7970686ec6738a"},
      {64, "ffe054fe7ae0cb6dc65c3af9b61d5209f439851db43d0ba5997337df154668eb"},
      {119, "31eba51c313a5c08226adf18d4a359cfdfd8d2e816b13f4af952f7ea6584dcfb"},
  };
  char hex[SHA256_HEX_BYTES];
  memset(bytes, 'a', sizeof bytes);
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    sha256_hex(hex, bytes, rows[i].count);
    assert_string_equal(hex, rows[i].digest);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(inputs_are_declared_as_in_c), cmocka_unit_test(a_string_means_its_bytes_in_c),
      cmocka_unit_test(json_has_values_and_bytes),   cmocka_unit_test(every_format_is_read_back),
      cmocka_unit_test(damaged_files_do_no_harm),    cmocka_unit_test(ktest_goes_by_name),
      cmocka_unit_test(what_is_no_value_is_refused), cmocka_unit_test(numbers_are_read_as_written),
      cmocka_unit_test(json_is_read_piece_by_piece), cmocka_unit_test(bad_json_fails),
      cmocka_unit_test(sha256_is_the_standard_one),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
