/* SPDX-License-Identifier: MIT
 *
 * What the runtime cannot say in C, part of every program that is linked with libstdc++. Not instrumented.
 */
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cxxabi.h>
#include <exception>
#include <sys/single_threaded.h>
#include <typeinfo>

namespace __gnu_cxx {
void __verbose_terminate_handler();
}

/* The runtime's references to what it replaces are weak, for C. Here they are not, so that the linker takes them from
 * the library. */
extern "C" {
int __real___cxa_guard_acquire(char *);
void __real___cxa_guard_release(char *);
void __real___cxa_guard_abort(char *);
int __real___cxa_thread_atexit(void (*)(void *), void *, void *);
int __real__Unwind_RaiseException(void *);
int __real__Unwind_Resume_or_Rethrow(void *);
void __real__ZSt9terminatev();
void __real__ZN10__cxxabiv111__terminateEPFvvE(void (*)());
}

static void need(auto *function) {
  __asm__ volatile("" : : "r"(function));
}

/* Before the runs, once for all of them: glibc does not see the program's threads, and libstdc++ would save itself
 * atomic operations; and the first exception makes a table of all functions. */
__attribute__((constructor)) static void prepare() {
  need(__real___cxa_guard_acquire);
  need(__real___cxa_guard_release);
  need(__real___cxa_guard_abort);
  need(__real___cxa_thread_atexit);
  need(__real__Unwind_RaiseException);
  need(__real__Unwind_Resume_or_Rethrow);
  need(__real__ZSt9terminatev);
  need(__real__ZN10__cxxabiv111__terminateEPFvvE);
  __libc_single_threaded = 0;
  try {
    throw 0;
  } catch (int) {
  }
}

static bool is_of_program(std::terminate_handler handler) {
  return handler && handler != __gnu_cxx::__verbose_terminate_handler && handler != abort;
}

static void describe_exception(char *words, size_t size) {
  const std::type_info *type = abi::__cxa_current_exception_type();
  int status = -1;
  char *name = type ? abi::__cxa_demangle(type->name(), nullptr, nullptr, &status) : nullptr;
  const char *shown = status == 0 ? name : type ? type->name() : "an exception of another language";
  try {
    throw;
  } catch (const std::exception &exception) {
    snprintf(words, size, "%s: %s", shown, exception.what());
  } catch (...) {
    snprintf(words, size, "%s", shown);
  }
  free(name);
}

extern "C" bool __heddle_terminates(char *words, size_t size, const void **object);

bool __heddle_terminates(char *words, size_t size, const void **object) {
  if (is_of_program(std::get_terminate())) return false;
  const std::exception_ptr current = std::current_exception();
  *object = *reinterpret_cast<void *const *>(&current);
  if (*object) describe_exception(words, size);
  return true;
}
