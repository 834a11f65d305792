/* SPDX-License-Identifier: MIT
 * moodycamel::ReaderWriterQueue: one producer, one consumer. It is not made for PRODUCERS=2. */
#include <array>
#include <cassert>
#include <readerwriterqueue.h>
#include <thread>
#include <vector>

#ifndef ITEMS
#define ITEMS 2
#endif
#ifndef PRODUCERS
#define PRODUCERS 1
#endif

static moodycamel::ReaderWriterQueue<int, 2> queue(1); /* blocks of two places: it grows when it is full */
static std::array<int, PRODUCERS> last;                /* of each producer, the last item that was taken */
static int taken;

/* What a producer puts comes once each, and in its order. */
static bool take() {
  int item;
  if (!queue.try_dequeue(item)) return false;
  assert(item % ITEMS + 1 == ++last.at(item / ITEMS));
  taken++;
  return true;
}

static void produce(int producer) {
  for (int i = 0; i < ITEMS; i++) {
    const bool there = queue.enqueue(producer * ITEMS + i);
    assert(there);
  }
}

int main() {
  std::vector<std::thread> producers;
  for (int i = 0; i < PRODUCERS; i++) producers.emplace_back(produce, i);
  for (int attempt = 0; attempt < ITEMS; attempt++) take();
  for (auto &producer : producers) producer.join();
  while (take()) continue;
  assert(taken == PRODUCERS * ITEMS);
}
