# The strategies agree on 200 small programs.
exec "$ROOT/tests/agree/run" 200
