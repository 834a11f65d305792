/* SPDX-License-Identifier: MIT
 *
 * As world.c, of sockets, timers that are descriptors, and locks of bytes of a file: two or three threads perform a few
 * operations each. What each of them gave is observed, one decimal digit per operation. world_sockets_oracle.py works
 * out what can be observed.
 *
 * usage: world_sockets NUMBER [print]
 */
#define _GNU_SOURCE
#include "heddle.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <unistd.h>

enum operation_kind {
  SEND,
  RECEIVE,
  TRY_RECEIVE,
  SHUT,
  DATAGRAM,
  TAKE_DATAGRAM,
  CONNECT,
  ACCEPT,
  LOOK,
  AWAIT,
  SET,
  READ_TIMER,
  TRY_TIMER,
  LOCK,
  SHARE,
  TRY_LOCK,
  UNLOCK,
  KINDS
};

static const char *const names[KINDS] = {"send",      "receive", "try-receive", "shut",     "datagram", "take-datagram",
                                         "connect",   "accept",  "look",        "await",    "set",      "read-timer",
                                         "try-timer", "lock",    "share",       "try-lock", "unlock"};

struct operation {
  enum operation_kind kind;
  int object, value;
};

#define MAX_THREADS 3
#define MAX_OPERATIONS 4
#define OBJECTS 2
#define FAILED 9
#define NAME "world_sockets.tmp"

static struct operation operations[MAX_THREADS][MAX_OPERATIONS];
static int n_operations[MAX_THREADS], n_threads;
static unsigned long long state;
static int streams[OBJECTS][2], senders[OBJECTS], receivers[OBJECTS], timers[OBJECTS], files[MAX_THREADS];
static int listener;
static struct sockaddr_in listener_name, receiver_names[OBJECTS];

/* ---- the program ---- */

static int choose(int n) {
  state = state * 6364136223846793005ull + 1442695040888963407ull;
  return (int)((state >> 33) % (unsigned)n);
}

/* Streams and polls, connections, timers, locks, or all of them. */
static int choose_kind(unsigned long long number) {
  static const int first[] = {SEND, CONNECT, SET, LOCK, SEND}, end[] = {CONNECT, SET, LOCK, KINDS, KINDS};
  const int family = (int)(number % 5);
  return first[family] + choose(end[family] - first[family]);
}

static void make_program(unsigned long long number) {
  state = number * 2 + 1;
  for (int i = 0; i < 4; i++) choose(2);
  n_threads = 2 + choose(2);
  for (int t = 0; t < n_threads; t++) {
    n_operations[t] = 1 + choose(n_threads == 2 ? MAX_OPERATIONS : MAX_OPERATIONS - 1);
    for (int i = 0; i < n_operations[t]; i++) {
      const int kind = choose_kind(number);
      operations[t][i] = (struct operation){(enum operation_kind)kind, choose(4) ? 0 : 1, choose(2)};
    }
  }
}

static void print_program(void) {
  for (int t = 0; t < n_threads; t++)
    for (int i = 0; i < n_operations[t]; i++)
      printf("%d %s %d %d\n", t, names[operations[t][i].kind], operations[t][i].object, operations[t][i].value);
}

/* ---- performing it ---- */

/* The byte, 0 at the end. */
static int take(int descriptor, int flags) {
  char byte = 0;
  const ssize_t count = recv(descriptor, &byte, 1, flags);
  return count < 0 ? FAILED : count == 0 ? 0 : byte;
}

static int put(int descriptor, int thread) {
  const char byte = (char)(thread + 1);
  return send(descriptor, &byte, 1, MSG_NOSIGNAL) == 1 ? 0 : FAILED;
}

static int put_datagram(int thread, int to) {
  const char byte = (char)(thread + 1);
  const struct sockaddr *name = (const struct sockaddr *)&receiver_names[to];
  return sendto(senders[to], &byte, 1, 0, name, sizeof receiver_names[to]) == 1 ? 0 : FAILED;
}

/* The connections stay open. */
static int connect_once(void) {
  const int socket_made = socket(AF_INET, SOCK_STREAM, 0);
  return connect(socket_made, (const struct sockaddr *)&listener_name, sizeof listener_name) ? FAILED : 0;
}

/* Who connected: the ports of a thread are heddle's, 64 for each. */
static int accept_once(void) {
  struct sockaddr_in name;
  socklen_t size = sizeof name;
  if (accept(listener, (struct sockaddr *)&name, &size) < 0) return FAILED;
  return (ntohs(name.sin_port) - 32768) / 64;
}

static int look(int timeout) {
  struct pollfd entries[] = {{listener, POLLIN, 0}, {streams[0][1], POLLIN, 0}, {timers[0], POLLIN, 0}};
  int mask = 0;
  if (poll(entries, 3, timeout) < 0) return FAILED;
  for (int i = 0; i < 3; i++) mask |= entries[i].revents & POLLIN ? 1 << i : 0;
  return mask;
}

static int set_timer(int which) {
  const struct itimerspec soon = {.it_value = {10, 0}};
  return timerfd_settime(timers[which], 0, &soon, NULL) ? FAILED : 0;
}

static int read_timer(int descriptor) {
  uint64_t times;
  return read(descriptor, &times, sizeof times) == sizeof times ? (int)times : FAILED;
}

static int try_timer(int which) {
  struct pollfd entry = {timers[which], POLLIN, 0};
  return poll(&entry, 1, 0);
}

/* Ten bytes each, or all of them. */
static int lock(int thread, int command, short type, int which, int is_all) {
  struct flock lock = {.l_type = type, .l_start = is_all ? 0 : which * 10, .l_len = is_all ? 20 : 10};
  return fcntl(files[thread], command, &lock) ? FAILED : 0;
}

static int perform(int thread, const struct operation *operation) {
  const int object = operation->object, value = operation->value;
  switch (operation->kind) {
  case SEND: return put(streams[object][0], thread);
  case RECEIVE: return take(streams[object][1], 0);
  case TRY_RECEIVE: return take(streams[object][1], MSG_DONTWAIT);
  case SHUT: return shutdown(streams[object][0], SHUT_WR) ? FAILED : 0;
  case DATAGRAM: return put_datagram(thread, object);
  case TAKE_DATAGRAM: return take(receivers[object], value ? MSG_DONTWAIT : 0);
  case CONNECT: return connect_once();
  case ACCEPT: return accept_once();
  case LOOK: return look(0);
  case AWAIT: return look(-1);
  case SET: return set_timer(object);
  case READ_TIMER: return read_timer(timers[object]);
  case TRY_TIMER: return try_timer(object);
  case LOCK: return lock(thread, F_OFD_SETLKW, F_WRLCK, object, value);
  case SHARE: return lock(thread, F_OFD_SETLKW, F_RDLCK, object, value);
  case TRY_LOCK: return lock(thread, F_OFD_SETLK, F_WRLCK, object, value);
  case UNLOCK: return lock(thread, F_OFD_SETLK, F_UNLCK, object, value);
  case KINDS: break;
  }
  return 0;
}

static void *body(void *argument) {
  const int thread = (int)(long)argument;
  static const char *const labels[MAX_THREADS] = {"a", "b", "c"};
  long long observed = 1;
  for (int i = 0; i < n_operations[thread]; i++) observed = observed * 10 + perform(thread, &operations[thread][i]);
  heddle_observe(labels[thread], observed);
  return NULL;
}

/* ---- what they use ---- */

static int open_socket(int type, struct sockaddr_in *name) {
  const int made = socket(AF_INET, type, 0);
  socklen_t size = sizeof *name;
  *name = (struct sockaddr_in){.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  if (bind(made, (struct sockaddr *)name, size) || getsockname(made, (struct sockaddr *)name, &size)) exit(2);
  return made;
}

/* Who waits for what no thread of any run sends may wait for another program, which is no deadlock. */
static void use_all(void) {
  for (int i = 0; i < OBJECTS; i++)
    if (put_datagram(0, i) || take(receivers[i], 0) != 1) exit(2);
  if (connect_once() || accept_once() != 0) exit(2);
}

static void open_all(void) {
  listener = open_socket(SOCK_STREAM, &listener_name);
  if (listen(listener, 0)) exit(2);
  for (int i = 0; i < OBJECTS; i++) {
    struct sockaddr_in unused;
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, streams[i])) exit(2);
    receivers[i] = open_socket(SOCK_DGRAM, &receiver_names[i]);
    senders[i] = open_socket(SOCK_DGRAM, &unused);
    timers[i] = timerfd_create(CLOCK_MONOTONIC, 0);
  }
  use_all();
  for (int t = 0; t < MAX_THREADS; t++) files[t] = open(NAME, O_RDWR | O_CREAT, 0600);
}

int main(int argc, char **argv) {
  pthread_t threads[MAX_THREADS];
  if (argc < 2) return 2;
  make_program(strtoull(argv[1], NULL, 10));
  if (argc > 2 && strcmp(argv[2], "print") == 0) return print_program(), 0;
  open_all();
  for (int t = 0; t < n_threads; t++) pthread_create(&threads[t], NULL, body, (void *)(long)t);
  for (int t = n_threads; t-- > 0;) pthread_join(threads[t], NULL);
  return 0;
}
