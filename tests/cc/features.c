/* SPDX-License-Identifier: MIT
 *
 * A tour of C that instrumentation must not change: its output is compared with that of a plain build.
 */
#include <complex.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static _Thread_local int per_thread = 5;
static volatile int watched = 1;

static void thread_locals_and_volatiles(void) {
  per_thread += 3;
  int *address = &per_thread;
  *address *= 2;
  watched++;
  for (volatile int i = 0; i < 3; i++) watched += i;
  printf("tls %d volatile %d\n", per_thread, watched);
}

static _Atomic uint8_t a1;
static _Atomic uint16_t a2;
static _Atomic uint32_t a4;
static _Atomic uint64_t a8;
static _Atomic unsigned __int128 a16;
static void *_Atomic pointer;
static _Atomic double real;
static _Bool flag;

static void atomics(void) {
  a1 += 200;
  a1 += 100;
  atomic_fetch_xor(&a2, 0xffff);
  a4 = 7;
  uint32_t expected4 = 7;
  printf("cas4 %d %u\n", atomic_compare_exchange_strong(&a4, &expected4, 9), expected4);
  printf("cas4 %d %u\n", atomic_compare_exchange_strong(&a4, &expected4, 9), expected4);
  atomic_store_explicit(&a8, 1ull << 40, memory_order_release);
  a16 = ((unsigned __int128)1 << 100) + 3;
  unsigned __int128 expected16 = 0;
  printf("cas16 %d\n", atomic_compare_exchange_strong(&a16, &expected16, 1));
  printf("cas16 %d\n", atomic_compare_exchange_strong(&a16, &expected16, expected16 + 1));
  const unsigned __int128 sixteen = atomic_load(&a16);
  void *null = NULL;
  printf("casp %d\n", atomic_compare_exchange_strong(&pointer, &null, (void *)&a16));
  real += 1.5;
  printf("%u %u %u %llu %llx %llx %g %d %d\n", a1, a2, a4, (unsigned long long)a8, (unsigned long long)(sixteen >> 64),
         (unsigned long long)sixteen, real, __atomic_test_and_set(&flag, __ATOMIC_SEQ_CST),
         __sync_fetch_and_add((int *)&watched, 4));
  atomic_thread_fence(memory_order_seq_cst);
}

struct __attribute__((packed)) packed {
  char c;
  int i;
  double d;
  uint16_t s;
};

struct bits {
  unsigned a : 3, b : 11;
  int c : 20;
  unsigned long d : 40;
};

struct large {
  int numbers[20];
};

static struct packed packed_global[3];
static struct bits bits_global;

static struct large twice(struct large large) {
  for (int i = 0; i < 20; i++) large.numbers[i] *= 2;
  return large;
}

static struct large large_global;

static void structures(void) {
  packed_global[1] = (struct packed){'x', 77, 2.5, 9};
  packed_global[2] = packed_global[1];
  packed_global[2].i++;
  packed_global[2].s *= 3;
  bits_global.a = 9;
  bits_global.b = 2000;
  bits_global.c = -5;
  bits_global.d = 1ul << 35 | 1;
  for (int i = 0; i < 20; i++) large_global.numbers[i] = i;
  large_global = twice(large_global);
  large_global = twice(large_global);
  printf("%c %d %g %d | %u %u %d %lu | %d\n", packed_global[2].c, packed_global[2].i, packed_global[2].d,
         packed_global[2].s, bits_global.a, bits_global.b, bits_global.c, (unsigned long)bits_global.d,
         large_global.numbers[19]);
}

static double sum(int count, ...) {
  va_list list, copy;
  va_start(list, count);
  va_copy(copy, list);
  double total = 0;
  for (int i = 0; i < count; i++) total += i % 2 ? va_arg(list, double) : va_arg(list, int);
  total += va_arg(copy, int);
  va_end(copy);
  va_end(list);
  return total;
}

static int interpret(const char *program) {
  static const void *const targets[] = {&&add, &&twice, &&stop};
  int value = 1;
next:
  goto *targets[*program++ - '0'];
add:
  value++;
  goto next;
twice:
  value *= 2;
  goto next;
stop:
  return value;
}

static int classify(int n) {
  switch (n) {
  case 0: return 10;
  case 1:
  case 2: return 20;
  case 3 ... 9: return 30;
  case -1: n = 5; /* fall through */
  default: return n;
  }
}

static int assembly(int a, int b) {
  int result;
  __asm__ volatile("leal (%1,%2), %0" : "=r"(result) : "r"(a), "r"(b) : "memory");
  __asm__ volatile("" ::: "memory");
  __asm__ volatile("pause");
  __asm__ goto("testl %0, %0\n\tjz %l[zero]" : : "r"(a) : "cc" : zero);
  return result;
zero:
  return -1;
}

static int variable_length(int n) {
  int array[n], total = 0;
  for (int i = 0; i < n; i++) array[i] = i * i;
  for (int i = 0; i < n; i++) total += array[i];
  return total + (int)sizeof array;
}

static jmp_buf back;

static void jump(int n) {
  if (n == 0) longjmp(back, 42);
  jump(n - 1);
}

static int with_setjmp(void) {
  volatile int calls = 0;
  const int result = setjmp(back);
  calls++;
  if (result == 0) jump(3);
  return result + calls;
}

static long double long_global = 1.25L;
static double _Complex complex_global = 1.0 + 2.0 * I;

typedef int vector4 __attribute__((vector_size(16)));
static vector4 vector_global = {1, 2, 3, 4};

static void numbers(void) {
  long_global *= 3;
  complex_global *= complex_global;
  vector_global += vector_global;
  printf("%Lg %g%+gi %d\n", long_global, creal(complex_global), cimag(complex_global), vector_global[3]);
}

static void strings(void) {
  char *copy = strdup("weave"), buffer[32];
  strcpy(buffer, copy);
  strcat(buffer, "-");
  strncat(buffer, "heddle", 3);
  memmove(buffer + 1, buffer, 4);
  printf("%s %zu %d %s %ld\n", buffer, strlen(buffer), strcmp(copy, "weave"), strchr(copy, 'a'),
         strtol("12x", NULL, 10));
  free(copy);
}

static int compare(const void *a, const void *b) {
  return *(const int *)a - *(const int *)b;
}

static int (*const operations[])(int) = {classify, variable_length};

__attribute__((constructor)) static void before_main(void) {
  watched = 11;
}

int main(int argc, char **argv) {
  (void)argv;
  thread_locals_and_volatiles();
  atomics();
  structures();
  printf("%g %d\n", sum(4, 1, 2.5, 3, 4.25), interpret("0110012"));
  for (int i = -2; i < 12; i++) printf("%d ", classify(i));
  printf("\n%d %d %d %d\n", assembly(4, 5), assembly(argc - 1, 5), variable_length(argc + 6), with_setjmp());
  numbers();
  strings();
  int array[] = {5, 3, 9, 1};
  qsort(array, 4, sizeof *array, compare);
  printf("%d %d %d\n", array[0], array[3], operations[argc](argc + 3));
  return 7;
}
