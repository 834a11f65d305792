// Two threads and one primitive of C++, one case for each argument of the program: counts.sh knows how many runs there
// are of each, and why.
#include <atomic>
#include <barrier>
#include <condition_variable>
#include <future>
#include <heddle.h>
#include <latch>
#include <mutex>
#include <semaphore>
#include <shared_mutex>
#include <string_view>
#include <thread>

using namespace std::chrono_literals;

static void together(auto one, auto two) {
  std::thread a(one), b(two);
  a.join();
  b.join();
}

static void thread() {
  static int x, y;
  together([] { x = 1; }, [] { y = 1; });
}

static void mutex() {
  static std::mutex mutex;
  auto work = [] { std::lock_guard lock(mutex); };
  together(work, work);
}

static void recursive_mutex() {
  static std::recursive_mutex mutex;
  auto work = [] { std::scoped_lock lock(mutex); };
  together(work, work);
}

static void try_lock() {
  static std::mutex mutex;
  auto work = [](int thread) {
    if (std::unique_lock lock(mutex, std::try_to_lock); !lock) heddle_observe("failed", thread);
  };
  together([=] { work(1); }, [=] { work(2); });
}

static void timed_mutex() {
  static std::timed_mutex mutex;
  together([] { std::lock_guard lock(mutex); },
           [] {
             if (std::unique_lock lock(mutex, 1ms); !lock) heddle_observe("time", 1);
           });
}

static void shared_mutex() {
  static std::shared_mutex mutex;
  auto work = [] { std::shared_lock lock(mutex); };
  together(work, work);
}

static void condition() {
  static std::mutex mutex;
  static std::condition_variable condition;
  static bool ready;
  together(
      [] {
        std::unique_lock lock(mutex);
        condition.wait(lock, [] { return ready; });
      },
      [] {
        std::lock_guard lock(mutex);
        ready = true;
        condition.notify_one();
      });
}

static void once() {
  static std::once_flag flag;
  auto work = [](int thread) { std::call_once(flag, heddle_observe, "first", thread); };
  together([=] { work(1); }, [=] { work(2); });
}

static void guard() {
  auto work = [](int thread) {
    static const int winner = thread;
    heddle_observe("first", winner);
  };
  together([=] { work(1); }, [=] { work(2); });
}

static void atomic() {
  static std::atomic<int> sum;
  together([] { heddle_observe("a", sum++); }, [] { heddle_observe("b", sum++); });
}

static void wait() {
  static std::atomic<int> number;
  together([] { number.wait(0); },
           [] {
             number = 1;
             number.notify_one();
           });
}

static void wait_byte() {
  static std::atomic<bool> flag;
  together([] { flag.wait(false); },
           [] {
             flag = true;
             flag.notify_one();
           });
}

static void semaphore() {
  static std::binary_semaphore semaphore(1);
  auto work = [] {
    semaphore.acquire();
    semaphore.release();
  };
  together(work, work);
}

static void latch() {
  static std::latch latch(2);
  auto work = [] { latch.count_down(); };
  together(work, work);
}

static void barrier() {
  static std::barrier barrier(2);
  auto work = [] { (void)barrier.arrive(); };
  together(work, work);
}

static void future() {
  static std::promise<int> promise;
  static std::future<int> future = promise.get_future();
  together([] { promise.set_value(1); }, [] { heddle_observe("value", future.get()); });
}

static void exception() {
  static std::atomic<int> number;
  auto work = [](int thread) {
    try {
      if (number++ == 0) throw thread;
    } catch (int who) {
      heddle_observe("thrown", who);
    }
  };
  together([=] { work(1); }, [=] { work(2); });
}

static std::atomic<int> ends;

static thread_local struct counted {
  int thread = 0;
  ~counted() {
    if (thread) heddle_observe("end", 10 * ends++ + thread);
  }
} mine;

static void thread_locals() {
  together([] { mine.thread = 1; }, [] { mine.thread = 2; });
}

int main(int, char **arguments) {
  static const struct {
    std::string_view name;
    void (*run)();
  } cases[] = {{"thread", thread},
               {"mutex", mutex},
               {"recursive_mutex", recursive_mutex},
               {"try_lock", try_lock},
               {"timed_mutex", timed_mutex},
               {"shared_mutex", shared_mutex},
               {"condition", condition},
               {"once", once},
               {"guard", guard},
               {"atomic", atomic},
               {"wait", wait},
               {"wait_byte", wait_byte},
               {"semaphore", semaphore},
               {"latch", latch},
               {"barrier", barrier},
               {"future", future},
               {"exception", exception},
               {"thread_locals", thread_locals}};
  for (const auto &each : cases)
    if (each.name == arguments[1]) {
      each.run();
      return 0;
    }
  return 2;
}
