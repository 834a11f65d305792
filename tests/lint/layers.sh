# Dependencies between folders point one way.
exec "$ROOT/scripts/lint-layers"
