# SPDX-License-Identifier: MIT
# shellcheck shell=bash source=/dev/null
# Parts of static variables by their types: members, indices, unions; values as what they are.
. "$ROOT/tests/helpers.bash"
cat >fields.c <<'EOF'
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
enum colour { RED, GREEN };
struct point {
  double x, y;
};
struct item {
  struct item *next;
  uint8_t flags;
  struct {
    int a, b;
  } inner;
  union {
    long n;
    struct point p;
  } u;
  pthread_mutex_t locks[2];
};
static struct item items[3][2];
static float ratio;
static enum colour colour;
static unsigned char byte;
static struct item *head, *node;
static void *work(void *unused) {
  pthread_mutex_lock(&items[2][1].locks[1]);
  items[2][1].inner.b++;
  items[1][0].u.p.y = 2.5;
  items[0][1].flags = 200;
  ratio = 0.25f;
  colour = GREEN;
  byte = 255;
  head = &items[1][1];
  node->inner.a++;
  pthread_mutex_unlock(&items[2][1].locks[1]);
  return unused;
}
int main(void) {
  pthread_t a, b;
  node = calloc(1, sizeof *node);
  pthread_create(&a, 0, work, 0);
  pthread_create(&b, 0, work, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(ratio == 0);
}
EOF
expect_status 1 "$HEDDLE" run --strategy random --minimise 0 -o out fields.c
expect_status 0 "$HEDDLE" show --full out/bug-1
while read -r words; do expect_text stdout "$words"; done <<'EOF'
lock items[2][1].locks[1]
read items[2][1].inner.b = 1
write items[1][0].u.p.y = 2.5
write items[0][1].flags = 200
write ratio = 0.25
write colour = 1
write byte = 255
write head = &items[1][1]
read node->inner.a #1 = 1
EOF
