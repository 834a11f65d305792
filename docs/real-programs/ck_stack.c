/* SPDX-License-Identifier: MIT
 * Concurrency Kit's lock-free stack. With -DREUSE a popped entry is pushed again, which its simple form does not
 * promise to survive; -DGENERATION uses the form with a generation count, which does. */
#include <assert.h>
#include <ck_stack.h>
#include <pthread.h>

#ifdef GENERATION
#define PUSH ck_stack_push_mpmc
#define POP ck_stack_pop_mpmc
#else
#define PUSH ck_stack_push_upmc
#define POP ck_stack_pop_upmc
#endif

static ck_stack_t stack CK_CC_CACHELINE;
static ck_stack_entry_t entries[3];
static unsigned held[3]; /* who popped it and has not pushed it again */

static int take(void) {
  ck_stack_entry_t *entry = POP(&stack);
  if (!entry) return -1;
  const int number = (int)(entry - entries);
  assert(ck_pr_faa_uint(&held[number], 1) == 0); /* nobody else has it */
  return number;
}

static void give_back(int number) {
  ck_pr_dec_uint(&held[number]);
  PUSH(&stack, &entries[number]);
}

static void *pop_once(void *unused) {
  take();
  return NULL;
}

static void *pop_two_return_first(void *unused) {
  const int first = take();
  take();
#ifdef REUSE
  if (first >= 0) give_back(first);
#endif
  (void)first;
  return NULL;
}

int main(void) {
  ck_stack_init(&stack);
  for (int i = 0; i < 3; i++) PUSH(&stack, &entries[i]);
  pthread_t s, t;
  pthread_create(&s, NULL, pop_once, NULL);
  pthread_create(&t, NULL, pop_two_return_first, NULL);
  pthread_join(s, NULL);
  pthread_join(t, NULL);
  while (take() >= 0) {
  }
  for (int i = 0; i < 3; i++) assert(held[i] == 1);
  return 0;
}
