// What the synchronisation of C++ returns and throws, one case for each argument of the program (values.sh). Every case
// must hold in every schedule.
#include <atomic>
#include <barrier>
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <future>
#include <latch>
#include <memory>
#include <mutex>
#include <semaphore>
#include <shared_mutex>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>

using namespace std::chrono_literals;

static void in_thread(auto work) {
  std::thread(work).join();
}

/* The error code that a call throws; 0: it throws none. */
static int error_of(auto call) {
  try {
    call();
  } catch (const std::system_error &error) {
    return error.code().value();
  }
  return 0;
}

static void threads() {
  int result = 0;
  std::thread one([](int a, int &b) { b = a; }, 5, std::ref(result)), two;
  assert(one.joinable() && !two.joinable() && one.get_id() != std::this_thread::get_id());
  assert(two.get_id() == std::thread::id());
  two = std::move(one);
  assert(!one.joinable() && two.joinable());
  two.join();
  assert(result == 5 && !two.joinable());
  assert(error_of([&] { two.join(); }) == EINVAL && error_of([&] { two.detach(); }) == EINVAL);
  std::thread three([] {});
  three.detach();
  assert(!three.joinable() && std::thread::hardware_concurrency() > 0);
}

static void mutexes() {
  std::mutex plain;
  std::recursive_mutex recursive;
  plain.lock();
  in_thread([&] { assert(!plain.try_lock()); });
  plain.unlock();
  assert(plain.try_lock());
  plain.unlock();
  recursive.lock();
  assert(recursive.try_lock());
  recursive.unlock();
  in_thread([&] { assert(!recursive.try_lock()); });
  recursive.unlock();
  std::unique_lock lock(plain, std::defer_lock);
  assert(!lock && error_of([&] { lock.unlock(); }) == EPERM);
  lock.lock();
  assert(lock.owns_lock() && error_of([&] { lock.lock(); }) == EDEADLK);
  lock.unlock();
  std::scoped_lock both(plain, recursive);
  in_thread([&] { assert(std::try_lock(recursive, plain) == 0); });
}

static void timed_mutexes() {
  std::timed_mutex timed;
  std::recursive_timed_mutex recursive;
  assert(timed.try_lock_for(1ms) && recursive.try_lock_until(std::chrono::steady_clock::now() + 1ms));
  assert(recursive.try_lock_for(1ms));
  in_thread([&] {
    const auto before = std::chrono::steady_clock::now();
    assert(!timed.try_lock_for(5ms) && std::chrono::steady_clock::now() - before >= 5ms);
    assert(!recursive.try_lock_until(std::chrono::system_clock::now() + 1ms) && !timed.try_lock());
  });
  timed.unlock();
  recursive.unlock();
  recursive.unlock();
}

static void shared_mutexes() {
  std::shared_mutex shared;
  std::shared_timed_mutex timed;
  shared.lock_shared();
  timed.lock();
  in_thread([&] {
    assert(shared.try_lock_shared() && !shared.try_lock());
    shared.unlock_shared();
    assert(!timed.try_lock_shared_for(1ms) && !timed.try_lock_for(1ms) && !timed.try_lock_shared());
  });
  shared.unlock_shared();
  timed.unlock();
  std::shared_lock reader(timed);
  in_thread([&] { assert(timed.try_lock_shared_for(1ms) && (timed.unlock_shared(), true)); });
  assert(reader.owns_lock());
}

static void conditions() {
  std::mutex mutex;
  std::condition_variable condition;
  std::condition_variable_any any;
  bool ready = false, seen = false;
  std::unique_lock lock(mutex);
  assert(condition.wait_for(lock, 1ms) == std::cv_status::timeout);
  assert(!condition.wait_until(lock, std::chrono::steady_clock::now() + 1ms, [&] { return ready; }));
  std::thread other([&] {
    std::unique_lock inner(mutex);
    ready = true;
    condition.notify_all();
    any.wait(inner, [&] { return seen; });
  });
  condition.wait(lock, [&] { return ready; });
  assert(lock.owns_lock());
  seen = true;
  any.notify_one();
  lock.unlock();
  other.join();
  lock.lock();
  assert(any.wait_for(lock, 1ms) == std::cv_status::timeout);
  assert(any.wait_for(lock, 1ms, [&] { return seen; }));
}

static void once() {
  std::once_flag flag;
  int calls = 0;
  for (int i = 0; i < 2; i++) try {
      std::call_once(flag, [&] {
        calls++;
        throw 7;
      });
      assert(false);
    } catch (int value) {
      assert(value == 7);
    }
  std::thread other([&] {
    std::call_once(
        flag, [&](int by) { calls += by; }, 10);
  });
  std::call_once(
      flag, [&](int by) { calls += by; }, 10);
  assert(calls == 12);
  other.join();
}

static void fresh_once() {
  int calls = 0;
  for (int i = 0; i < 2; i++)
    [&] {
      std::once_flag flag; /* another one every time, at the same place */
      std::call_once(flag, [&] { calls++; });
      std::call_once(flag, [&] { calls++; });
    }();
  assert(calls == 2);
}

static int error_of_future(auto call) {
  try {
    call();
  } catch (const std::future_error &error) {
    return error.code().value();
  }
  return 0;
}

static void futures() {
  std::promise<int> promise;
  std::future<int> future = promise.get_future();
  assert(future.valid() && future.wait_for(1ms) == std::future_status::timeout);
  assert(error_of_future([&] { promise.get_future(); }) == int(std::future_errc::future_already_retrieved));
  std::thread other([&] { promise.set_value(3); });
  assert(future.get() == 3 && !future.valid());
  other.join();
  assert(error_of_future([&] { promise.set_value(4); }) == int(std::future_errc::promise_already_satisfied));
  std::future<int> broken;
  { broken = std::promise<int>().get_future(); }
  assert(error_of_future([&] { broken.get(); }) == int(std::future_errc::broken_promise));
}

static void tasks() {
  auto soon = std::async(
      std::launch::async, [](int x) { return x + 1; }, 1);
  auto late = std::async(std::launch::deferred, [] { return 5; });
  auto fails = std::async(std::launch::async, []() -> int { throw std::out_of_range("far"); });
  assert(late.wait_for(0s) == std::future_status::deferred && soon.get() == 2 && late.get() == 5);
  try {
    fails.get();
    assert(false);
  } catch (const std::out_of_range &error) {
    assert(error.what() == std::string_view("far"));
  }
  std::packaged_task<int(int)> task([](int x) { return 2 * x; });
  auto result = task.get_future().share();
  std::thread worker(std::move(task), 21);
  assert(result.get() == 42 && result.wait_until(std::chrono::system_clock::now()) == std::future_status::ready);
  worker.join();
}

static void atomics() {
  struct pair {
    int a, b;
  };
  std::atomic<int> number{1};
  std::atomic<pair> both{pair{1, 2}};
  std::atomic_flag flag;
  std::atomic<std::shared_ptr<int>> shared{std::make_shared<int>(4)};
  int expected = 2;
  assert(!number.compare_exchange_strong(expected, 9) && expected == 1 && number.fetch_add(4) == 1 && number == 5);
  assert(number.exchange(7) == 5 && both.load().b == 2 && !flag.test_and_set() && flag.test());
  assert(*shared.load() == 4 && both.is_lock_free());
  number.wait(0);
  flag.wait(false);
  std::thread other([&] {
    number = 8;
    number.notify_one();
    flag.clear();
    flag.notify_all();
    both = pair{3, 4};
    both.notify_all();
  });
  number.wait(7);
  assert(number == 8);
  flag.wait(true);
  assert(!flag.test());
  both.wait(pair{1, 2});
  assert(both.load().a == 3);
  other.join();
}

static void latches() {
  std::latch latch(2);
  assert(!latch.try_wait());
  std::thread other([&] { latch.count_down(); });
  latch.arrive_and_wait();
  assert(latch.try_wait());
  latch.wait();
  other.join();
}

static void barriers() {
  int completed = 0;
  std::barrier barrier(2, [&]() noexcept { completed++; });
  std::thread other([&] {
    barrier.arrive_and_wait();
    barrier.arrive_and_drop();
  });
  barrier.wait(barrier.arrive());
  assert(completed >= 1);
  barrier.arrive_and_wait();
  assert(completed == 2);
  barrier.arrive_and_wait(); /* alone */
  assert(completed == 3);
  other.join();
}

static void semaphores() {
  std::counting_semaphore<8> semaphore(1);
  std::binary_semaphore binary(0);
  assert(semaphore.try_acquire() && !semaphore.try_acquire() && !semaphore.try_acquire_for(1ms));
  semaphore.release(2);
  assert(semaphore.try_acquire_until(std::chrono::system_clock::now() + 1ms) && semaphore.try_acquire_for(1ms));
  std::thread other([&] { binary.release(); });
  binary.acquire();
  assert(!binary.try_acquire() && semaphore.max() == 8);
  other.join();
}

static void stop_tokens() {
  bool called = false;
  std::jthread thread([](std::stop_token token) {
    std::binary_semaphore stopped(0);
    std::stop_callback inner(token, [&] { stopped.release(); });
    stopped.acquire();
    assert(token.stop_requested());
  });
  std::stop_callback callback(thread.get_stop_token(), [&] { called = true; });
  assert(thread.request_stop() && !thread.request_stop() && called);
  std::stop_source none(std::nostopstate);
  assert(!none.stop_possible() && std::stop_source().get_token().stop_possible());
}

static void at_thread_exit() {
  std::promise<int> promise;
  std::future<int> future = promise.get_future();
  int after = 0;
  std::thread other([&] {
    promise.set_value_at_thread_exit(5);
    after = 1;
  });
  assert(future.get() == 5 && after == 1);
  other.join();
  std::mutex mutex;
  std::condition_variable condition;
  bool ended = false;
  std::unique_lock lock(mutex);
  std::thread last([&] {
    std::unique_lock inner(mutex);
    ended = true;
    std::notify_all_at_thread_exit(condition, std::move(inner));
  });
  condition.wait(lock, [&] { return ended; });
  lock.unlock();
  last.join();
}

int main(int, char **arguments) {
  static const struct {
    std::string_view name;
    void (*run)();
  } cases[] = {{"threads", threads},
               {"mutexes", mutexes},
               {"timed_mutexes", timed_mutexes},
               {"shared_mutexes", shared_mutexes},
               {"conditions", conditions},
               {"once", once},
               {"fresh_once", fresh_once},
               {"futures", futures},
               {"tasks", tasks},
               {"atomics", atomics},
               {"latches", latches},
               {"barriers", barriers},
               {"semaphores", semaphores},
               {"stop_tokens", stop_tokens},
               {"at_thread_exit", at_thread_exit}};
  for (const auto &each : cases)
    if (each.name == arguments[1]) {
      each.run();
      return 0;
    }
  return 2;
}
