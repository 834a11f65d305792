// Threads that print: what goes where is not the program's memory. What they print is, and is read under the lock.
// expect: exit=0 verdict=clean complete=true warnings=0 runs=2
#include <iostream>
#include <mutex>
#include <sstream>
#include <string>
#include <thread>

std::mutex mutex;
std::string text;

static void work(int number) {
  std::ostringstream own;
  own << "thread " << number;
  std::lock_guard lock(mutex);
  text += own.str();
  std::cout << text << ' ' << number << std::endl;
}

int main() {
  std::thread a(work, 1), b(work, 2);
  a.join();
  b.join();
}
