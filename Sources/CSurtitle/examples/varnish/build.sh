#!/usr/bin/env bash
# Builds the module for Varnish: build.sh PREFIX OUTPUT.so
#
# PREFIX is where install.sh has put libsurtitle. Needs gcc, python3 and Debian's libvarnishapi-dev.
set -euo pipefail

if [ $# -ne 2 ] || [ "${1#-}" != "$1" ]; then
  echo "usage: ${0##*/} PREFIX OUTPUT.so" >&2
  exit 2
fi
prefix=$(cd "$1" && pwd)
output=$(realpath -m "$2")
cd "$(dirname "$0")"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# It leaves its documentation where it runs.
vcc=$PWD/surtitle.vcc
(cd "$work" && python3 "$(pkg-config --variable=vmodtool varnishapi)" --output=vcc_if "$vcc")
: >"$work/config.h"
# The library keeps what it has made once for the process; so the module stays loaded until the end.
# shellcheck disable=SC2046
"${CC:-gcc}" -std=gnu11 -O2 -g -Wall -Wextra -Werror -Wno-unused-parameter -fPIC -shared ${CFLAGS:-} -o "$output" \
  -I"$work" -I"$prefix/include" $(pkg-config --cflags varnishapi) vmod_surtitle.c "$work/vcc_if.c" \
  "$prefix/lib/libsurtitle.a" -Wl,--exclude-libs,ALL -Wl,--gc-sections -Wl,-z,nodelete
