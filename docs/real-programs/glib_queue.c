// SPDX-License-Identifier: MIT
// GLib: two threads put numbers into a GAsyncQueue, and main takes them out.
#include <glib.h>

static GAsyncQueue *queue;

static gpointer produce(gpointer number) {
  g_async_queue_push(queue, number);
  return NULL;
}

static int take(void) {
  return GPOINTER_TO_INT(g_async_queue_pop(queue));
}

int main(void) {
  queue = g_async_queue_new();
  GThread *one = g_thread_new("one", produce, GINT_TO_POINTER(1)), *two = g_thread_new("two", produce, GINT_TO_POINTER(2));
  const int first = take(), second = take();
  g_thread_join(one);
  g_thread_join(two);
  g_assert_cmpint(first + second, ==, 3);
#ifdef IN_ORDER
  g_assert_cmpint(first, ==, 1); /* it need not be */
#endif
  g_async_queue_unref(queue);
  return 0;
}
