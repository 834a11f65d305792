/* SPDX-License-Identifier: MIT
 *
 * Accesses of different sizes, copies, floating point, pointers, results of threads.
 */
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
struct pair {
  int a, b;
};
struct pair p, q;
double f;
char text[16];
int *pointer;
int one = 1, two = 2;
uint64_t wide;
static void *t1(void *a) {
  struct pair c = p;
  if (c.a > 1) q = c;
  if (f > 0.5) q.a = 3;
  if (strlen(text) > 2) q.b = 9;
  if (*pointer == 2) q.b = 4;
  ((uint32_t *)&wide)[1] = 5;
  return 0;
}
static void *t2(void *a) {
  p.b = 5;
  p.a = 1;
  f = 0.75;
  strcpy(text, "abc");
  pointer = &two;
  two = 3;
  wide = 7;
  int *h = malloc(sizeof *h);
  *h = q.a + q.b;
  pointer = h;
  return h;
}
int main(void) {
  pointer = &one;
  pthread_t a, b;
  pthread_create(&a, 0, t1, 0);
  pthread_create(&b, 0, t2, 0);
  void *r;
  pthread_join(a, 0);
  pthread_join(b, &r);
  if (*(int *)r == 4) q.a = 1;
  return 0;
}
