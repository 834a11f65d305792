// Constructors belong to the run: by priority, then in the order of the program, with main's arguments; what they lock,
// allocate and register is there in main; destructors come after exit handlers.
// args: one two
// expect: exit=0 verdict=clean complete=true runs=1 threads=1
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static int order;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_key_t key;
static int *counter;

__attribute__((constructor)) static void fourth(void) {
  assert(order == 3);
  order = 4;
  assert(pthread_mutex_lock(&mutex) == 0);
}

__attribute__((constructor(101))) static void first(int argc, char **argv, char **environment) {
  assert(order == 0 && argc == 3 && strcmp(argv[2], "two") == 0 && environment);
  order = 1;
}

__attribute__((constructor(102))) static void second(void) {
  assert(order == 1);
  order = 2;
  counter = malloc(sizeof *counter);
  *counter = 7;
  assert(pthread_key_create(&key, NULL) == 0 && pthread_setspecific(key, counter) == 0);
}

static void late(void) {
  assert(order == 4);
  order = 5;
}

static void third(void) {
  assert(order == 2);
  order = 3;
  atexit(late);
}
__attribute__((section(".init_array"), used)) static void (*const listed)(void) = third;

__attribute__((destructor(101))) static void last(void) {
  assert(order == 6 && pthread_getspecific(key) == counter);
  free(counter);
}

__attribute__((destructor)) static void last_but_one(void) {
  assert(order == 5);
  order = 6;
}

int main(void) {
  assert(order == 4);
  assert(pthread_mutex_trylock(&mutex) != 0 && pthread_mutex_unlock(&mutex) == 0);
  return *(int *)pthread_getspecific(key) - 7;
}
