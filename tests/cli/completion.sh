# SPDX-License-Identifier: MIT
# shellcheck shell=bash source=/dev/null
# heddle completion: the scripts, loaded by the shells themselves.
. "$ROOT/tests/helpers.bash"
for shell in bash zsh fish; do
  expect_status 0 "$HEDDLE" completion $shell
  mv stdout script.$shell
  $shell -n script.$shell || fail "$shell does not read its script"
done
complete_in_bash() { # WORDS...: what the last word can become
  bash -c '. ./script.bash; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _heddle; printf "%s\n" "${COMPREPLY[@]}"' bash "$@"
}
expect_equal "commands" "$(complete_in_bash heddle re | tr '\n' ' ')" "replay report "
expect_equal "options" "$(complete_in_bash heddle run --max-t | sort | tr '\n' ' ')" "--max-terms --max-threads --max-time "
expect_equal "strategies" "$(complete_in_bash heddle run --strategy uni)" ""
expect_equal "strategies" "$(complete_in_bash heddle run --strategy unf)" "unfolding"
expect_equal "values" "$(complete_in_bash heddle run --races w)" "warn"
expect_equal "kinds" "$(complete_in_bash heddle explain dead)" "deadlock"
complete_in_fish() { fish --no-config -c "source script.fish; complete -C '$1'" | cut -f 1 | tr '\n' ' '; }
expect_equal "commands in fish" "$(complete_in_fish 'heddle re')" "replay report "
expect_equal "options in fish" "$(complete_in_fish 'heddle run --max-t')" "--max-terms --max-threads --max-time "
expect_equal "strategies in fish" "$(complete_in_fish 'heddle run --strategy unf')" "unfolding "
expect_refusal "$HEDDLE" completion
expect_refusal "$HEDDLE" completion tcsh
