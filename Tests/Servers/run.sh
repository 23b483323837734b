#!/usr/bin/env bash
# Checks the examples over the C interface, for Varnish and Apache httpd: run.sh
#
# Each is built for the server that is installed, which then answers from an origin that breaks off, is slow, or lies. What comes out must be
# what the library makes of it.
#
# SURTITLE is the command to compare with, and PREFIX where libsurtitle is installed; each is built if it is not given. SURTITLE_CONFORMANCE is a
# folder with more playlists. In CI, as root on Debian, what is missing is installed. Elsewhere the check is skipped then, and says so.
set -euo pipefail
cd "$(dirname "$0")"
root=$(cd ../.. && pwd)
examples=$root/Sources/CSurtitle/examples

# shellcheck source=Tests/Servers/need.sh
. ./need.sh
need varnish libvarnishapi-dev apache2 apache2-dev gcc libc6-dev pkg-config curl python3 || exit 0

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# Root's Varnish loads the module as another user.
chmod 755 "$work"
if [ -z "${SURTITLE:-}" ]; then
  (cd "$root" && swift build -c release --product surtitle >/dev/null)
  SURTITLE=$root/.build/release/surtitle
fi
if [ -z "${PREFIX:-}" ]; then
  PREFIX=$work/prefix
  "$root/Sources/CSurtitle/install.sh" "$PREFIX" >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
fi
"$examples/varnish/build.sh" "$PREFIX" "$work/libvmod_surtitle.so"
"$examples/apache/build.sh" "$PREFIX" "$work/mod_surtitle.so"
python3 check.py --varnish "$work/libvmod_surtitle.so" --apache "$work/mod_surtitle.so" --surtitle "$SURTITLE"
