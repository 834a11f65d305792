// Jumps inside a thread, over frames and out of a loop of visible operations; each thread has its own buffer.
// expect: exit=0 verdict=clean
// observe: rounds=6
#include <assert.h>
#include <heddle.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int rounds;

static int sum(int count, ...) {
  va_list numbers;
  int total = 0;
  va_start(numbers, count);
  while (count--) total += va_arg(numbers, int);
  va_end(numbers);
  return total;
}

static void deeper(jmp_buf buffer, int depth, int value) {
  char frame[100];
  frame[depth] = (char)depth;
  if (depth == 0) longjmp(buffer, value);
  deeper(buffer, depth - 1, value);
  assert(frame[depth] == depth);
}

static void *body(void *unused) {
  jmp_buf buffer;
  volatile int mine = 0;
  const int value = setjmp(buffer);
  assert(value == mine);
  if (value == 3) return NULL;
  mine++;
  pthread_mutex_lock(&mutex);
  rounds = sum(3, rounds, 0, 1);
  pthread_mutex_unlock(&mutex);
  deeper(buffer, 50, mine);
  return NULL;
}

int main(void) {
  pthread_t a, b;
  sigjmp_buf buffer;
  if (sigsetjmp(buffer, 1) == 0) siglongjmp(buffer, 5);
  pthread_create(&a, NULL, body, NULL);
  pthread_create(&b, NULL, body, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  heddle_observe("rounds", rounds);
}
