// Exceptions: destructors run on the way, they are rethrown, nested, and carried to another thread. The runs: two
// threads update `turn`, and which of them throws what follows from that.
// expect: exit=0 verdict=clean complete=true runs=2 warnings=0
// observe: one=1 two=22 depth=3
// observe: one=22 two=1 depth=3
#include <atomic>
#include <cassert>
#include <exception>
#include <heddle.h>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>

struct counted {
  int *count;
  ~counted() { ++*count; }
};

static void throw_below(int levels, int *left) {
  counted here{left};
  if (levels == 0) throw std::string("deep");
  throw_below(levels - 1, left);
}

static int depth() {
  int left = 0;
  try {
    try {
      throw_below(2, &left);
    } catch (const std::string &text) {
      assert(text == "deep" && std::uncaught_exceptions() == 0);
      throw;
    }
  } catch (const std::string &) {
    return left;
  }
  return -1;
}

static std::atomic<int> turn;

static int work() {
  try {
    if (turn++ == 0) throw 1;
    throw std::out_of_range("far");
  } catch (int value) {
    return value;
  } catch (const std::exception &error) {
    assert(error.what() == std::string_view("far"));
    try {
      throw 2;
    } catch (int value) {
      return 20 + value;
    }
  }
}

static int carried() {
  std::exception_ptr kept;
  std::thread([&] {
    try {
      throw std::invalid_argument("carried");
    } catch (...) {
      kept = std::current_exception();
    }
  }).join();
  try {
    std::rethrow_exception(kept);
  } catch (const std::invalid_argument &error) {
    return error.what() == std::string_view("carried");
  }
  return 0;
}

int main() {
  int one = 0, two = 0;
  std::thread a([&] { one = work(); }), b([&] { two = work(); });
  a.join();
  b.join();
  assert(carried());
  heddle_observe("one", one);
  heddle_observe("two", two);
  heddle_observe("depth", depth());
}
