// SPDX-License-Identifier: MIT
// More message queues than heddle has room for.
// expect: exit=3 verdict=incomplete bugs=0 output~"32 message queues"
#include <assert.h>
#include <fcntl.h>
#include <mqueue.h>
#include <stddef.h>

int main(void) {
  for (int i = 0; i < 33; i++) {
    char name[] = {'/', 'n', (char)('A' + i / 10), (char)('0' + i % 10), 0};
    assert(mq_open(name, O_CREAT | O_RDWR, 0600, NULL) != (mqd_t)-1);
  }
  return 0;
}
