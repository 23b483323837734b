#!/usr/bin/env bash
# Builds the module for Apache httpd: build.sh PREFIX OUTPUT.so
#
# PREFIX is where install.sh has put libsurtitle. Needs gcc and Debian's apache2-dev.
set -euo pipefail

if [ $# -ne 2 ] || [ "${1#-}" != "$1" ]; then
  echo "usage: ${0##*/} PREFIX OUTPUT.so" >&2
  exit 2
fi
prefix=$(cd "$1" && pwd)
output=$(realpath -m "$2")
cd "$(dirname "$0")"

# The library keeps what it has made once for the process; so the module stays loaded until the end.
# shellcheck disable=SC2046
"${CC:-gcc}" -std=gnu11 -O2 -g -Wall -Wextra -Werror -Wno-unused-parameter -Wno-missing-field-initializers -fPIC -shared \
  ${CFLAGS:-} -o "$output" -I"$prefix/include" -I"$(apxs -q INCLUDEDIR)" $(apxs -q EXTRA_CPPFLAGS) $(apr-1-config --includes --cppflags) \
  mod_surtitle.c "$prefix/lib/libsurtitle.a" -Wl,--exclude-libs,ALL -Wl,--gc-sections -Wl,-z,nodelete
