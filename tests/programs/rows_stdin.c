// SPDX-License-Identifier: MIT
// Standard input and other streams without --sym-stdin: as in the C library.
// expect: exit=0 verdict=clean runs=1
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
  FILE *file = tmpfile();
  assert(file && fputs("ab 12\nsecond\nthird;rest\n34 56\n", file) >= 0);
  rewind(file);
  char line[32], *grown = NULL, word[8];
  size_t room = 0;
  int number = 0;
  assert(getc(file) == 'a' && fgetc(file) == 'b' && ungetc('b', file) == 'b' && !feof(file));
  assert(fscanf(file, "%7s %d\n", word, &number) == 2 && !strcmp(word, "b") && number == 12);
  assert(fgets(line, sizeof line, file) && !strcmp(line, "second\n"));
  assert(getdelim(&grown, &room, ';', file) == 6 && !strcmp(grown, "third;"));
  assert(getline(&grown, &room, file) == 5 && !strcmp(grown, "rest\n"));
  assert(fread(line, 1, 5, file) == 5 && !memcmp(line, "34 56", 5));
  fclose(file);
  free(grown);
  if (number == 0) number = scanf("%d", &number) + getchar();
  return 0;
}
