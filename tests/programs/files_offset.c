// Two threads that read from one description share its offset; who has opened the file again has another. Their reads
// are changes of the file, and main's is not: six orders.
// heddle: --strategy optimal
// expect: exit=0 verdict=clean complete=true runs=6 threads=3
// observe: a=2 b=1 c=1
// observe: a=1 b=2 c=1
#include <fcntl.h>
#include <heddle.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

static int file;
static char seen[2];

static void *take(void *argument) {
  read(file, argument, 1);
  return NULL;
}

int main(void) {
  char name[] = "XXXXXX", own = 0;
  pthread_t a, b;
  file = mkstemp(name);
  write(file, "\1\2", 2);
  lseek(file, 0, SEEK_SET);
  const int other = open(name, O_RDONLY);
  pthread_create(&a, NULL, take, &seen[0]);
  pthread_create(&b, NULL, take, &seen[1]);
  read(other, &own, 1);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  heddle_observe("a", seen[0]);
  heddle_observe("b", seen[1]);
  heddle_observe("c", own);
  return 0;
}
