// Thread-local variables with constructors and destructors: of each thread its own, gone when the thread ends, before
// the join returns; main's at its end. Every run starts with none. The runs: whose destructor is first.
// expect: exit=0 verdict=clean complete=true runs=2 warnings=0
// observe: after=2 made=2 order=12
// observe: after=2 made=2 order=21
#include <atomic>
#include <cassert>
#include <heddle.h>
#include <string>
#include <thread>

static std::atomic<int> ended;
static int order, made; /* made: of threads that were joined before */

struct mine {
  std::string name = "a name that is too long for a short string";
  int number = 0;
  ~mine() {
    if (number == 0) return;
    ended++;
  }
};

thread_local mine of_thread;
thread_local int plain = 7;

static void use(int number) {
  assert(plain == 7 && of_thread.number == 0);
  plain = of_thread.number = number;
}

int main() {
  std::atomic<int> first = 0;
  struct last {
    std::atomic<int> *first;
    int number;
    ~last() {
      int none = 0;
      first->compare_exchange_strong(none, number);
    }
  };
  std::thread a([&] {
    thread_local last at_end{&first, 1};
    use(at_end.number);
  });
  a.join();
  made++;
  std::thread b([&] {
    thread_local last at_end{&first, 2};
    use(at_end.number);
  });
  b.join();
  made++;
  assert(first == 1);
  first = 0;
  std::thread c([&] { thread_local last at_end{&first, 1}; });
  std::thread d([&] { thread_local last at_end{&first, 2}; });
  c.join();
  d.join();
  order = first == 1 ? 12 : 21;
  heddle_observe("order", order);
  heddle_observe("made", made);
  heddle_observe("after", ended);
}
