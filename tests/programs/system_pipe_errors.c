// What pipes, event counters and pairs of sockets answer, one thread only.
// expect: exit=0 runs=1 verdict=clean
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

static char block[70000];
static int pipe_signals;

static void on_pipe_signal(int number) {
  pipe_signals++;
}

static void pipes(void) {
  int ends[2];
  char byte;
  assert(pipe2(ends, O_NONBLOCK) == 0);
  assert(fcntl(ends[0], F_GETFL) & O_NONBLOCK);
  errno = 0;
  assert(read(ends[0], &byte, 1) == -1 && errno == EAGAIN);
  assert(read(ends[1], &byte, 1) == -1 && errno == EBADF);
  assert(write(ends[0], &byte, 1) == -1 && errno == EBADF);
  assert(write(ends[1], block, sizeof block) == 65536);
  errno = 0;
  assert(write(ends[1], &byte, 1) == -1 && errno == EAGAIN);
  assert(read(ends[0], block, 100) == 100);
  assert(write(ends[1], block, 101) == -1 && errno == EAGAIN);
  assert(write(ends[1], block, 5000) == 100);
  assert(read(ends[0], block, sizeof block) == 65536);
  struct iovec pieces[2] = {{"ab", 2}, {"c", 1}};
  assert(writev(ends[1], pieces, 2) == 3);
  struct iovec targets[2] = {{block, 0}, {block, 10}};
  assert(readv(ends[0], targets, 2) == 3 && memcmp(block, "abc", 3) == 0);

  const int copy = dup(ends[1]), another = fcntl(ends[1], F_DUPFD, 10);
  assert(copy > 2 && another >= 10 && dup2(ends[1], 20) == 20 && dup3(ends[1], 21, O_CLOEXEC) == 21);
  assert(write(copy, "x", 1) == 1 && write(another, "y", 1) == 1 && write(20, "z", 1) == 1);
  assert(read(ends[0], block, 10) == 3 && memcmp(block, "xyz", 3) == 0);
  close(ends[1]), close(copy), close(another), close(20);
  errno = 0;
  assert(read(ends[0], &byte, 1) == -1 && errno == EAGAIN);
  close(21);
  assert(read(ends[0], &byte, 1) == 0);
  assert(close(ends[0]) == 0 && close(ends[0]) == -1 && errno == EBADF);

  assert(pipe(ends) == 0);
  close(ends[0]);
  errno = 0;
  assert(write(ends[1], "x", 1) == -1 && errno == EPIPE && pipe_signals == 1);
  close(ends[1]);
}

static void counters(void) {
  uint64_t value = 5;
  const int counter = eventfd(3, EFD_NONBLOCK);
  assert(write(counter, &value, sizeof value) == 8);
  assert(read(counter, &value, 4) == -1 && errno == EINVAL);
  assert(read(counter, &value, sizeof value) == 8 && value == 8);
  assert(read(counter, &value, sizeof value) == -1 && errno == EAGAIN);
  value = UINT64_MAX;
  assert(write(counter, &value, sizeof value) == -1 && errno == EINVAL);
  assert(eventfd_write(counter, UINT64_MAX - 1) == 0 && eventfd_write(counter, 1) == -1 && errno == EAGAIN);
  assert(eventfd_read(counter, &value) == 0 && value == UINT64_MAX - 1);
  close(counter);
  const int semaphore = eventfd(2, EFD_SEMAPHORE | EFD_NONBLOCK);
  assert(eventfd_read(semaphore, &value) == 0 && value == 1);
  assert(eventfd_read(semaphore, &value) == 0 && value == 1);
  assert(eventfd_read(semaphore, &value) == -1 && errno == EAGAIN);
  close(semaphore);
}

static void sockets(void) {
  int ends[2];
  assert(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
  assert(send(ends[0], "hello", 5, 0) == 5 && send(ends[1], "you", 3, 0) == 3);
  assert(recv(ends[1], block, 2, MSG_PEEK) == 2 && recv(ends[1], block, 10, 0) == 5);
  assert(memcmp(block, "hello", 5) == 0);
  assert(read(ends[0], block, 10) == 3);
  assert(recv(ends[0], block, 10, MSG_DONTWAIT) == -1 && errno == EAGAIN);
  assert(shutdown(ends[0], 77) == -1 && errno == EINVAL);
  assert(shutdown(ends[0], SHUT_WR) == 0 && recv(ends[1], block, 10, 0) == 0);
  assert(write(ends[1], "z", 1) == 1);
  close(ends[0]);
  assert(send(ends[1], "z", 1, MSG_NOSIGNAL) == -1 && errno == EPIPE && pipe_signals == 1);
  close(ends[1]);
}

static void polling(void) {
  int ends[2];
  assert(pipe(ends) == 0);
  struct pollfd entries[2] = {{ends[0], POLLIN, 0}, {ends[1], POLLOUT, 0}};
  const struct timespec second = {1, 0};
  assert(poll(entries, 1, 0) == 0 && poll(entries, 1, 10) == 0 && ppoll(entries, 1, &second, NULL) == 0);
  assert(poll(entries, 2, -1) == 1 && entries[0].revents == 0 && entries[1].revents == POLLOUT);
  fd_set set;
  FD_ZERO(&set);
  FD_SET(ends[0], &set);
  struct timeval no_time = {0, 0};
  assert(select(ends[0] + 1, &set, NULL, NULL, &no_time) == 0 && !FD_ISSET(ends[0], &set));
  assert(write(ends[1], "x", 1) == 1);
  FD_SET(ends[0], &set);
  assert(select(ends[0] + 1, &set, NULL, NULL, NULL) == 1 && FD_ISSET(ends[0], &set));
  assert(pselect(ends[0] + 1, &set, NULL, NULL, &second, NULL) == 1);
  close(ends[1]);
  assert(poll(entries, 1, -1) == 1 && entries[0].revents == (POLLIN | POLLHUP));
  close(ends[0]);
}

int main(void) {
  signal(SIGPIPE, on_pipe_signal);
  pipes();
  counters();
  sockets();
  polling();
}
