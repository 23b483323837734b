#!/usr/bin/env bash
# Compares proxies that put tracks into playlists with the same proxies passing through: run.sh [OPTION…]
#
# Options are those of Compare/compare.py: --rounds N, --seconds N, --sizes …, --check-counts, --output FOLDER, where proxies.md, proxies.svg and
# proxies.json go. As it is it takes 40 minutes, for which the machine should have nothing else to do.
#
# PREFIX is where libsurtitle is installed, and PROXY surtitle-proxy in a release build; each is built if it is not given. PROXY=none leaves it out.
# Needs nginx, nginx-dev and wrk. In CI, as root on Debian, what is missing is installed. Elsewhere nothing is compared then.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)

# shellcheck source=Tests/Servers/need.sh
. "$root/Tests/Servers/need.sh"
need nginx nginx-dev gcc make libc6-dev python3 wrk || exit 0

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
if [ -z "${PREFIX:-}" ]; then
  echo "building the C library" >&2
  PREFIX=$work/prefix
  "$root/Sources/CSurtitle/install.sh" "$PREFIX" >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
fi
"$root/Sources/NginxModule/build.sh" "$PREFIX" "$work/module.so" >&2
if [ -z "${PROXY:-}" ]; then
  echo "building surtitle-proxy" >&2
  package=$root/Sources/NIOProxy
  swift build -c release --package-path "$package" --product surtitle-proxy >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
  PROXY=$(swift build -c release --package-path "$package" --show-bin-path)/surtitle-proxy
fi
proxy=()
if [ "$PROXY" != none ]; then proxy=(--proxy "$PROXY"); fi
# Not instead of this script, whose trap is still to run.
python3 "$here/Compare/compare.py" --module "$work/module.so" "${proxy[@]}" "$@"
