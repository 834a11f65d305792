// SPDX-License-Identifier: MIT
// Pipes, pairs of sockets and event counters carry bytes between the program and its children, natively and under
// heddle.
// expect: exit=0 verdict=clean runs=1 bugs=0
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

static char big[200000];

/* A child that answers each byte with the next letter. */
static pid_t answering_child(int in, int out, int other1, int other2) {
  const pid_t child = fork();
  if (child) return child;
  char letter;
  close(other1);
  close(other2);
  while (read(in, &letter, 1) == 1) {
    letter++;
    write(out, &letter, 1);
  }
  _exit(7);
}

static void conversation(void) {
  int to[2], from[2], status;
  char letter;
  assert(pipe(to) == 0 && pipe2(from, O_CLOEXEC) == 0);
  const pid_t child = answering_child(to[0], from[1], to[1], from[0]);
  close(to[0]);
  close(from[1]);
  for (char sent = 'a'; sent < 'e'; sent++) {
    struct pollfd entry = {.fd = from[0], .events = POLLIN};
    assert(poll(&entry, 1, 0) == 0);
    assert(write(to[1], &sent, 1) == 1);
    assert(poll(&entry, 1, -1) == 1 && entry.revents == POLLIN);
    assert(read(from[0], &letter, 1) == 1 && letter == sent + 1);
  }
  fd_set set;
  FD_ZERO(&set);
  FD_SET(from[0], &set);
  struct timeval none = {0};
  assert(select(from[0] + 1, &set, NULL, NULL, &none) == 0);
  close(to[1]);
  assert(read(from[0], &letter, 1) == 0);
  assert(waitpid(child, &status, 0) == child && WEXITSTATUS(status) == 7);
  close(from[0]);
}

static void sockets(void) {
  int ends[2], status;
  char text[8] = {0};
  assert(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
  assert(write(ends[0], "ab", 2) == 2);
  const pid_t child = fork();
  if (child == 0) {
    assert(read(ends[1], text, sizeof text) == 2 && strcmp(text, "ab") == 0);
    assert(send(ends[1], "cde", 3, 0) == 3);
    _exit(0);
  }
  close(ends[1]);
  assert(recv(ends[0], text, sizeof text, 0) == 3 && memcmp(text, "cde", 3) == 0);
  assert(recv(ends[0], text, sizeof text, 0) == 0);
  assert(shutdown(ends[0], SHUT_RDWR) == 0 && close(ends[0]) == 0);
  assert(wait(&status) == child && status == 0);
}

static void counter(void) {
  uint64_t value = 0;
  const int number = eventfd(2, 0);
  const pid_t child = fork();
  if (child == 0) {
    value = 5;
    _exit(write(number, &value, sizeof value) != sizeof value);
  }
  assert(wait(NULL) == child);
  assert(read(number, &value, sizeof value) == sizeof value && value == 7);
  assert(fcntl(number, F_SETFL, O_NONBLOCK) == 0);
  assert(read(number, &value, sizeof value) == -1 && errno == EAGAIN);
  close(number);
}

/* More than a pipe holds, both ways. */
static void much(void) {
  int ends[2], status;
  assert(pipe(ends) == 0);
  pid_t child = fork();
  if (child == 0) {
    for (size_t done = 0; done < sizeof big;) done += (size_t)write(ends[1], big + done, sizeof big - done);
    _exit(0);
  }
  close(ends[1]);
  size_t total = 0;
  for (ssize_t count; (count = read(ends[0], big, sizeof big)) > 0;) total += (size_t)count;
  assert(total == sizeof big && wait(&status) == child && status == 0);
  close(ends[0]);

  assert(pipe(ends) == 0);
  child = fork();
  if (child == 0) {
    close(ends[1]);
    for (ssize_t count; (count = read(ends[0], big, 1000)) > 0;) total -= (size_t)count;
    _exit(total != 0);
  }
  close(ends[0]);
  assert(write(ends[1], big, sizeof big) == sizeof big);
  close(ends[1]);
  assert(wait(&status) == child && status == 0);
}

static void nobody(void) {
  int ends[2];
  signal(SIGPIPE, SIG_IGN);
  assert(pipe(ends) == 0);
  const pid_t child = fork();
  if (child == 0) {
    for (int i = 0; i < 1000; i++) close(i);
    _exit(0);
  }
  assert(wait(NULL) == child);
  close(ends[0]);
  assert(write(ends[1], "x", 1) == -1 && errno == EPIPE);
  close(ends[1]);
}

static void stream(void) {
  int ends[2];
  char line[32];
  assert(pipe(ends) == 0);
  const pid_t child = fork();
  if (child == 0) {
    dup2(ends[1], 1);
    close(ends[0]);
    close(ends[1]);
    execlp("sh", "sh", "-c", "echo first; echo second", NULL);
    _exit(1);
  }
  close(ends[1]);
  FILE *lines = fdopen(ends[0], "r");
  assert(fgets(line, sizeof line, lines) && strcmp(line, "first\n") == 0);
  assert(fgets(line, sizeof line, lines) && strcmp(line, "second\n") == 0);
  assert(!fgets(line, sizeof line, lines));
  assert(fclose(lines) == 0 && waitpid(child, NULL, 0) == child);
}

int main(void) {
  conversation();
  sockets();
  counter();
  much();
  nobody();
  stream();
  return 0;
}
