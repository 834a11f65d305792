// Calls of stdio are changes of the stream's file: two threads that use one stream, or one file, are explored in both
// orders.
// heddle: --strategy optimal
// expect: exit=0 verdict=clean complete=true runs=2 threads=3
// observe: first=97 second=98
// observe: first=98 second=97
#define _GNU_SOURCE
#include <assert.h>
#include <heddle.h>
#include <pthread.h>
#include <stdio.h>
#include <wchar.h>

static FILE *stream;

static void *put(void *letter) {
  fputs(letter, stream);
  return NULL;
}

static void check_calls(void) {
  FILE *file = fopen("calls", "w+");
  assert(file && putc('a', file) == 'a' && fputc('b', file) == 'b');
  assert(putc_unlocked('c', file) == 'c' && fputc_unlocked('d', file) == 'd' && fwrite("ef", 1, 2, file) == 2);
  assert(fputs_unlocked("g", file) >= 0 && fwrite_unlocked("h", 1, 1, file) == 1 && fflush(file) == 0);
  assert(fflush_unlocked(file) == 0 && ftell(file) == 8 && ftello(file) == 8 && fseeko(file, 0, SEEK_SET) == 0);
  assert(getc(file) == 'a' && fgetc(file) == 'b' && getc_unlocked(file) == 'c' && fgetc_unlocked(file) == 'd');
  assert(ungetc('d', file) == 'd' && fgetc(file) == 'd' && !feof(file));
  fpos_t place;
  char text[4] = "";
  assert(fgetpos(file, &place) == 0 && fgets(text, 3, file) && fsetpos(file, &place) == 0);
  assert(fread_unlocked(text, 1, 2, file) == 2 && text[0] == 'e' && fgets_unlocked(text, 3, file) && text[1] == 'h');
  rewind(file);
  assert(fgetc(file) == 'a' && fclose(file) == 0);
  file = fopen("wide", "w+");
  assert(file && fputwc(L'a', file) == L'a' && putwc(L'b', file) == L'b' && fputws(L"c", file) >= 0);
  assert(fseek(file, 0, SEEK_SET) == 0 && fgetwc(file) == L'a' && getwc(file) == L'b' && fclose(file) == 0);
}

int main(void) {
  pthread_t a, b;
  check_calls();
  stream = fopen("letters", "w+");
  pthread_create(&a, NULL, put, "a");
  pthread_create(&b, NULL, put, "b");
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  rewind(stream);
  heddle_observe("first", fgetc(stream));
  heddle_observe("second", fgetc(stream));
  fclose(stream);
  return 0;
}
