// What the containers do is seen: two threads change a map without a lock.
// heddle: --races error --strategy optimal
// expect: exit=1 bug=data-race
#include <map>
#include <thread>

std::map<int, int> numbers;

int main() {
  std::thread other([] { numbers[1] = 1; });
  numbers[2] = 2;
  other.join();
}
