#!/usr/bin/env bash
# Makes the wheel of the Python module, with the C library in it: wheel.sh FOLDER
#
# PREFIX is where Sources/CSurtitle/install.sh has put the library, which is built if it is not given. Needs the system's Python with setuptools and
# wheel (apt: python3-setuptools, python3-wheel), and binutils.
# shellcheck source=.ci/packages/common.sh
. "$(dirname "$0")/common.sh"

c_library
# The oldest C library that it runs with, of which a wheel's name tells: 2.17 is the oldest that pip knows by number.
readonly glibc=2.17
newest=$(objdump -T "$PREFIX/lib/libsurtitle.so.0" | grep -o 'GLIBC_[0-9.]*' | sort -Vu | tail -n 1)
newest=${newest#GLIBC_}
if [ "$(printf '%s\n' "$glibc" "$newest" | sort -V | tail -n 1)" != "$glibc" ]; then
  echo "${0##*/}: the library wants glibc $newest, and the wheel says $glibc" >&2
  exit 1
fi

cp -r Sources/Python "$work/source"
find "$work/source" -name __pycache__ -prune -exec rm -rf {} +
cp LICENSE "$work/source"
install -m 644 "$PREFIX/lib/libsurtitle.so.0" "$work/source/surtitle/"
cd "$work/source"
# As `pip wheel` would, without a network.
/usr/bin/python3 - "$output" "manylinux_${glibc/./_}_$(uname -m)" >"$work/log" 2>&1 <<'PYTHON' || { cat "$work/log" >&2; exit 1; }
import sys
from setuptools import build_meta
build_meta.build_wheel(sys.argv[1], {"--build-option": ["--plat-name", sys.argv[2]]})
PYTHON
made "$output/surtitle-$version"-*.whl
