#!/usr/bin/env bash
# Builds the C library and installs it: install.sh PREFIX
#
#   PREFIX/include/surtitle.h
#   PREFIX/lib/libsurtitle.a          one object, which exports surtitle_* and needs the C library alone
#   PREFIX/lib/libsurtitle.so.0       the same, shared
#   PREFIX/lib/pkgconfig/surtitle.pc
#
# Needs Swift 6.3 and binutils, on Linux. DESTDIR goes before PREFIX, as usual; SCRATCH is the folder that is built in; SWIFTFLAGS are more
# options for the Swift compiler, such as -warnings-as-errors.
#
# How it is made: the library as Embedded Swift, all its objects linked into one. Its calls of posix_memalign and free are redirected to
# hooks.c, and everything but surtitle_* becomes local. Without that it would bring Swift's runtime in a second time: linked into a
# Swift program it would link without a word, and crash.
set -euo pipefail

if [ $# -ne 1 ] || [ "${1#-}" != "$1" ]; then
  echo "usage: ${0##*/} PREFIX" >&2
  exit 2
fi
mkdir -p "${DESTDIR:-}$1"
prefix=$(cd "${DESTDIR:-}$1" && pwd)
final=${prefix#"${DESTDIR:-}"}
cd "$(dirname "$0")/../.."
package=$PWD
scratch=${SCRATCH:-$package/.build/c}

options=()
for option in ${SWIFTFLAGS:-}; do options+=(-Xswiftc "$option"); done
swift build -c release --product SurtitleC --scratch-path "$scratch" "${options[@]}" \
  -Xswiftc -enable-experimental-feature -Xswiftc Embedded -Xswiftc -wmo -Xswiftc -O -Xswiftc -enforce-exclusivity=unchecked \
  -Xswiftc -Xfrontend -Xswiftc -function-sections -Xcc -ffunction-sections -Xcc -fPIC -Xcc -DSURTITLE_HOOKS
built=$(swift build -c release --scratch-path "$scratch" --show-bin-path)

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

# One object for each module. Embedded Swift gives an array literal that never changes a name by its number in a function, as a weak symbol.
# A module that has a copy of the function may number them otherwise, and then ld takes one array for another: the modules keep their own.
# Sections stay apart, since of sections of one name ld would make one, which then is kept whole.
hooks=''
for folder in "$built"/*.build; do
  mapfile -t objects < <(find "$folder" -name '*.o' ! -name 'hooks.*')
  if [ "$(basename "$folder")" = CSurtitle.build ]; then hooks=$(find "$folder" -name 'hooks.*.o'); fi
  case $(basename "$folder") in
    ByteScan.build | CByteScan.build | M3U8.build | WebVTT.build | Sideload.build | Delivery.build | SurtitleC.build) ;;
    *) continue ;;
  esac
  module=$(basename "$folder" .build).o
  ld -r --unique "${objects[@]}" -o "$module"
  objcopy --wildcard --localize-symbol='$e*T[vV]_r' --localize-symbol='$e*T[vV][0-9]_r' \
    --localize-symbol='$e*T[vV][0-9][0-9]_r' "$module"
done

# Only what the functions of the header reach is kept.
mapfile -t roots < <(sed -nE 's/^[a-z].*[ *](surtitle_[a-z_]+)\(.*/-u\n\1/p' "$package/Sources/CSurtitle/include/surtitle.h")
ld -r --unique --gc-sections "${roots[@]}" ./*.o -o swift.o
objcopy --redefine-sym posix_memalign=hooked_memalign --redefine-sym free=hooked_free swift.o
# An executable stack is asked for by an object that does not say that it needs none.
ld -r --unique -z noexecstack swift.o "$hooks" -o surtitle.o
# Only the compiler has a use for the hashes of modules.
objcopy --wildcard --keep-global-symbol='surtitle_*' --remove-section='.swift_modhash*' surtitle.o
strip --strip-unneeded surtitle.o
ar rcs libsurtitle.a surtitle.o

printf '{ global: surtitle_*; local: *; };\n' >exports
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
