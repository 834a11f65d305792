// Of two threads that make a file with O_EXCL one fails; a file that is looked for and then made is a race.
// heddle: --strategy optimal
// expect: exit=1 bug=assertion line=BUG
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

static int made[2];

static void *make(void *argument) {
  int *result = argument;
  const int file = open("exclusive", O_CREAT | O_EXCL | O_WRONLY, 0600);
  *result = file >= 0;
  if (access("simple", F_OK) == 0) return NULL;
  assert(open("simple", O_CREAT | O_EXCL | O_WRONLY, 0600) >= 0); // BUG
  return NULL;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, make, &made[1]);
  make(&made[0]);
  pthread_join(thread, NULL);
  assert(made[0] + made[1] == 1);
  return 0;
}
