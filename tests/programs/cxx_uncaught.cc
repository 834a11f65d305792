// An exception that nobody catches is a finding, with its type, what it says, and where it was thrown.
// heddle: --strategy optimal
// expect: exit=1 bug=exception line=BUG function=shop::Till<int>::take message~"uncaught exception: shop::closed: no money"
// expect: bugs=1 warnings=0
// replay: uncaught exception: shop::closed: no money
#include <atomic>
#include <stdexcept>
#include <thread>

namespace shop {
struct closed : std::runtime_error {
  using std::runtime_error::runtime_error;
};

template <typename Coin> class Till {
public:
  void put() { coins++; }
  void take() {
    if (coins.fetch_sub(1) == 0) throw closed("no money"); // BUG
  }

private:
  std::atomic<Coin> coins{0};
};
} // namespace shop

shop::Till<int> till;

int main() {
  std::thread other([] { till.put(); });
  till.take();
  other.join();
}
