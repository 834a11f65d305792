// SPDX-License-Identifier: MIT
//
// Calls the string function that the argument names on a string that another thread uses at the same time; what the
// reader sees, the old string or the new one, is an observation. For tests/cli/string_accesses.sh.
#define _GNU_SOURCE
#include "heddle.h"
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static char text[16] = "121";
static char local[16];

static char *empty(void) {
  local[0] = '\0';
  return local;
}

static int length_of_copy(char *copy) {
  const int length = (int)strlen(copy);
  free(copy);
  return length;
}

// Each is true when the string is still "121", false when it ends after its first character.
#define READERS(READER)                                                                                                \
  READER(memcpy, ((char *)memcpy(local, text, 4))[1] == '2')                                                           \
  READER(memmove, ((char *)memmove(local, text, 4))[1] == '2')                                                         \
  READER(mempcpy, ((char *)mempcpy(local, text, 4))[-3] == '2')                                                        \
  READER(memcmp, memcmp(text, "121", 3) == 0)                                                                          \
  READER(bcmp, bcmp(text, "121", 3) == 0)                                                                              \
  READER(memchr, memchr(text, '2', 3) != NULL)                                                                         \
  READER(strlen, strlen(text) == 3)                                                                                    \
  READER(strnlen, strnlen(text, 8) == 3)                                                                               \
  READER(strcpy, strcpy(local, text)[1] == '2')                                                                        \
  READER(stpcpy, stpcpy(local, text) == local + 3)                                                                     \
  READER(strncpy, strncpy(local, text, 8)[1] == '2')                                                                   \
  READER(strcat, strcat(empty(), text)[1] == '2')                                                                      \
  READER(strncat, strncat(empty(), text, 8)[1] == '2')                                                                 \
  READER(strcmp, strcmp(text, "121") == 0)                                                                             \
  READER(strncmp, strncmp(text, "121", 3) == 0)                                                                        \
  READER(strcasecmp, strcasecmp(text, "121") == 0)                                                                     \
  READER(strncasecmp, strncasecmp(text, "121", 3) == 0)                                                                \
  READER(strchr, strchr(text, '2') != NULL)                                                                            \
  READER(strrchr, strrchr(text, '2') != NULL)                                                                          \
  READER(strstr, strstr(text, "2") != NULL)                                                                            \
  READER(strspn, strspn(text, "12") == 3)                                                                              \
  READER(strcspn, strcspn(text, "x") == 3)                                                                             \
  READER(strpbrk, strpbrk(text, "2") != NULL)                                                                          \
  READER(strdup, length_of_copy(strdup(text)) == 3)                                                                    \
  READER(strndup, length_of_copy(strndup(text, 8)) == 3)                                                               \
  READER(atoi, atoi(text) == 121)                                                                                      \
  READER(atol, atol(text) == 121)                                                                                      \
  READER(strtol, strtol(text, NULL, 10) == 121)                                                                        \
  READER(strtoul, strtoul(text, NULL, 10) == 121)

// Each changes the second or the fourth character.
#define WRITERS(WRITER)                                                                                                \
  WRITER(memcpy, memcpy(text, "000", 3))                                                                               \
  WRITER(memmove, memmove(text, "000", 3))                                                                             \
  WRITER(mempcpy, mempcpy(text, "000", 3))                                                                             \
  WRITER(memset, memset(text, '0', 3))                                                                                 \
  WRITER(bzero, bzero(text, 3))                                                                                        \
  WRITER(strcpy, strcpy(text, "000"))                                                                                  \
  WRITER(stpcpy, stpcpy(text, "000"))                                                                                  \
  WRITER(strncpy, strncpy(text, "000", 3))                                                                             \
  WRITER(strcat, strcat(text, "3"))                                                                                    \
  WRITER(strncat, strncat(text, "34", 1))

static const char *function;

static void *cut(void *unused) {
  text[1] = '\0';
  return NULL;
}

static void look(void) {
#define READER(name, is_old)                                                                                           \
  if (strcmp(function, #name) == 0) heddle_observe("old", is_old);
  READERS(READER)
#undef READER
}

static void *change(void *unused) {
#define WRITER(name, call)                                                                                             \
  if (strcmp(function, #name) == 0) (void)(call);
  WRITERS(WRITER)
#undef WRITER
  return NULL;
}

int main(int argc, char **argv) {
  assert(argc == 3);
  const int reads = strcmp(argv[1], "reads") == 0;
  function = argv[2];
  pthread_t thread;
  pthread_create(&thread, NULL, reads ? cut : change, NULL);
  if (reads)
    look();
  else
    heddle_observe("old", text[1] == '2' && text[3] == '\0');
  pthread_join(thread, NULL);
  return 0;
}
