// SPDX-License-Identifier: MIT
// A program that ends with a status other than 0 fails: the finding names the return statement, not the end of main.
// expect: exit=1 verdict=bug bugs=1 bug=exit line=BUG function=main message="exit status 3: returned by main"
// replay: exit status 3: returned by main
int main(int argc, char **argv) {
  if (argc > 5) return 1;
  if (argc > 0) {
    return 3; /* BUG */
  }
}
