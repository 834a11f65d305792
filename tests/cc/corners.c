/* SPDX-License-Identifier: MIT
 *
 * Corners of the compiler: linkage, attributes and code that leaves no room for a hook in the usual place.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern int not_there(int) __attribute__((weak));
extern int pthread_yield_of_nowhere(void) __attribute__((weak));

static int counter;

__attribute__((naked)) static int bare(void) {
  __asm__("movl $17, %eax\n\tret");
}

static int plain_choice(int n) {
  return n + counter;
}

typedef int choice(int);

static choice *choose(void) {
  return plain_choice;
}

int chosen(int n) __attribute__((ifunc("choose")));
static int same(int n) __attribute__((alias("target")));
int target(int n) {
  return n * 3;
}
__attribute__((weak)) int replaceable(int n) {
  return n + 1000;
}

static int countdown(int n, int total) {
  counter++;
  if (n == 0) return total;
  __attribute__((musttail)) return countdown(n - 1, total + n);
}

__attribute__((pure)) static int looks_pure(const int *p) {
  return *p + counter;
}

__attribute__((const, noinline)) static int looks_constant(int n) {
  return n * n;
}

struct wide {
  long numbers[9];
};

static struct wide shared_wide, other_wide;

__attribute__((noinline)) static long by_value(struct wide w, int n) {
  w.numbers[n] += 5;
  return w.numbers[n] + w.numbers[0];
}

int __VERIFIER_atomic_step(int *p) {
  if (*p > 3) return 0;
  *p += 1;
  return *p;
}

__asm__(".globl from_assembly\nfrom_assembly:\n\tmovl $23, %eax\n\tret");
int from_assembly(void);

static int nested(int n) {
  char *text = __builtin_alloca(16);
  snprintf(text, 16, "%d", n);
  return (int)strlen(text) + atoi(text);
}

static int statement_expression(int n) {
  return ({
    int m = n;
    if (m > 2)
      m = ({
        counter++;
        m * 2;
      });
    m;
  });
}

static int range_initialiser[] = {[0 ... 3] = 7, [6] = 1};

static int flexible(int n) {
  struct flexible {
    int count;
    char bytes[];
  } *object = malloc(sizeof *object + (size_t)n);
  object->count = n;
  for (int i = 0; i < n; i++) object->bytes[i] = (char)i;
  const int last = object->bytes[object->count - 1];
  free(object);
  return last;
}

static int overlapping(void) {
  union {
    struct wide w[2];
    char bytes[sizeof(struct wide) * 2];
  } u = {0};
  for (int i = 0; i < 9; i++) u.w[0].numbers[i] = i;
  memmove(u.bytes + 8, u.bytes, sizeof(struct wide));
  return (int)u.w[0].numbers[8] + u.bytes[72];
}

static int copies(void) {
  for (int i = 0; i < 9; i++) shared_wide.numbers[i] = i;
  other_wide = shared_wide;
  struct wide *p = &shared_wide, *q = &other_wide;
  *q = *p;
  *p = *p;
  return (int)(q->numbers[8] + by_value(*p, 3));
}

static void *thread(void *argument) {
  return (char *)argument + 1;
}

static int threads(void) {
  pthread_t id;
  void *result = NULL;
  if (pthread_create(&id, NULL, thread, (void *)40) || pthread_join(id, &result)) return -1;
  return (int)(long)result;
}

static size_t (*volatile length)(const char *) = strlen;

int main(void) {
  printf("%d %d %d\n", not_there ? 1 : 0, pthread_yield_of_nowhere ? 1 : 0, bare());
  printf("%d %d %d %d\n", chosen(3), same(4), replaceable(5), countdown(1000, 0));
  printf("%d %d\n", looks_pure(&counter) + looks_pure(&counter), looks_constant(counter) + looks_constant(counter));
  int steps = 0;
  while (__VERIFIER_atomic_step(&steps)) continue;
  printf("%d %d %d %d %d\n", steps, from_assembly(), nested(123), statement_expression(3), range_initialiser[2]);
  printf("%d %d %d %d %zu\n", flexible(9), overlapping(), copies(), threads(), length("four"));
  return 0;
}
