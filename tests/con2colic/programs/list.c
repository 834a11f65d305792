/* SPDX-License-Identifier: MIT
 *
 * Blocks of memory passed on through a list.
 */
#include <pthread.h>
#include <stdlib.h>
struct node {
  int v;
  struct node *next;
};
static struct node *head;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void mark(void) {
  __asm__ volatile("");
}
static void *push(void *a) {
  struct node *n = malloc(sizeof *n);
  n->v = (int)(long)a;
  pthread_mutex_lock(&m);
  n->next = head;
  head = n;
  pthread_mutex_unlock(&m);
  return 0;
}
static void *pop(void *a) {
  pthread_mutex_lock(&m);
  struct node *n = head;
  if (n) {
    head = n->next;
    if (n->v == 1) mark();
    if (n->v == 2) mark();
    if (n->next && n->next->v == 1) mark();
  }
  pthread_mutex_unlock(&m);
  return a;
}
int main(void) {
  pthread_t a, b, d;
  pthread_create(&a, 0, push, (void *)1);
  pthread_create(&b, 0, push, (void *)2);
  pthread_create(&d, 0, pop, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  pthread_join(d, 0);
  if (!head)
    mark();
  else if (head->v == 1)
    mark();
  return 0;
}
