// Thread-local variables of every kind: with and without initialisers, arrays, aligned beyond a cache line, inside
// functions, large; every thread has its own, as at the start.
// expect: exit=0 verdict=clean
#include <assert.h>
#include <pthread.h>
#include <stdalign.h>
#include <stdint.h>
#include <string.h>

struct pair {
  int a, b;
};

static __thread int initialised = 42;
static __thread struct pair pair = {1, 2};
static _Thread_local int array[100] = {[7] = 7};
static _Thread_local alignas(64) char line[64];
static _Thread_local alignas(4096) char page[4096] = "page";
static __thread const char *pointer = "text";
static __thread char large[3 << 20];

static int count_calls(void) {
  static __thread int calls = 100;
  return ++calls;
}

static void check_and_change(int number) {
  assert(initialised == 42 && pair.a == 1 && pair.b == 2 && array[7] == 7 && array[8] == 0);
  assert((uintptr_t)line % 64 == 0 && (uintptr_t)page % 4096 == 0);
  assert(line[0] == 0 && strcmp(page, "page") == 0 && strcmp(pointer, "text") == 0);
  assert(large[0] == 0 && large[sizeof large - 1] == 0);
  assert(count_calls() == 101 && count_calls() == 102);
  initialised = pair.a = pair.b = array[7] = array[8] = number;
  memset(line, number, sizeof line);
  memset(page, number, sizeof page);
  memset(large, number, sizeof large);
  pointer = NULL;
}

static void *body(void *argument) {
  const int number = (int)(intptr_t)argument;
  check_and_change(number);
  assert(initialised == number && large[1 << 20] == number && page[4095] == number);
  return NULL;
}

int main(void) {
  pthread_t threads[3];
  check_and_change(9);
  for (intptr_t i = 0; i < 3; i++) pthread_create(&threads[i], NULL, body, (void *)i);
  for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
  assert(initialised == 9 && large[5] == 9);
}
