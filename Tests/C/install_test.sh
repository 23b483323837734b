#!/usr/bin/env bash
# Tests where Sources/CSurtitle/install.sh puts the library, and what it says of it: DESTDIR, PREFIX, wrong arguments. Takes a second: the tools
# that build are stand-ins here, which make empty files. Tests/C/run.sh installs the real library.
set -euo pipefail

root=$(cd "$(dirname "$0")/../.." && pwd)
work=$(cd "$(mktemp -d)" && pwd -P)
trap 'rm -rf "$work"' EXIT
failed=0
fail() {
  echo "FAILED: install.sh: $*" >&2
  failed=1
}

tree=$work/tree
mkdir -p "$tree/Sources/CSurtitle/include" "$tree/Sources/CByteScan/forms" "$work/tools" "$work/here"
cp "$root/Sources/CSurtitle/install.sh" "$tree/Sources/CSurtitle/"
cp "$root/Sources/CSurtitle/include/surtitle.h" "$tree/Sources/CSurtitle/include/"
touch "$tree/Sources/CSurtitle/hooks.c" "$tree/Sources/CByteScan/base.c" "$tree/Sources/CByteScan/forms/avx2.c"
cat >"$work/tools/swiftc" <<'END'
#!/usr/bin/env bash
# Whatever tool it is called as: it makes the files that it is told to write.
if [ "${0##*/}" = ar ]; then touch "$2"; fi
while [ $# -gt 0 ]; do
  case $1 in
    -print-target-triple) echo x86_64-unknown-linux-gnu ;;
    --lto-obj-path=*) touch "${1#*=}" ;;
    -o) touch "$2" ;;
  esac
  shift
done
END
chmod +x "$work/tools/swiftc"
for tool in clang ld.lld ld objcopy strip ar cc; do cp "$work/tools/swiftc" "$work/tools/$tool"; done
cp "$work/tools/swiftc" "$tree/Sources/CSurtitle/bitcode.sh"

install() { (cd "$work/here" && PATH=$work/tools:$PATH "$tree/Sources/CSurtitle/install.sh" "$@"); }

files="include/surtitle.h lib/libsurtitle.a lib/libsurtitle.so lib/libsurtitle.so.0 lib/pkgconfig/surtitle.pc "
# expect WHERE FINAL DESTDIR PREFIX: the files are in WHERE, and all that is said is about FINAL.
expect() {
  local what="DESTDIR=$3 PREFIX=$4" found
  if ! DESTDIR=$3 install "$4" >"$work/said" 2>"$work/errors"; then fail "$what: $(cat "$work/errors")"; return; fi
  found=$(cd "$1" 2>/dev/null && find . ! -type d | sed 's/^..//' | LC_ALL=C sort | tr '\n' ' ') || true
  [ "$found" = "$files" ] || fail "$what: in $1 are $found"
  grep -qx "prefix=$2" "$1/lib/pkgconfig/surtitle.pc" || fail "$what: surtitle.pc does not say prefix=$2"
  grep -qx "surtitle [0-9.]* is in $2" "$work/said" || fail "$what: it is not said to be in $2"
  grep -qF "PKG_CONFIG_PATH=$2/lib/pkgconfig " "$work/said" || fail "$what: pkg-config is told another place"
  [ "$(readlink "$1/lib/libsurtitle.so")" = libsurtitle.so.0 ] || fail "$what: the link leads elsewhere"
  rm -r "$1"
}
expect "$work/a/opt" "$work/a/opt" "" "$work/a/opt"
expect "$work/here/b" "$work/here/b" "" b
expect "$work/c/usr" /usr "$work/c" /usr
expect "$work/d/usr" /usr "$work/d/" /usr
expect "$work/here/e/usr" /usr e/ /usr

# refuse MESSAGE ARGUMENT...
refuse() {
  local status=0
  install "${@:2}" >"$work/said" 2>&1 || status=$?
  if [ $status != 2 ] || [ "$(cat "$work/said")" != "$1" ]; then fail "${*:2}: status $status: $(cat "$work/said")"; fi
}
refuse "usage: install.sh PREFIX"
refuse "usage: install.sh PREFIX" /usr /opt
refuse "usage: install.sh PREFIX" --prefix=/usr
exit $failed
