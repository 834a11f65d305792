// A failure that depends on the kernel's random numbers: when it does not repeat, heddle says where the runs part.
// heddle: --strategy exhaustive --max-time 20
// expect: bugs=0 warning~"repeat"
#include <assert.h>
#include <fcntl.h>
#include <unistd.h>

int main(void) {
  unsigned long long number = 0;
  const int file = open("/dev/urandom", O_RDONLY);
  read(file, &number, sizeof number);
  assert(number % 64 != 7 || number % 1000003 == 1);
}
