/* SPDX-License-Identifier: MIT
 *
 * The inputs that include/heddle.h offers to a program under test.
 */
#include "input_values.h"
#include "models.h"

#define INPUT_FUNCTION(NAME, function, type)                                                                           \
  OFFERED type function(const char *name);                                                                             \
  type function(const char *name) {                                                                                    \
    type result;                                                                                                       \
    uint32_t term;                                                                                                     \
    call_take_term((const void *)function, 0);                                                                         \
    const bits value = input_take(&(struct input){INPUT_##NAME, name, take_site()}, &term);                            \
    memcpy(&result, &value, sizeof result);                                                                            \
    call_return_term((const void *)function, term);                                                                    \
    return result;                                                                                                     \
  }

#define INPUT(NAME, name, type, width, is_signed) INPUT_FUNCTION(NAME, heddle_input_##name, type)
#define INPUT_BLOCK(NAME, type, width, is_signed)
#include "abi/inputs.def"
#undef INPUT

OFFERED void heddle_input_bytes(const char *name, void *memory, size_t size);
void heddle_input_bytes(const char *name, void *memory, size_t size) {
  const site_id site = take_site();
  uint32_t terms[3] = {0};
  call_take_terms((const void *)heddle_input_bytes, terms, 3);
  decide_pin(terms[1], PIN_MODEL, site);
  decide_pin(terms[2], PIN_SIZE, site);
  input_fill(&(struct input){INPUT_BYTES, name, site}, memory, size);
}

OFFERED long long heddle_input_range(const char *name, long long low, long long high);
long long heddle_input_range(const char *name, long long low, long long high) {
  uint32_t terms[3] = {0}, term;
  call_take_terms((const void *)heddle_input_range, terms, 3);
  const struct input_range range = {low, high, terms[1], terms[2]};
  const bits value = input_take_between(&(struct input){INPUT_LONGLONG, name, take_site()}, range, &term);
  call_return_term((const void *)heddle_input_range, term);
  return (long long)value;
}

OFFERED void heddle_assume(int condition);
void heddle_assume(int condition) {
  const uint32_t term = call_take_term((const void *)heddle_assume, 0);
  input_assume(condition, term, take_site());
}
