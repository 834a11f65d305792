// SPDX-License-Identifier: MIT
// The functions of KLEE's klee.h.
// expect: exit=0 verdict=clean
#include <assert.h>
#include <stddef.h>
#include <stdint.h>

void klee_make_symbolic(void *memory, size_t size, const char *name);
int klee_int(const char *name);
int klee_range(int begin, int end, const char *name);
void klee_assume(uintptr_t condition);
_Noreturn void klee_silent_exit(int status);
_Noreturn void klee_abort(void);
_Noreturn void klee_report_error(const char *file, int line, const char *message, const char *suffix);
unsigned klee_is_symbolic(uintptr_t value);
int32_t klee_get_value_i32(int32_t value);
int64_t klee_get_value_i64(int64_t value);
long klee_get_valuel(long value);
long long klee_get_valuell(long long value);
void klee_prefer_cex(void *object, uintptr_t condition);
void klee_open_merge(void);
void klee_close_merge(void);

int main(void) {
  int x, limit = klee_int("limit");
  klee_make_symbolic(&x, sizeof x, "x");
  klee_prefer_cex(&x, x == 0);
  klee_open_merge();
  const int y = klee_range(-3, 3, "y");
  klee_close_merge();
  assert(y >= -3 && y < 3);
  klee_assume(x == limit);
  assert(!klee_is_symbolic(17));
  assert(klee_get_value_i32(5) == 5 && klee_get_value_i64(-6) == -6);
  assert(klee_get_valuel(7) == 7 && klee_get_valuell(-8) == -8);
  if (y >= 3) klee_report_error(__FILE__, __LINE__, "out of range", "range");
  if (y < -3) klee_abort();
  if (y == 2) klee_silent_exit(1);
  return 0;
}
