/* SPDX-License-Identifier: MIT
 *
 * The rows of abi/effects.def against the C library itself. Each function is called with memory that is filled with one
 * pattern, and again with another. What changed must be what the row says was written, and no more; unless a try is
 * loose, what the row says was written did change, in one of the two.
 */
#include "library_effects.h"

#include <dlfcn.h>
#include <err.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <getopt.h>
#include <grp.h>
#include <inttypes.h>
#include <libgen.h>
#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ipc.h>
#include <sys/random.h>
#include <sys/sendfile.h>
#include <sys/wait.h>
#include <syslog.h>
#include <unistd.h>

/* What <libgen.h> renames, and what has no declaration. */
#undef basename
char *basename(const char *path);
char *__xpg_basename(char *path);
int __xpg_strerror_r(int number, char *buffer, size_t size);
int __isoc99_sscanf(const char *text, const char *format, ...);
int __isoc99_vsscanf(const char *text, const char *format, va_list list);

/* ---- memory and strings ---- */

static void strings(void **state) {
  TRY(memccpy, P(OUT), P("ab:cd"), ':', 5);
  TRY(memccpy, P(OUT), P("abcd"), ':', 3);
  TRY(memrchr, P("abc"), 'b', 3);
  TRY(memmem, P("abc"), 3, P("bc"), 2);
  TRY(bcopy, P("abc"), P(OUT), 3);
  TRY(explicit_bzero, P(OUT), 7);
  TRY(swab, P("abcd"), P(OUT), 4);
  TRY(stpncpy, P(OUT), P("abc"), 8);
  TRY(strcoll, P("a"), P("b"));
  TRY(strxfrm, P(OUT), P("abc"), 20);
  TRY(strxfrm, P(OUT), P("abc"), 4);
  TRY(strcasestr, P("abc"), P("B"));
  TRY(strchrnul, P("abc"), 'b');
  TRY(strverscmp, P("a1"), P("a2"));
  TRY(index, P("abc"), 'b');
  TRY(rindex, P("abc"), 'b');
  TRY(strerror_r, 2, P(OUT), 64);
  TRY(strerror_r, 9999, P(OUT), 64);
  TRY(__xpg_strerror_r, 2, P(OUT), 64);
  TRY(basename, P("/a/b"));
  TRY(__xpg_basename, P(text_at(IN, "/a/b/")));
  TRY(dirname, P(text_at(IN, "/a/b")));
  TRY(fnmatch, P("a*"), P("abc"), 0);
}

static void tokens(void **state) {
  TRY(strtok, P(text_at(IN, "a,b")), P(","));
  TRY(strtok, P(text_at(IN, "abc")), P(","));
  TRY(strtok_r, P(text_at(IN, "a,b")), P(","), P(OUT));
  char *rest = text_at(IN, "b,c");
  memcpy(IN2, &rest, sizeof rest);
  TRY(strtok_r, 0, P(","), P(IN2));
  rest = text_at(IN, "b,c");
  memcpy(IN2, &rest, sizeof rest);
  TRY(strsep, P(IN2), P(","));
  rest = text_at(IN, "bc");
  memcpy(IN2, &rest, sizeof rest);
  TRY(strsep, P(IN2), P(","));
}

static void wide(void **state) {
  TRY(wcslen, P(L"abc"));
  TRY(wcscpy, P(OUT), P(L"abc"));
  TRY(wcscmp, P(L"abc"), P(L"abd"));
  TRY(wcschr, P(L"abc"), 'b');
  TRY(wcsrchr, P(L"abc"), 'b');
  TRY(wcsstr, P(L"abc"), P(L"b"));
  free(wcsdup(L"abc"));
  TRY(wmemcpy, P(OUT), P(L"abc"), 3);
  TRY(wmemmove, P(OUT), P(L"abc"), 3);
  TRY(wmemset, P(OUT), 'x', 3);
  TRY(wmemcmp, P(L"abc"), P(L"abd"), 3);
  TRY(mbstowcs, P(OUT), P("abc"), 10);
  TRY(mbstowcs, P(OUT), P("abc"), 2);
  TRY(wcstombs, P(OUT), P(L"abc"), 10);
  TRY(wcstombs, P(OUT), P(L"abc"), 2);
  TRY(mbtowc, P(OUT), P("abc"), 3);
  TRY(mblen, P("abc"), 3);
  TRY(wctomb, P(OUT), 'x');
  TRY(wcstol, P(L"12x"), P(OUT), 10);
  FILE *file = fopen("/dev/null", "w");
  TRY(fputws, P(L"abc"), P(file));
  fclose(file);
}

/* ---- numbers ---- */

static uint64_t call_frexp(int *place) {
  return frexp(8.5, place) > 0;
}
static uint64_t call_frexpf(int *place) {
  return frexpf(8.5f, place) > 0;
}
static uint64_t call_frexpl(int *place) {
  return frexpl(8.5l, place) > 0;
}
static uint64_t call_modf(double *place) {
  return modf(8.5, place) > 0;
}
static uint64_t call_modff(float *place) {
  return modff(8.5f, place) > 0;
}
static uint64_t call_modfl(long double *place) {
  return modfl(8.5l, place) > 0;
}
static uint64_t call_remquo(int *place) {
  return remquo(8.5, 2, place) > 0;
}
static uint64_t call_remquof(int *place) {
  return remquof(8.5f, 2, place) > 0;
}
static uint64_t call_lgamma_r(int *place) {
  return lgamma_r(8.5, place) > 0;
}
static uint64_t call_sincos(double *sine, double *cosine) {
  sincos(8.5, sine, cosine);
  return 0;
}

static void numbers(void **state) {
  TRY(atof, P("1.5"));
  TRY(strtod, P("1.5x"), P(OUT));
  TRY(strtod, P("1.5x"), 0);
  TRY(strtof, P("1.5x"), P(OUT));
  TRY(strtold, P("1.5x"), P(OUT));
  TRY(strtoimax, P("12x"), P(OUT), 10);
  TRY(strtoumax, P("12x"), P(OUT), 10);
  TRY(a64l, P("ab"));
  TRY_LOOSELY(rand_r, P(OUT));
  TRY_LOOSELY(erand48, P(OUT));
  TRY_LOOSELY(nrand48, P(OUT));
  TRY_LOOSELY(jrand48, P(OUT));
  TRY_LOOSELY(getrandom, P(OUT), 16, 0);
  TRY_LOOSELY(getentropy, P(OUT), 16);
  TRY_AS(frexp, call_frexp, false, P(OUT));
  TRY_AS(frexpf, call_frexpf, false, P(OUT));
  TRY_AS(frexpl, call_frexpl, false, P(OUT));
  TRY_AS(modf, call_modf, false, P(OUT));
  TRY_AS(modff, call_modff, false, P(OUT));
  TRY_AS(modfl, call_modfl, false, P(OUT));
  TRY_AS(remquo, call_remquo, false, P(OUT));
  TRY_AS(remquof, call_remquof, false, P(OUT));
  TRY_AS(lgamma_r, call_lgamma_r, false, P(OUT));
  TRY_AS(sincos, call_sincos, false, P(OUT), P(OUT2));
  TRY(nan, P("1"));
}

/* ---- formats ---- */

static uint64_t asprintf_of(char **to, const char *format, int number) {
  const int length = asprintf(to, format, number);
  free(*to);
  return (uint64_t)length;
}

static void printing_functions(void **state) {
  FILE *file = fopen("/dev/null", "w");
  const int null = open("/dev/null", O_WRONLY);
  TRY(fprintf, P(file), P("%d %s%n"), 1, P("a"), P(OUT));
  TRY(fprintf, P(file), P("%*d%-5.2s%c%%%lld%hhn"), 5, 1, P("abc"), 'x', 2, P(OUT));
  TRY(dprintf, null, P("%s"), P("a"));
  TRY(sprintf, P(OUT), P("%d-%s"), 5, P("abc"));
  TRY(sprintf, P(OUT), P("%5d%.3s%ls%p"), 5, P("abcdef"), P(L"wide"), P(OUT));
  TRY(snprintf, P(OUT), 4, P("%s"), P("abcdef"));
  TRY(snprintf, P(OUT), 40, P("%s"), P("abcdef"));
  TRY(snprintf, P(OUT), 0, P("%s"), P("abcdef"));
  TRY(snprintf, 0, 0, P("%d"), 7);
  TRY(syslog, 7, P("%s"), P("test"));
  TRY(puts, P(""));
  TRY(warnx, P("%s"), P("a warning of the test"));
  TRY(warn, P("%s"), P("a warning of the test"));
  TRY(perror, P("of the test"));
  TRY(printf, P("%s"), P(""));
  TRY(fputs, P("a"), P(file));
  TRY(fputs_unlocked, P("a"), P(file));
  TRY(fwrite, P("abc"), 1, 3, P(file));
  TRY(fwrite_unlocked, P("abc"), 1, 3, P(file));
  TRY(write, null, P("abc"), 3);
  TRY(pwrite, null, P("abc"), 3, 0);
  TRY_AS(asprintf, asprintf_of, true, P(OUT), P("%d"), 5);
  fclose(file);
  close(null);
}

/* With a list of their own, so that the next round finds it unused. */
static uint64_t vsnprintf_of(char *to, size_t size, const char *format, struct argument_list *list) {
  struct argument_list copy = *list;
  return (uint64_t)vsnprintf(to, size, format, (void *)&copy);
}

static uint64_t vsprintf_of(char *to, const char *format, struct argument_list *list) {
  struct argument_list copy = *list;
  return (uint64_t)vsprintf(to, format, (void *)&copy);
}

static uint64_t vasprintf_of(char **to, const char *format, struct argument_list *list) {
  struct argument_list copy = *list;
  const int length = vasprintf(to, format, (void *)&copy);
  free(*to);
  return (uint64_t)length;
}

static uint64_t vsscanf_of(const char *text, const char *format, struct argument_list *list) {
  struct argument_list copy = *list;
  return (uint64_t)vsscanf(text, format, (void *)&copy);
}

/* The list of a function whose registers are all used up: everything lies in the overflow area. */
static uint64_t list_of_words(const uint64_t *words) {
  static struct argument_list list;
  list = (struct argument_list){48, 176, (char *)words, NULL};
  return P(&list);
}

static void lists(void **state) {
  static uint64_t words[4];
  words[0] = 5, words[1] = P("abc");
  TRY_AS(vsnprintf, vsnprintf_of, false, P(OUT), 20, P("%d %s"), list_of_words(words));
  words[0] = P(OUT), words[1] = P(OUT2);
  TRY_AS(vasprintf, vasprintf_of, true, P(OUT), P("%p"), list_of_words(words));
  TRY_AS(vsprintf, vsprintf_of, false, P(OUT3), P("%p"), list_of_words(words));
  TRY_AS(vsscanf, vsscanf_of, false, P("12 abc"), P("%d %s"), list_of_words(words));
}

static void scanning_functions(void **state) {
  TRY(sscanf, P("12 abc"), P("%d %s"), P(OUT), P(OUT2));
  TRY(sscanf, P("12 abc"), P("%d %d"), P(OUT), P(OUT2));
  TRY(sscanf, P("12 abc"), P("%*d %2s%n"), P(OUT), P(OUT2));
  TRY(sscanf, P("12 abc"), P("%hhd%n%[ab ]"), P(OUT), P(OUT2), P(OUT3));
  TRY(sscanf, P("1.5 2.5 3.5"), P("%f %lf %Lf"), P(OUT), P(OUT2), P(OUT3));
  TRY(sscanf, P("abcdef"), P("%3c%ls"), P(OUT), P(OUT2));
  TRY(sscanf, P(""), P("%d"), P(OUT));
  TRY(__isoc99_sscanf, P("7f x"), P("%lx %c"), P(OUT), P(OUT2));
}

/* ---- files ---- */

static int make_file(void) {
  char name[] = "/tmp/heddle-effects-XXXXXX";
  const int file = mkstemp(name);
  assert_true(file >= 0);
  unlink(name);
  for (int i = 0; i < 16; i++) assert_int_equal(write(file, "one line of text\n", 17), 17);
  lseek(file, 0, SEEK_SET);
  return file;
}

static void reading(void **state) {
  const int descriptor = make_file();
  FILE *file = fdopen(dup(descriptor), "r");
  TRY(fgets, P(OUT), 100, P(file));
  TRY(fgets, P(OUT), 4, P(file));
  TRY(fgets_unlocked, P(OUT), 100, P(file));
  TRY(fread, P(OUT), 3, 4, P(file));
  TRY(fread_unlocked, P(OUT), 3, 4, P(file));
  TRY_LOOSELY(fgetpos, P(file), P(OUT));
  memset(IN, 0, sizeof(fpos_t));
  TRY(pread, descriptor, P(OUT), 10, 0);
  TRY(pread, descriptor, P(OUT), 4000, 0);
  lseek(descriptor, 0, SEEK_SET);
  TRY(read, descriptor, P(OUT), 10);
  TRY(read, -1, P(OUT), 10);
  const struct iovec pieces[] = {{OUT, 3}, {OUT2, 4}};
  memcpy(IN, pieces, sizeof pieces);
  TRY(preadv, descriptor, P(IN), 2, 0);
  memcpy(IN, pieces, sizeof pieces);
  TRY(readv, descriptor, P(IN), 2);
  const int null = open("/dev/null", O_WRONLY);
  memcpy(IN, pieces, sizeof pieces);
  TRY(writev, null, P(IN), 2);
  close(null);
  fclose(file);
  close(descriptor);
}

static void names(void **state) {
  TRY(access, P("/"), F_OK);
  TRY(readlink, P("/proc/self/exe"), P(OUT), 4000);
  TRY(readlink, P("/"), P(OUT), 4000);
  TRY(realpath, P("/usr/.."), P(OUT));
  TRY(getcwd, P(OUT), 1000);
  TRY(getcwd, P(OUT), 1);
  TRY(mkstemp, P(text_at(IN, "/nowhere/XXXXXX")));
  TRY(mkdtemp, P(text_at(IN, "/nowhere/XXXXXX")));
  TRY(ftok, P("/"), 1);
  TRY(pathconf, P("/"), 4);
  TRY_LOOSELY(stat, P("/"), P(OUT));
  TRY(stat, P("/nowhere"), P(OUT));
  TRY_LOOSELY(lstat, P("/"), P(OUT));
  TRY_LOOSELY(fstat, 0, P(OUT));
  TRY_LOOSELY(stat64, P("/"), P(OUT));
  TRY_LOOSELY(lstat64, P("/"), P(OUT));
  TRY_LOOSELY(fstat64, 0, P(OUT));
  TRY_LOOSELY(fstatat, (uint64_t)AT_FDCWD, P("/"), P(OUT), 0);
  TRY_LOOSELY(statfs, P("/"), P(OUT));
  TRY_LOOSELY(statvfs, P("/"), P(OUT));
  TRY(tcgetattr, -1, P(OUT));
  TRY(mkdir, P("/"), 0);
  TRY(rmdir, P("/nowhere"));
  TRY(unlink, P("/nowhere"));
  TRY(rename, P("/nowhere"), P("/neither"));
  TRY(remove, P("/nowhere"));
}

/* ---- time, process ---- */

static void times_and_dates(void **state) {
  const time_t moment = 1700000000;
  struct tm date;
  gmtime_r(&moment, &date);
  memcpy(IN, &moment, sizeof moment);
  TRY_LOOSELY(gmtime_r, P(IN), P(OUT));
  memcpy(IN, &moment, sizeof moment);
  TRY_LOOSELY(localtime_r, P(IN), P(OUT));
  memcpy(IN, &moment, sizeof moment);
  TRY(ctime_r, P(IN), P(OUT));
  memcpy(IN, &date, sizeof date);
  TRY(asctime_r, P(IN), P(OUT));
  memcpy(IN, &date, sizeof date);
  TRY(strftime, P(OUT), 100, P("%Y-%m"), P(IN));
  memcpy(IN, &date, sizeof date);
  TRY(strftime, P(OUT), 3, P(""), P(IN));
  memcpy(IN, &date, sizeof date);
  TRY(mktime, P(IN));
  memcpy(IN, &date, sizeof date);
  TRY(timegm, P(IN));
  TRY_LOOSELY(strptime, P("2024-01-02"), P("%Y-%m-%d"), P(OUT));
  TRY(clock_getres, CLOCK_MONOTONIC, P(OUT));
  TRY(times, P(OUT));
  TRY(getitimer, ITIMER_REAL, P(OUT));
}

static void processes(void **state) {
  TRY_LOOSELY(getrusage, RUSAGE_SELF, P(OUT));
  TRY(getrlimit, RLIMIT_CORE, P(OUT));
  TRY(getloadavg, P(OUT), 3);
  TRY(getgroups, 0, P(OUT));
  TRY_LOOSELY(getgroups, 100, P(OUT));
  TRY_LOOSELY(uname, P(OUT));
  TRY_LOOSELY(sysinfo, P(OUT));
  TRY(gethostname, P(OUT), 200);
  TRY(confstr, _CS_PATH, P(OUT), 100);
  TRY(confstr, _CS_PATH, P(OUT), 3);
  TRY_LOOSELY(sched_getaffinity, 0, 128, P(OUT));
  TRY(sched_getparam, 0, P(OUT));
  TRY(sigemptyset, P(OUT));
  TRY(sigfillset, P(OUT));
  TRY_LOOSELY(sigaddset, P(IN), 3);
  TRY_LOOSELY(sigdelset, P(IN), 3);
  TRY(sigismember, P(IN), 3);
  TRY_LOOSELY(sigaltstack, 0, P(OUT));
  TRY_LOOSELY(getpwuid_r, 0, P(OUT), P(OUT2), 1000, P(OUT3));
  TRY(regerror, REG_BADPAT, 0, P(OUT), 100);
}

/* ---- files that are not there, settings that are the same ---- */

static void files_that_fail(void **state) {
  TRY(faccessat, (uint64_t)AT_FDCWD, P("/nowhere"), F_OK, 0);
  TRY(chmod, P("/nowhere"), 0);
  TRY(chown, P("/nowhere"), 0, 0);
  TRY(mkdirat, (uint64_t)AT_FDCWD, P("/"), 0);
  TRY(unlinkat, (uint64_t)AT_FDCWD, P("/nowhere"), 0);
  TRY(link, P("/nowhere"), P("/neither"));
  TRY(symlink, P("/nowhere"), P("/nowhere/neither"));
  TRY(truncate, P("/nowhere"), 0);
  TRY(mkfifo, P("/nowhere/x"), 0);
  TRY(mkstemps, P(text_at(IN, "/nowhere/XXXXXX.c")), 2);
  TRY(mkostemp, P(text_at(IN, "/nowhere/XXXXXX")), 0);
  TRY(utime, P("/nowhere"), 0);
  TRY(utimes, P("/nowhere"), 0);
  TRY(utimensat, (uint64_t)AT_FDCWD, P("/nowhere"), 0, 0);
  TRY(futimens, -1, 0);
  TRY_LOOSELY(fstatfs, 0, P(OUT));
  TRY_LOOSELY(fstatvfs, 0, P(OUT));
  TRY(tcsetattr, -1, 0, P(IN));
  TRY(epoll_ctl, -1, 1, 0, P(IN));
  TRY(epoll_wait, -1, P(OUT), 3, 0);
  TRY(dlopen, P("/nowhere"), RTLD_LAZY);
  TRY(dlsym, 0, P("puts"));
  TRY(ttyname_r, -1, P(OUT), 100);
  memset(IN, 0, 64);
  TRY(pwritev, -1, P(IN), 1, 0);
  FILE *null = fopen("/dev/null", "r+");
  TRY(setvbuf, P(null), 0, _IONBF, 0);
  TRY(setbuf, P(null), 0);
  fpos_t place;
  fgetpos(null, &place);
  memcpy(IN, &place, sizeof place);
  TRY(fsetpos, P(null), P(IN));
  fclose(null);
}

static uint64_t regcomp_of(regex_t *to, const char *expression, int flags) {
  const int result = regcomp(to, expression, flags);
  regex_t copy = *to;
  regfree(&copy);
  return (uint64_t)result;
}

static void settings(void **state) {
  TRY(setenv, P("HEDDLE_X"), P("1"), 1);
  TRY(secure_getenv, P("HEDDLE_X"));
  TRY(unsetenv, P("HEDDLE_X"));
  TRY(setlocale, LC_ALL, P("C"));
  TRY(getdomainname, P(OUT), 200);
  TRY_LOOSELY(getlogin_r, P(OUT), 200);
  TRY(getpwnam, P("root"));
  TRY(getgrnam, P("root"));
  TRY_LOOSELY(getpwnam_r, P("root"), P(OUT), P(OUT2), 1000, P(OUT3));
  struct rlimit limit;
  getrlimit(RLIMIT_CORE, &limit);
  memcpy(IN, &limit, sizeof limit);
  TRY(setrlimit, RLIMIT_CORE, P(IN));
  TRY(sched_rr_get_interval, 0, P(OUT));
  TRY(sched_setscheduler, (uint64_t)-1, 0, P(IN));
  sched_getaffinity(0, 128, (cpu_set_t *)IN);
  TRY(sched_setaffinity, 0, 128, P(IN));
  TRY_LOOSELY(backtrace, P(OUT), 3);
  TRY(backtrace_symbols_fd, P(IN), 0, 1);
  const time_t moment = 0;
  memcpy(IN, &moment, sizeof moment);
  TRY(gmtime, P(IN));
  TRY(localtime, P(IN));
  TRY(ctime, P(IN));
  memset(IN, 0, sizeof(struct tm));
  TRY(asctime, P(IN));
  TRY_AS(regcomp, regcomp_of, true, P(OUT), P("a*"), 0);
}

static void expressions(void **state) {
  regex_t expression;
  assert_int_equal(regcomp(&expression, "b\\(c\\)", 0), 0);
  TRY(regexec, P(&expression), P("abc"), 2, P(OUT), 0);
  TRY(regexec, P(&expression), P("xyz"), 2, P(OUT), 0);
  regfree(&expression);
  char *const words[] = {"program", "word", "-a", NULL};
  memcpy(IN, words, sizeof words);
  TRY(getopt, 3, P(IN), P("a"));
  memcpy(IN, words, sizeof words);
  TRY(getopt_long, 3, P(IN), P("a"), 0, 0);
}

/* ---- networks ---- */

static void addresses(void **state) {
  TRY(inet_addr, P("1.2.3.4"));
  TRY(inet_aton, P("1.2.3.4"), P(OUT));
  TRY(inet_aton, P("x"), P(OUT));
  TRY(inet_pton, AF_INET, P("1.2.3.4"), P(OUT));
  TRY(inet_pton, AF_INET6, P("1:2:3:4:5:6:7:8"), P(OUT));
  TRY(inet_pton, AF_INET, P("x"), P(OUT));
  TRY(inet_ntop, AF_INET, P(IN), P(OUT), 100);
  TRY(inet_ntop, AF_INET6, P(IN), P(OUT), 100);
}

static void set_length(uint32_t length) {
  memcpy(IN, &length, sizeof length);
}

static void sockets(void **state) {
  int ends[2];
  assert_int_equal(socketpair(AF_UNIX, SOCK_DGRAM, 0, ends), 0);
  for (int i = 0; i < 8; i++) assert_int_equal(send(ends[0], "hello", 5, 0), 5);
  TRY(recv, ends[1], P(OUT), 100, 0);
  set_length(100);
  TRY(recvfrom, ends[1], P(OUT), 100, 0, 0, 0);
  const struct iovec pieces[] = {{OUT, 3}, {OUT2, 40}};
  const struct msghdr message = {.msg_iov = (struct iovec *)IN2, .msg_iovlen = 2};
  memcpy(IN2, pieces, sizeof pieces);
  memcpy(IN, &message, sizeof message);
  TRY(recvmsg, ends[1], P(IN), 0);
  memcpy(IN2, pieces, sizeof pieces);
  memcpy(IN, &message, sizeof message);
  TRY(sendmsg, ends[0], P(IN), 0);
  TRY(send, ends[0], P("abc"), 3, 0);
  TRY(sendto, ends[0], P("abc"), 3, 0, 0, 0);
  set_length(4);
  TRY(getsockopt, ends[0], SOL_SOCKET, SO_TYPE, P(OUT), P(IN));
  set_length(100);
  TRY(getsockname, ends[0], P(OUT), P(IN));
  set_length(1);
  TRY(getsockname, ends[0], P(OUT), P(IN));
  close(ends[0]);
  close(ends[1]);
}

static void networks(void **state) {
  struct sockaddr_in address = {.sin_family = AF_INET};
  memcpy(IN, &address, sizeof address);
  TRY(bind, -1, P(IN), sizeof address);
  memcpy(IN, &address, sizeof address);
  TRY(connect, -1, P(IN), sizeof address);
  set_length(100);
  TRY(accept, -1, P(OUT), P(IN));
  set_length(100);
  TRY(accept4, -1, P(OUT), P(IN), 0);
  set_length(100);
  TRY(getpeername, -1, P(OUT), P(IN));
  TRY(setsockopt, -1, SOL_SOCKET, SO_TYPE, P(IN), 4);
  memcpy(IN, &address, sizeof address);
  TRY(getnameinfo, P(IN), sizeof address, P(OUT), 100, P(OUT2), 100, NI_NUMERICHOST | NI_NUMERICSERV);
  TRY(getaddrinfo, P("no address"), 0, 0, P(OUT));
  TRY(gethostbyname, P("127.0.0.1"));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(strings),
      cmocka_unit_test(tokens),
      cmocka_unit_test(wide),
      cmocka_unit_test(numbers),
      cmocka_unit_test(printing_functions),
      cmocka_unit_test(lists),
      cmocka_unit_test(scanning_functions),
      cmocka_unit_test(reading),
      cmocka_unit_test(names),
      cmocka_unit_test(times_and_dates),
      cmocka_unit_test(processes),
      cmocka_unit_test(addresses),
      cmocka_unit_test(sockets),
      cmocka_unit_test(files_that_fail),
      cmocka_unit_test(settings),
      cmocka_unit_test(expressions),
      cmocka_unit_test(networks),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
