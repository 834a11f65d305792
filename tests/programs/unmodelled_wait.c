// SPDX-License-Identifier: MIT
// Calls that may wait and are not modelled are made as long as they do not wait. Where one would, the run stops: nobody
// knows what comes then, and a thread that waits there is no deadlock.
// expect: exit=3 verdict=incomplete bugs=0 warning~"msgrcv of a queue without a message"
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/sendfile.h>
#include <unistd.h>

int main(void) {
  struct {
    long type;
    char text[4];
  } message = {1, "abc"};
  struct sembuf raise = {0, 1, 0}, lower = {0, -1, IPC_NOWAIT};
  const int queue = msgget(IPC_PRIVATE, 0600), set = semget(IPC_PRIVATE, 1, 0600);
  const int from = open("/dev/null", O_RDONLY), to = open("/dev/null", O_WRONLY);
  assert(queue >= 0 && set >= 0 && sendfile(to, from, NULL, 1) == -1);
  assert(splice(from, NULL, to, NULL, 1, 0) == -1);
  assert(semop(set, &raise, 1) == 0 && semop(set, &lower, 1) == 0 && semop(set, &lower, 1) == -1 && errno == EAGAIN);
  semctl(set, 0, IPC_RMID);
  assert(msgsnd(queue, &message, 4, 0) == 0 && msgrcv(queue, &message, 4, 0, 0) == 4);
  struct msqid_ds state;
  msgctl(queue, IPC_STAT, &state);
  message.type = 2;
  if (msgrcv(queue, &message, 4, 0, IPC_NOWAIT) == -1) msgctl(queue, IPC_STAT, &state);
  const ssize_t result = msgrcv(queue, &message, 4, 0, 0);
  msgctl(queue, IPC_RMID, NULL);
  return (int)result;
}
