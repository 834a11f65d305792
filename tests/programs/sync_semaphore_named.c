// SPDX-License-Identifier: MIT
// Semaphores with names: every result. The runs begin without any, whatever the run before left.
// expect: exit=0 verdict=clean complete=true runs=1
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <semaphore.h>
#include <string.h>

int main(void) {
  char name[300];
  int value = -1;
  assert(sem_open("/none", 0) == SEM_FAILED && errno == ENOENT);
  assert(sem_unlink("/none") == -1 && errno == ENOENT);
  assert(sem_open("/a/b", O_CREAT, 0600, 1) == SEM_FAILED && errno == EINVAL);
  assert(sem_open("/", O_CREAT, 0600, 1) == SEM_FAILED && errno == EINVAL);
  assert(sem_open("/big", O_CREAT, 0600, SEM_VALUE_MAX + 1u) == SEM_FAILED && errno == EINVAL);
  memset(name, 'x', sizeof name);
  name[0] = '/';
  name[sizeof name - 1] = 0;
  assert(sem_open(name, O_CREAT, 0600, 1) == SEM_FAILED && errno == ENAMETOOLONG);

  sem_t *s = sem_open("/s", O_CREAT | O_EXCL, 0600, 2);
  assert(s != SEM_FAILED && sem_getvalue(s, &value) == 0 && value == 2);
  assert(sem_open("/s", O_CREAT | O_EXCL, 0600, 2) == SEM_FAILED && errno == EEXIST);
  assert(sem_open("/s", O_CREAT, 0600, 9) == s && sem_open("s", 0) == s);
  assert(sem_wait(s) == 0 && sem_trywait(s) == 0 && sem_trywait(s) == -1 && errno == EAGAIN && sem_post(s) == 0);

  assert(sem_unlink("/s") == 0 && sem_unlink("/s") == -1 && errno == ENOENT);
  assert(sem_open("/s", 0) == SEM_FAILED && errno == ENOENT);
  sem_t *other = sem_open("/s", O_CREAT, 0600, 5);
  assert(other != SEM_FAILED && other != s);
  assert(sem_getvalue(s, &value) == 0 && value == 1 && sem_getvalue(other, &value) == 0 && value == 5);
  for (int i = 0; i < 3; i++) assert(sem_close(s) == 0);
  assert(sem_close(s) == -1 && errno == EINVAL);
  assert(sem_close(other) == 0 && sem_close(&(sem_t){0}) == -1 && errno == EINVAL);

  int made = 0;
  for (; made < 50; made++) {
    char number[] = {'/', 'n', (char)('A' + made / 10), (char)('0' + made % 10), 0};
    if (sem_open(number, O_CREAT, 0600, 0) == SEM_FAILED) break;
  }
  assert(made == 50);
  return 0;
}
