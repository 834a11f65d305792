/* SPDX-License-Identifier: MIT
 *
 * Questions about unfoldings, without runs: expressions mean what they mean in C, terms survive SMT-LIB, structures
 * survive JSON, damaged files are refused, and configurations of a contextual net have no cycles.
 */
#include "unit.h"

#include "base/random.h"
#include "expr/smtlib.h"
#include "query/configuration.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* --- expressions --- */

static struct terms *constants;

static term_id constant_variable(void *self, uint64_t variable) {
  static const int64_t values[] = {7, -3, INT64_MIN};
  return term_constant(constants, EXPRESSION_BITS, (bits)(__int128)values[variable]);
}

static term_id only_main_at_12(void *self, uint64_t thread, const char *file, uint32_t line) {
  return term_constant(constants, 1, thread == 0 && line == 12 && (!file || strcmp(file, "a-b.c") == 0));
}

static term_id only_t1(void *self, uint64_t thread) {
  return term_constant(constants, 1, thread == 1);
}

static bool parse(struct expression *expression, const char *text) {
  static const char *variables[] = {"x", "table[2].y", "node->next #4"}, *threads[] = {"main", "t1", "t1.1"};
  const struct expression_names names = {{variables, 3, 3}, {threads, 3, 3}};
  struct error error;
  return expression_parse(expression, text, &names, &error);
}

static int value_of(const char *text) {
  const struct expression_meaning meaning = {NULL, constant_variable, only_main_at_12, only_t1};
  struct expression expression;
  bits value = 0;
  if (!parse(&expression, text)) return -1;
  constants = terms_create();
  assert_true(term_is_constant(constants, expression_to_term(&expression, constants, &meaning), &value));
  terms_destroy(constants);
  expression_free(&expression);
  return (int)value;
}

static void expressions_are_c(void **state) {
  static const struct {
    const char *text;
    int value;
  } rows[] = {{"x", 1},
              {"x == 7 && table[2].y == -3", 1},
              {"1 + 2 * 3 == 7", 1},
              {"(1 + 2) * 3 == 9", 1},
              {"10 - 3 - 2 == 5", 1},
              {"-7 / 2 == -3 && -7 % 2 == -1", 1},
              {"1 << 2 + 1 == 8", 1},
              {"1 | 2 ^ 3 & 1", 1},
              {"(6 & 3) == 2", 1},
              {"6 & 3 == 2", 0},
              {"!x == 0", 1},
              {"~0 == -1", 1},
              {"-8 >> 1 == -4", 1},
              {"0 || 0", 0},
              {"1 || 0 && 0", 1},
              {"x > 5 ? x < 5 ? 0 : 2 : 0", 1},
              {"0 ? 1 : 0 ? 1 : 0", 0},
              {"0xff == 255 && 'a' == 97", 1},
              {"18446744073709551615 > 0", 1},
              {"\"node->next #4\" < -9223372036854775807", 1},
              {"main@12", 1},
              {"main@a-b.c:12", 1},
              {"main@c.c:12", 0},
              {"t1@12", 0},
              {"t1.ended && !t1.1.ended", 1},
              {"main@12+main@12==2", 1}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (value_of(rows[i].text) != rows[i].value) fail_msg("%s", rows[i].text);
}

static void other_texts_are_refused(void **state) {
  static const char *const texts[] = {"",        " ",     "x x", "x +",  "(x",        "x)",           "y",       "main",
                                      "t2@12",   "main@", "1a",  "'ab'", "\"x",       "x ? 1",        "x ? : 1", "== 1",
                                      "x.ended", "@12",   "x@3", "1 1",  "main@a.c:", "main@12.ended"};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
    if (value_of(texts[i]) != -1) fail_msg("%s", texts[i]);
}

static void files_match_from_behind(void **state) {
  assert_true(expression_file_matches("b.c", "a/b.c"));
  assert_true(expression_file_matches("a/b.c", "a/b.c"));
  assert_false(expression_file_matches("b.c", "ab.c"));
  assert_false(expression_file_matches("x/a/b.c", "a/b.c"));
}

/* --- SMT-LIB --- */

static term_id random_term(struct terms *terms, const term_id *inputs, uint64_t *seed, unsigned depth) {
  const uint64_t drawn = random_next(seed);
  if (depth == 0 || drawn % 5 == 0) return drawn % 3 ? inputs[drawn / 3 % 2] : term_constant(terms, 32, drawn >> 8);
  const term_id a = random_term(terms, inputs, seed, depth - 1), b = random_term(terms, inputs, seed, depth - 1);
  static const enum term_operator operators[] = {
      TERM_ADD,  TERM_SUBTRACT,         TERM_MULTIPLY, TERM_DIVIDE,     TERM_DIVIDE_SIGNED, TERM_REMAINDER,
      TERM_AND,  TERM_REMAINDER_SIGNED, TERM_OR,       TERM_SHIFT_LEFT, TERM_SHIFT_RIGHT,   TERM_SHIFT_RIGHT_SIGNED,
      TERM_LESS, TERM_LESS_SIGNED,      TERM_EQUAL,    TERM_XOR};
  const enum term_operator operator= operators[drawn / 7 % 16];
  if (drawn / 1000 % 4 == 0) return term_extract(terms, 8, 32, term_make(terms, TERM_CONCATENATE, a, b, 0));
  const term_id made = term_make(terms, operator, a, b, 0);
  if (term_at(terms, made)->width == 32) return made;
  if (drawn / 5000 % 2) return term_make(terms, TERM_IF, made, a, b);
  return term_extend(terms, drawn / 9000 % 2 ? TERM_SIGN_EXTEND : TERM_ZERO_EXTEND, 32, made);
}

/* All terms up to `last`, one after the other, into other terms. */
static term_id through_smtlib(struct terms *from, term_id last, struct terms *to, const term_id *inputs) {
  uint32_t *names = calloc(last + 1, sizeof *names);
  term_id *made = calloc(last + 1, sizeof *made);
  for (term_id id = 1; id <= last; id++) {
    struct text text = {0};
    const struct smtlib_names known = {inputs, made, 2, id};
    names[id] = id;
    term_append_smtlib(from, id, names, &text);
    made[id] = term_parse_smtlib(to, text_string(&text), &known);
    if (!made[id]) fail_msg("%s", text_string(&text));
    text_free(&text);
  }
  const term_id result = made[last];
  free(names);
  free(made);
  return result;
}

static void terms_survive_smtlib(void **state) {
  uint64_t seed = 1;
  for (int i = 0; i < 200; i++) {
    struct terms *terms[2] = {terms_create(), terms_create()};
    term_id inputs[2][2];
    for (int k = 0; k < 4; k++) inputs[k / 2][k % 2] = term_input(terms[k / 2], terms_new_input(terms[k / 2], "x", 32));
    const term_id before = random_term(terms[0], inputs[0], &seed, 5);
    const term_id after = through_smtlib(terms[0], before, terms[1], inputs[1]);
    struct model model = {0};
    for (int k = 0; k < 20; k++) {
      model_set(&model, 0, (uint32_t)random_next(&seed) >> random_next(&seed) % 32);
      model_set(&model, 1, (uint32_t)random_next(&seed) >> random_next(&seed) % 32);
      assert_true(term_evaluate(terms[0], before, &model) == term_evaluate(terms[1], after, &model));
    }
    model_free(&model);
    terms_destroy(terms[0]);
    terms_destroy(terms[1]);
  }
}

static void other_terms_are_refused(void **state) {
  static const char *const texts[] = {"",
                                      "x",
                                      "t9",
                                      "i5",
                                      "(bvadd i0)",
                                      "(bvadd i0 i1",
                                      "(bvadd i0 #b1)",
                                      "(_ bv1 0)",
                                      "(_ bv1 999)",
                                      "((_ extract 40 0) i0)",
                                      "((_ zero_extend 120) i0)",
                                      "(= i0 i1)",
                                      "(ite i0 i1 i1)",
                                      "(ite (= i0 i1) i0 #b1)",
                                      "i0 i1",
                                      "((((((((((((((((((((("};
  struct terms *terms = terms_create();
  const term_id inputs[] = {term_input(terms, terms_new_input(terms, "a", 32)),
                            term_input(terms, terms_new_input(terms, "b", 32))};
  const struct smtlib_names names = {inputs, NULL, 2, 0};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
    if (term_parse_smtlib(terms, texts[i], &names)) fail_msg("%s", texts[i]);
  terms_destroy(terms);
}

/* --- structures --- */

static struct structure_slice slice(struct structure *structure, uint32_t id) {
  const struct structure_slice made = {(uint32_t)structure->ids.count, id ? 1 : 0};
  if (id) vector_push(&structure->ids, id);
  return made;
}

static void add_event(struct structure *structure, thread_id thread, uint32_t previous, uint32_t reads,
                      uint32_t consumes, uint32_t produces) {
  struct structure_event event = {.thread = thread,
                                  .previous = previous,
                                  .is_step = true,
                                  .kind = "read",
                                  .words = "read \"x\"",
                                  .place = {"a.c", "f", "", 3},
                                  .next = {"", {"", "", "", 0}, NO_THREAD}};
  event.reads = slice(structure, reads);
  event.consumes = slice(structure, consumes);
  event.produces = slice(structure, produces);
  vector_push(&structure->events, event);
}

/* Two threads: the first reads x = 0 and then writes y, the second reads y = 0 and then writes x. */
static void make_crossing(struct structure *structure, bool is_contextual) {
  *structure = (struct structure){.strategy = "contextual", .is_contextual = is_contextual, .is_complete = true};
  structure->terms = terms_create();
  structure->owns_terms = true;
  structure->program.executable = "a.program";
  structure->program.settings = (struct executor_settings){.max_events = 100, .hang_seconds = 1, .max_terms = 5};
  vector_push(&structure->program.arguments, "a");
  vector_push(&structure->program.arguments, NULL);
  vector_push(&structure->threads, ((struct structure_thread){"main", {NO_THREAD, 0}}));
  vector_push(&structure->threads, ((struct structure_thread){"t1", {0, 0}}));
  const char *names[] = {"x", "y"};
  for (uint32_t i = 0; i < 2; i++) {
    vector_push(&structure->objects, ((struct structure_object){names[i], "variable", 8 * i, 4, true}));
    vector_push(&structure->conditions, ((struct structure_condition){.object = i + 1, .is_known = true}));
  }
  vector_push(&structure->conditions,
              ((struct structure_condition){.object = 2, .event = 3, .is_known = true, .value = 1}));
  vector_push(&structure->conditions,
              ((struct structure_condition){.object = 1, .event = 4, .is_known = true, .value = 1}));
  add_event(structure, 0, 0, 1, 0, 0); /* 1: main reads x = 0 */
  add_event(structure, 1, 0, 2, 0, 0); /* 2: t1 reads y = 0 */
  add_event(structure, 0, 1, 0, 2, 3); /* 3: main writes y */
  add_event(structure, 1, 2, 0, 1, 4); /* 4: t1 writes x */
}

static enum answer ask(struct structure *structure, const char *text, size_t *count) {
  struct configurations *configurations = configurations_create(structure, 10000);
  const struct expression_meaning meaning = configurations_meaning(configurations);
  static const char *variables[] = {"x", "y"}, *threads[] = {"main", "t1"};
  const struct expression_names names = {{variables, 2, 2}, {threads, 2, 2}};
  struct configuration configuration = {0};
  struct expression expression;
  assert_true(expression_parse(&expression, text, &names, NULL));
  const term_id wanted = expression_to_term(&expression, structure->terms, &meaning);
  const enum answer answer = configurations_find(configurations, wanted, &configuration);
  *count = configuration.events.count;
  expression_free(&expression);
  configuration_free(&configuration);
  configurations_destroy(configurations);
  return answer;
}

static void configurations_have_an_order(void **state) {
  struct structure structure;
  size_t count;
  make_crossing(&structure, true);
  assert_int_equal(ask(&structure, "x == 1 && y == 1", &count), ANSWER_SATISFIABLE);
  assert_int_equal(count, 4);
  structure_free(&structure);
  make_crossing(&structure, false);
  /* In an ordinary net a write that does not come after a read excludes it. */
  assert_int_equal(ask(&structure, "x == 1 && y == 1", &count), ANSWER_UNSATISFIABLE);
  assert_int_equal(ask(&structure, "x == 1 || y == 1", &count), ANSWER_SATISFIABLE);
  assert_int_equal(count, 2);
  structure_free(&structure);
}

/* Two readers that each come before what the other's cause writes: a cycle, which only the order shows. */
static void cycles_are_found(void **state) {
  struct structure structure;
  size_t count;
  make_crossing(&structure, true);
  structure.events.count = 0;
  structure.conditions.items[2].event = 1;
  structure.conditions.items[3].event = 2;
  add_event(&structure, 0, 0, 0, 2, 3); /* 1: main writes y */
  add_event(&structure, 1, 0, 0, 1, 4); /* 2: t1 writes x */
  add_event(&structure, 0, 1, 1, 0, 0); /* 3: main reads x = 0 */
  add_event(&structure, 1, 2, 2, 0, 0); /* 4: t1 reads y = 0 */
  structure.events.items[2].kind = structure.events.items[3].kind = "thread ends";
  assert_int_equal(ask(&structure, "main.ended", &count), ANSWER_SATISFIABLE);
  assert_int_equal(ask(&structure, "t1.ended", &count), ANSWER_SATISFIABLE);
  assert_int_equal(ask(&structure, "x == 1 && y == 1 && main.ended", &count), ANSWER_SATISFIABLE);
  assert_int_equal(ask(&structure, "main.ended && t1.ended", &count), ANSWER_UNSATISFIABLE);
  structure_free(&structure);
}

/* --- files --- */

static bool read_text(struct structure *structure, const char *bytes, size_t count) {
  char path[] = "/tmp/heddle-unit-XXXXXX";
  const int file = mkstemp(path);
  assert_true(file >= 0 && write(file, bytes, count) == (ssize_t)count);
  close(file);
  const bool good = structure_read(structure, path, NULL);
  unlink(path);
  return good;
}

static void structures_survive_json(void **state) {
  struct structure structure, again;
  struct text json = {0}, other = {0};
  make_crossing(&structure, true);
  const input_id input = terms_new_input(structure.terms, "n", 32);
  vector_push(&structure.inputs, ((struct structure_input){"n", 1, 4}));
  const term_id term = term_input(structure.terms, input), five = term_constant(structure.terms, 32, 5);
  structure.conditions.items[2].term = term_make(structure.terms, TERM_ADD, term, five, 0);
  structure.events.items[1].constraint = term_make(structure.terms, TERM_LESS_SIGNED, term, five, 0);
  structure_append_json(&structure, &json);
  assert_true(read_text(&again, text_string(&json), json.length));
  structure_append_json(&again, &other);
  assert_string_equal(text_string(&json), text_string(&other));
  structure_free(&structure);
  structure_free(&again);
  text_free(&json);
  text_free(&other);
}

/* Whatever becomes of it, it is read or refused. */
static void damage_is_survived(void **state) {
  struct structure structure;
  struct text json = {0};
  uint64_t seed = 1;
  make_crossing(&structure, true);
  structure_append_json(&structure, &json);
  structure_free(&structure);
  for (int i = 0; i < 1500; i++) {
    char *copy = memory_copy_string(text_string(&json));
    size_t count = json.length;
    for (uint64_t k = random_next(&seed) % 3; k < 3; k++)
      copy[random_next(&seed) % count] = "0123456789{}[]\",:tn-"[random_next(&seed) % 20];
    if (random_next(&seed) % 4 == 0) count = random_next(&seed) % count;
    if (read_text(&structure, copy, count)) structure_free(&structure);
    free(copy);
  }
  text_free(&json);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(expressions_are_c),       cmocka_unit_test(other_texts_are_refused),
      cmocka_unit_test(files_match_from_behind), cmocka_unit_test(terms_survive_smtlib),
      cmocka_unit_test(other_terms_are_refused), cmocka_unit_test(configurations_have_an_order),
      cmocka_unit_test(cycles_are_found),        cmocka_unit_test(structures_survive_json),
      cmocka_unit_test(damage_is_survived),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
