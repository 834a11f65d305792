// Signals to other threads and from timers are refused, each with a warning and an error; masks are kept per thread.
// expect: exit=0 runs=1 verdict=clean warning~pthread_kill warning~sigwait warning~alarm warning~setitimer
// warning~atfork
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#define FAILS(call) (errno = 0, (call) == -1 && errno == ENOSYS)

static int handled;
static pthread_t main_thread;

static void handler(int number) {
  handled = number;
}

static void *body(void *unused) {
  sigset_t set, pending;
  assert(pthread_kill(main_thread, 0) == 0);
  assert(pthread_kill(main_thread, SIGUSR1) == ENOSYS);
  assert(pthread_kill(main_thread, 1000) == EINVAL);
  assert(pthread_kill(pthread_self(), SIGUSR1) == 0 && handled == SIGUSR1);
  sigemptyset(&set);
  sigaddset(&set, SIGUSR2);
  assert(pthread_sigmask(77, &set, NULL) == EINVAL);
  assert(sigprocmask(77, &set, NULL) == -1 && errno == EINVAL);
  assert(pthread_sigmask(SIG_BLOCK, &set, NULL) == 0);
  raise(SIGUSR2);
  assert(handled == SIGUSR1 && sigpending(&pending) == 0 && sigismember(&pending, SIGUSR2));
  assert(sigprocmask(SIG_UNBLOCK, &set, &pending) == 0 && handled == SIGUSR2 && sigismember(&pending, SIGUSR2));

  int number = 0;
  siginfo_t information;
  const struct timespec time = {0, 0};
  sigprocmask(SIG_BLOCK, &set, NULL);
  assert(sigwait(&set, &number) == ENOSYS);
  assert(FAILS(sigwaitinfo(&set, &information)) && FAILS(sigtimedwait(&set, &information, &time)));
  raise(SIGUSR2);
  assert(sigwait(&set, &number) == 0 && number == SIGUSR2);
  raise(SIGUSR2);
  assert(sigwaitinfo(&set, &information) == SIGUSR2 && information.si_signo == SIGUSR2);
  raise(SIGUSR2);
  assert(sigtimedwait(&set, &information, &time) == SIGUSR2);
  return NULL;
}

int main(void) {
  pthread_t thread;
  sigset_t all, old;
  main_thread = pthread_self();
  signal(SIGUSR1, handler);
  signal(SIGUSR2, handler);
  sigfillset(&all);
  assert(pthread_sigmask(SIG_SETMASK, NULL, &old) == 0 && !sigismember(&old, SIGUSR1));
  pthread_create(&thread, NULL, body, NULL);
  pthread_join(thread, NULL);
  assert(pthread_kill(thread, 0) == ESRCH);
  assert(pthread_sigmask(SIG_SETMASK, &all, &old) == 0 && !sigismember(&old, SIGUSR2));
  const struct itimerval interval = {{1, 0}, {1, 0}};
  timer_t timer;
  assert(alarm(1) == 0 && alarm(0) == 0 && FAILS(setitimer(ITIMER_VIRTUAL, &interval, NULL)));
  assert(FAILS(timer_create(CLOCK_REALTIME, NULL, &timer)) && FAILS(pause()) && FAILS(sigsuspend(&all)));
  assert(pthread_atfork(NULL, NULL, NULL) == 0);
}
