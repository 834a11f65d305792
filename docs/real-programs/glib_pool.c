// SPDX-License-Identifier: MIT
// GLib: a GThreadPool with two threads, from a test of g_test. The jobs add to a sum: with -DPLAIN without a lock, so that an addition
// can be lost.
#include <glib.h>

static GMutex lock;
static volatile int sum;

static void add(gpointer number, gpointer unused) {
#ifdef PLAIN
  const int before = sum;
  g_thread_yield();
  sum = before + GPOINTER_TO_INT(number);
#else
  g_mutex_lock(&lock);
  sum += GPOINTER_TO_INT(number);
  g_mutex_unlock(&lock);
#endif
}

static void test_pool(void) {
  GThreadPool *pool = g_thread_pool_new(add, NULL, 2, TRUE, NULL);
  g_thread_pool_push(pool, GINT_TO_POINTER(1), NULL);
  g_thread_pool_push(pool, GINT_TO_POINTER(2), NULL);
  g_thread_pool_free(pool, FALSE, TRUE);
  g_assert_cmpint(sum, ==, 3);
}

int main(int argc, char **argv) {
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/pool", test_pool);
  return g_test_run();
}
