// Threads that read and write a file race like those that use memory.
// heddle: --strategy optimal --keep-going
// expect: exit=0 verdict=clean complete=true runs=4 threads=3
// observe: sum=1
// observe: sum=2
#include <fcntl.h>
#include <heddle.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

static int file;

static void *add(void *unused) {
  char sum = 0;
  pread(file, &sum, 1, 0);
  sum++;
  pwrite(file, &sum, 1, 0);
  return unused;
}

int main(void) {
  char name[] = "XXXXXX", sum = 0;
  pthread_t a, b;
  file = mkstemp(name);
  pthread_create(&a, NULL, add, NULL);
  pthread_create(&b, NULL, add, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  pread(file, &sum, 1, 0);
  heddle_observe("sum", sum);
  return 0;
}
