#!/usr/bin/env bash
# Checks the module for nginx: run.sh
#
# The module is built for the nginx that is installed, and an nginx of its own answers from files and from an origin that breaks off, is slow, or
# lies. What comes out must be what the library makes of it. A part of it again under valgrind.
#
# SURTITLE is the command to compare with, and PREFIX where libsurtitle is installed; each is built if it is not given. MODULE is the file that the
# module becomes, if it is to stay. SURTITLE_CONFORMANCE is a folder with more playlists. In CI, as root on Debian, what is missing is installed. Elsewhere the check is skipped then, and says so.
set -euo pipefail
cd "$(dirname "$0")"
root=$(cd ../.. && pwd)

# shellcheck source=Tests/Servers/need.sh
. ../Servers/need.sh
need nginx nginx-dev gcc make libc6-dev curl openssl ffmpeg python3 valgrind || exit 0

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
if [ -z "${SURTITLE:-}" ]; then
  (cd "$root" && swift build -c release --product surtitle >/dev/null)
  SURTITLE=$root/.build/release/surtitle
fi
if [ -z "${PREFIX:-}" ]; then
  PREFIX=$work/prefix
  "$root/Sources/CSurtitle/install.sh" "$PREFIX" >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
fi
module=${MODULE:-$work/module.so}
"$root/Sources/NginxModule/build.sh" "$PREFIX" "$module"
if exported=$(nm -D --defined-only "$module" | awk '$3 ~ /^surtitle_|swift/ { print $3 }' | grep .); then
  echo "FAILED: the module exports ${exported//$'\n'/ }" >&2
  exit 1
fi
python3 check.py --module "$module" --surtitle "$SURTITLE"
