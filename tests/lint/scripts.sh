# The shell scripts have no errors that shellcheck sees.
exec "$ROOT/scripts/lint-scripts"
