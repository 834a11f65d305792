# SPDX-License-Identifier: MIT
# shellcheck shell=bash source=/dev/null
# A program built by heddle cc behaves outside heddle like a normal build: output, status, threads, time.
. "$ROOT/tests/helpers.bash"
cat >normal.c <<'C'
#include "heddle.h"
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static sem_t ready;
static __thread int local = 5;
static int sum, turn;

static void *worker(void *argument) {
  sem_wait(&ready);
  local += (int)(long)argument;
  pthread_mutex_lock(&mutex);
  while (turn != (int)(long)argument) pthread_cond_wait(&changed, &mutex);
  sum += local;
  turn++;
  pthread_cond_broadcast(&changed);
  pthread_mutex_unlock(&mutex);
  char *text = malloc(20);
  snprintf(text, 20, "%d", local);
  free(text);
  heddle_observe("local", local);
  return NULL;
}

int main(int argc, char **argv) {
  char line[100];
  while (fgets(line, sizeof line, stdin)) printf("line: %s", line);
  sem_init(&ready, 0, 0);
  pthread_t t[8];
  for (long i = 0; i < 8; i++) pthread_create(&t[i], NULL, worker, (void *)i);
  for (int i = 0; i < 8; i++) sem_post(&ready);
  for (int i = 0; i < 8; i++) pthread_join(t[i], NULL);
  printf("%s %d\n", argv[1], sum);
  exit(7);
}
C
"$HEDDLE" cc -g -O2 -o normal normal.c
status=0
printf 'one\ntwo\n' | ./normal word >stdout 2>stderr || status=$?
expect_equal status $status 7
expect_equal output "$(cat stdout)" "$(printf 'line: one\nline: two\nword 68')"
expect_equal errors "$(cat stderr)" ""
"$HEDDLE" cc -g -o failing "$(program assertion_sequential)"
status=0
./failing 2>stderr >stdout || status=$?
expect_equal "status of abort" $status 134
expect_text stderr "Assertion"
printf '#include <stdio.h>\n#include <time.h>\n#include <unistd.h>\nint main(void) { time_t a = time(NULL); sleep(1); return time(NULL) > a ? 0 : 1; }\n' >sleeper.c
"$HEDDLE" cc -o sleeper sleeper.c
expect_status 0 ./sleeper
"$HEDDLE" cc -g -o constructors "$(program constructors)"
expect_status 0 ./constructors one two
