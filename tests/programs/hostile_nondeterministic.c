// Depends on something heddle does not control: numbers from the kernel, read past its models. It is said, and no
// finding that does not repeat is reported.
// heddle: --strategy exhaustive --max-runs 2000 --max-time 20
// expect: exit=3 verdict=incomplete bugs=0 warning~"behaves differently when repeated"
#define _GNU_SOURCE
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

static int x, y;

static void *worker(void *unused) {
  unsigned char byte = 0;
  syscall(SYS_getrandom, &byte, 1, 0);
  for (int i = 0; i < byte % 4; i++) x++;
  y++;
  return NULL;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, worker, NULL);
  pthread_create(&b, NULL, worker, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
}
