// Names of classes, namespaces and templates in reports; virtual functions and casts in code that is followed.
// heddle: --strategy optimal
// expect: exit=1 bug=assertion line=BUG function="(anonymous namespace)::Square<long>::area"
#include <atomic>
#include <cassert>
#include <memory>
#include <thread>

namespace {
struct Shape {
  virtual ~Shape() = default;
  virtual int area() = 0;
};

struct Named {
  virtual ~Named() = default;
  std::atomic<int> side{0};
};

template <typename Number> struct Square : Shape, Named {
  int area() override {
    const int first = side, second = side;
    assert(first == second); // BUG
    return first * second;
  }
};
} // namespace

static Square<long> shapes;

int main() {
  Shape *shape = &shapes;
  std::thread other([shape] { dynamic_cast<Named &>(*shape).side = 2; });
  shape->area();
  other.join();
}
