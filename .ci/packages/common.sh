# What the scripts of this folder share; they source it. Each makes packages: SCRIPT FOLDER, where the files go.
#
# SURTITLE_STATIC and PREFIX name the command and the C library that go into them; what is not given is built, in .build/packages.
# shellcheck shell=bash
set -euo pipefail

if [ $# -ne 1 ] || [ "${1#-}" != "$1" ]; then
  echo "usage: ${0##*/} FOLDER" >&2
  exit 2
fi
mkdir -p "$1"
output=$(cd "$1" && pwd)
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
version=$(python3 Tests/Guides/version.py)
# All times in packages are that of the commit, unless somebody says another. So the same sources become the same bytes.
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct)}
export SOURCE_DATE_EPOCH
export TZ=UTC LC_ALL=C.UTF-8
umask 022
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# silent COMMAND…: tells what it says only if it fails.
silent() {
  "$@" >"$work/log" 2>&1 || { cat "$work/log" >&2; return 1; }
}

# Tells the files that were made, and what they weigh.
made() {
  local file
  for file; do printf '%s: %s bytes\n' "${file##*/}" "$(stat -c %s "$file")"; done
}

# The command in SURTITLE_STATIC. Swift's libraries are in it, and those of C++ and of the compiler; it needs those of C.
command_binary() {
  [ -z "${SURTITLE_STATIC:-}" ] || return 0
  # To relocate the libraries of C++ took a third of the instructions of a small playlist. Where the compiler's form of them that is linked into
  # a program is not installed, the others are used. Nobody looks up the command's symbols, nor is a library beside it.
  # lld leaves out what needs a newer C library if nobody calls it; gold does not.
  local link=(--disable-local-rpath -Xswiftc -use-ld=lld -Xlinker --no-export-dynamic) cplusplus
  cplusplus=$(cc -print-file-name=libstdc++.a)
  if [ -f "$cplusplus" ]; then
    mkdir -p .build/packages/linked
    ln -sf "$cplusplus" .build/packages/linked/
    link+=(-Xswiftc "-L$PWD/.build/packages/linked" -Xswiftc -Xclang-linker -Xswiftc -static-libgcc)
  fi
  # Without what debuggers read, which has the paths of this machine.
  silent swift build -c release --product surtitle --static-swift-stdlib --scratch-path .build/packages/command -Xswiftc -gnone "${link[@]}"
  export SURTITLE_STATIC=$PWD/.build/packages/surtitle
  local built=.build/packages/command/release/surtitle section size
  strip -o "$SURTITLE_STATIC" "$built"
  # The hash of a module has the paths too, and the build's identifier that of the hash. Nothing reads either when it runs. They are zeroed, since
  # with a section less the linker's protection of relocations (RELRO) would be lost.
  for section in .swift_modhash .note.gnu.build-id; do
    size=$(objdump -h "$built" | awk -v name="$section" '$2 == name { print $3 }')
    [ -n "$size" ] || continue
    head -c "$((16#$size))" /dev/zero >"$work/zeros"
    objcopy --update-section "$section=$work/zeros" "$SURTITLE_STATIC"
  done
}

# The C library in PREFIX.
c_library() {
  [ -z "${PREFIX:-}" ] || return 0
  SCRATCH=$PWD/.build/packages/c silent Sources/CSurtitle/install.sh "$PWD/.build/packages/prefix"
  export PREFIX=$PWD/.build/packages/prefix
}

# completions_and_page FOLDER: what shells and man read, by the names under which the command prints it.
completions_and_page() {
  local shell
  for shell in bash zsh fish; do "$SURTITLE_STATIC" --completions $shell >"$1/surtitle.$shell"; done
  "$SURTITLE_STATIC" --man >"$1/surtitle.1"
}
