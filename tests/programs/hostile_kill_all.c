// kill(-1) and killpg reach nobody but the program itself.
// expect: exit=1 bug=crash line=BUG message~signal
#include <signal.h>
#include <unistd.h>

int main(void) {
  signal(SIGTERM, SIG_IGN);
  kill(-1, SIGTERM);
  kill(-getpgrp(), SIGTERM);
  killpg(getpgrp(), SIGKILL); // BUG
}
