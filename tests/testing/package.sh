# SPDX-License-Identifier: MIT
# shellcheck shell=bash source=/dev/null
# make deb: lintian has no complaint, and what is in the package works where it is unpacked. make site: every link leads somewhere.
. "$ROOT/tests/helpers.bash"
unset MAKEFLAGS MAKELEVEL
build=$(dirname "$HEDDLE")
expect_status 0 env HEDDLE_DEB_COMPRESSION=0 "$ROOT/scripts/deb" "$build" .
package=$(cat stdout)
expect_status 0 dpkg-deb --info "$package"
expect_text stdout " Package: heddle"
grep -qE '^ Depends: libc6 .*, clang-19, ' stdout || fail "what it depends on"
expect_status 0 dpkg-deb --contents "$package"
for file in bin/heddle bin/heddle-cc lib/heddle/libheddle-rt.a include/heddle-test.h lib/pkgconfig/heddle.pc \
  lib/cmake/heddle/heddle-config.cmake share/man/man1/heddle.1.gz share/doc/heddle/docs/tutorial.md; do
  grep -qE " \./usr/$file( |$)" stdout || fail "no $file in the package"
done
! grep -vE ' root/root ' stdout || fail "files of somebody"
lintian --allow-root --fail-on error,warning "$package" >complaints 2>&1 || fail "$(cat complaints)"

dpkg-deb -x "$package" unpacked
cp "$(example bank)" .
expect_status 1 unpacked/usr/bin/heddle run bank.c
expect_text stdout "bug 1: deadlock"
expect_status 0 unpacked/usr/bin/heddle-cc -pthread -o bank bank.c

expect_status 0 "$ROOT/scripts/site" site
"$ROOT/tests/testing/read_site.py" site || fail "the site"
