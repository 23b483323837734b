#!/usr/bin/env bash
# Builds the C library and installs it: install.sh PREFIX
#
#   PREFIX/include/surtitle.h
#   PREFIX/lib/libsurtitle.a          one object, which exports surtitle_* and needs the C library alone
#   PREFIX/lib/libsurtitle.so.0       the same, shared
#   PREFIX/lib/pkgconfig/surtitle.pc
#
# Needs Swift 6.3, whose clang and lld it uses, and binutils and a C compiler, on Linux. DESTDIR goes before PREFIX, as usual; SCRATCH is the
# folder that is built in; SWIFTFLAGS are more options for the Swift compiler, such as -warnings-as-errors.
#
# How it is made: the library as Embedded Swift, all its modules optimized as one program into one object (bitcode.sh). Its calls of
# posix_memalign and free are redirected to hooks.c, and everything but surtitle_* becomes local. Without that it would bring Swift's runtime
# in a second time: linked into a Swift program it would link without a word, and crash.
set -euo pipefail

if [ $# -ne 1 ] || [ "${1#-}" != "$1" ]; then
  echo "usage: ${0##*/} PREFIX" >&2
  exit 2
fi
mkdir -p "${DESTDIR:-}$1"
prefix=$(cd "${DESTDIR:-}$1" && pwd)
final=$prefix
if [ -n "${DESTDIR:-}" ]; then final=$1; fi
cd "$(dirname "$0")/../.."
package=$PWD
mkdir -p "${SCRATCH:=.build/c}"
scratch=$(cd "$SCRATCH" && pwd)
tools=$(dirname "$(readlink -f "$(command -v swiftc)")")
target=$("$tools/clang" -print-target-triple)

SMALLEST="Sideload Delivery SurtitleC" Sources/CSurtitle/bitcode.sh "$target" "$scratch" -fPIC
# The loops over bytes choose their form when they run, and are no bitcode. They have no tables for unwinding, as the rest of the library has none.
for file in Sources/CByteScan/*.c Sources/CByteScan/forms/*.c Sources/CSurtitle/hooks.c; do
  "$tools/clang" -O2 -fPIC -ffunction-sections -fno-asynchronous-unwind-tables -DSURTITLE_HOOKS -Wall -Wextra -Werror -ISources/CByteScan/include -ISources/CSurtitle/include \
    -c "$file" -o "$scratch/$(basename "$file" .c).o"
done

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

# Only what the exported functions reach is kept.
printf '{ global: surtitle_*; local: *; };\n' >exports
"$tools/ld.lld" -shared --version-script=exports --gc-sections --lto-O2 -mllvm -enable-merge-functions \
  -mllvm -enable-machine-outliner=always --lto-obj-path=swift.o "$scratch"/{ByteScan,M3U8,WebVTT,Sideload,Delivery,SurtitleC}.bc -o linked
objcopy --redefine-sym posix_memalign=hooked_memalign --redefine-sym free=hooked_free swift.o
# Sections stay apart: ld would make one of those with one name, which is then kept whole. An executable stack is asked for by an object that
# does not say that it needs none.
ld -r --unique -z noexecstack swift.o "$scratch"/{base,avx2,avx512,dispatch,hooks}.o -o surtitle.o
objcopy --wildcard --keep-global-symbol='surtitle_*' surtitle.o
strip --strip-unneeded surtitle.o
ar rcs libsurtitle.a surtitle.o
cc -shared -o libsurtitle.so.0 surtitle.o -Wl,-soname,libsurtitle.so.0 -Wl,--gc-sections -Wl,--version-script=exports \
  -Wl,-z,noexecstack,-z,relro,-z,now -Wl,--no-undefined
strip --strip-unneeded libsurtitle.so.0

number() { sed -n "s/^#define SURTITLE_VERSION_$1 //p" "$package/Sources/CSurtitle/include/surtitle.h"; }
version=$(number MAJOR).$(number MINOR).$(number PATCH)
cat >surtitle.pc <<END
prefix=$final
libdir=\${prefix}/lib
includedir=\${prefix}/include

Name: surtitle
Description: Puts subtitles beside an HLS stream, while its playlists pass by
Version: $version
Libs: -L\${libdir} -lsurtitle
Cflags: -I\${includedir}
END

install -d "$prefix/include" "$prefix/lib/pkgconfig"
install -m 644 "$package/Sources/CSurtitle/include/surtitle.h" "$prefix/include/"
install -m 644 libsurtitle.a "$prefix/lib/"
install -m 755 libsurtitle.so.0 "$prefix/lib/"
ln -sf libsurtitle.so.0 "$prefix/lib/libsurtitle.so"
install -m 644 surtitle.pc "$prefix/lib/pkgconfig/"
echo "surtitle $version is in $final"
# How a program finds it, which linkers and loaders do by themselves only in their own folders.
search=$( (ldconfig -v -N || /sbin/ldconfig -v -N) 2>/dev/null | sed -n 's/^\(\/[^:]*\):.*/\1/p') || true
echo "to compile: cc program.c \$(PKG_CONFIG_PATH=$final/lib/pkgconfig pkg-config --cflags --libs surtitle)"
if grep -qxF "$final/lib" <<<"$search"; then
  echo "to run: ldconfig, once and as root; or link $final/lib/libsurtitle.a, which is not looked for"
else
  echo "to run: link with -Wl,-rpath,$final/lib as well; or link $final/lib/libsurtitle.a, which is not looked for"
fi
