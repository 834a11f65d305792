// Kills its whole process group, past every handler, in some runs: reported, and heddle lives.
// heddle: --keep-going
// expect: exit=1 runs=6 bug=crash
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

int x;

static void *worker(void *unused) {
  x++;
  return NULL;
}

int main(void) {
  pthread_t s, t;
  pthread_create(&s, NULL, worker, NULL);
  pthread_create(&t, NULL, worker, NULL);
  pthread_join(s, NULL);
  pthread_join(t, NULL);
  if (x == 1) syscall(SYS_kill, 0, SIGKILL);
}
