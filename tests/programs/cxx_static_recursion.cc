// A static variable whose initialisation comes to itself.
// expect: exit=1 bug=lock-misuse line=BUG message~"used by its own initialisation"
int depth;

int number() {
  static int value = depth++ ? 1 : number(); // BUG
  return value;
}

int main() {
  return number() - 1;
}
