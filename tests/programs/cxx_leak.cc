// What new made and nobody has any more.
// heddle: --leaks
// expect: exit=0 verdict=clean warning~"leak"
#include <memory>
#include <thread>

struct pair {
  std::shared_ptr<pair> other;
};

int main() {
  std::thread([] {
    auto a = std::make_shared<pair>(), b = std::make_shared<pair>();
    a->other = b;
    b->other = a;
  }).join();
}
