// A writer waits while the pipe is full; a loop of reads that never wait is a spin loop, and ends. Two writers of small
// pieces never mix their bytes.
// heddle: --strategy random --max-runs 200
// expect: exit=3 bugs=0
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>

enum { PIECE = 4096, PIECES = 10 };

static int ends[2];

static void *writer(void *letter) {
  char piece[PIECE];
  memset(piece, *(char *)letter, PIECE);
  for (int i = 0; i < PIECES; i++) assert(write(ends[1], piece, PIECE) == PIECE);
  return NULL;
}

int main(void) {
  pthread_t a, b;
  assert(pipe(ends) == 0);
  assert(fcntl(ends[0], F_SETFL, O_NONBLOCK) == 0);
  pthread_create(&a, NULL, writer, "a");
  pthread_create(&b, NULL, writer, "b");
  for (int piece = 0; piece < 2 * PIECES; piece++) {
    char bytes[PIECE];
    ssize_t count;
    while ((count = read(ends[0], bytes, PIECE)) < 0) {
    }
    assert(count == PIECE && memcmp(bytes, bytes + 1, PIECE - 1) == 0);
  }
  pthread_join(a, NULL);
  pthread_join(b, NULL);
}
