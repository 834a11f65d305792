// An exception that several threads have at the same time is in memory that the library uses unseen: heddle says so.
// expect: exit=3 verdict=incomplete bugs=0 warning~"std::runtime_error::what"
#include <exception>
#include <stdexcept>
#include <thread>

int main() {
  const std::exception_ptr both = std::make_exception_ptr(std::runtime_error("both"));
  auto work = [&] {
    try {
      std::rethrow_exception(both);
    } catch (const std::exception &error) {
      if (error.what()[0] != 'b') throw;
    }
  };
  std::thread a(work), b(work);
  a.join();
  b.join();
}
