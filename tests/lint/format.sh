# Every C file is formatted.
exec "$ROOT/scripts/format" --check
