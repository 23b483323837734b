#!/usr/bin/env bash
# Builds the library for WebAssembly: build.sh OUTDIR
#
#   OUTDIR/surtitle.wasm          no imports; what it exports is in exports.txt
#   OUTDIR/surtitle.mjs, .d.mts   the JavaScript face, with the modules that it imports
#   OUTDIR/surtitle-media.wasm    the same for media.mjs, which finds a video's map; what it exports is in media-exports.txt
#   OUTDIR/surtitle-live.wasm     the same for live.mjs, which makes tracks beside live streams; what it exports is in live-exports.txt
#   OUTDIR/edge-worker.mjs, live-worker.mjs, service-worker.mjs    examples
#   OUTDIR/page                   the page to try it
#
# Needs Swift 6.3, whose clang and wasm-ld it uses, and wasm-opt (apt: binaryen). SCRATCH is the folder that is built in; SWIFTFLAGS are more
# options for the Swift compiler, such as -warnings-as-errors.
#
# How it gets small: see README.md, "What it weighs".
set -euo pipefail

if [ $# -ne 1 ] || [ "${1#-}" != "$1" ]; then
  echo "usage: ${0##*/} OUTDIR" >&2
  exit 2
fi
# Before anything is compiled, which takes minutes.
missing() {
  echo "${0##*/}: there is no $1; install $2" >&2
  exit 1
}
command -v swiftc >/dev/null || missing swiftc "Swift 6.3, from swift.org"
tools=$(dirname "$(readlink -f "$(command -v swiftc)")")
for tool in clang wasm-ld; do [ -x "$tools/$tool" ] || missing "$tools/$tool" "Swift 6.3 as swift.org has it, whose clang and wasm-ld are used"; done
command -v wasm-opt >/dev/null || missing wasm-opt "binaryen"
mkdir -p "$1"
output=$(cd "$1" && pwd)
folder=$(cd "$(dirname "$0")" && pwd)
cd "$folder/../.."
scratch=${SCRATCH:-$PWD/.build/wasm}
mkdir -p "$scratch"
readonly target=wasm32-unknown-none-wasm

# What README.md says that engines must have.
clang_flags=(-ffreestanding -msimd128 -mbulk-memory -mbulk-memory-opt)
bitcode=()
# c NAME FILE FLAG…
c() {
  "$tools/clang" --target=$target "${clang_flags[@]}" -ISources/CByteScan/include -Wall -Wextra -Werror "${@:3}" -c "$2" -o "$scratch/$1"
  bitcode+=("$scratch/$1")
}
# The loops over bytes. Functions of C that the compiler itself calls must be there after all optimizing, and so are no bitcode.
c kernels.bc Sources/CByteScan/forms/base.c -O2 -flto
c dispatch.bc Sources/CByteScan/dispatch.c -O2 -flto
c libc.o "$folder/libc.c" -Os -fno-builtin

# Functions are inlined where that makes the code smaller, and in the loops that rewrite a playlist line by line.
scanning='8ByteScan(12OutputCursor|11OutputSlice|10LineFinder)V'
scanning+='|4M3U8(8Document|10LineBounds|10TagMatcher|17AppendedAttribute)V'
scanning+='|4M3U816PlaylistRewriterV(4mode|4note|4plan|4scan|6handle|7noteTag|8classify|9scanLines|13readFirstLine|15appendAttribute|17appendWhileSimple|19appendToSimpleLines)'
SMALLEST="M3U8 WebVTT Sideload Delivery SurtitleC" INLINED="$scanning" \
  Sources/CSurtitle/bitcode.sh $target "$scratch" "${clang_flags[@]}"
for module in ByteScan M3U8 WebVTT Sideload Delivery SurtitleC; do bitcode+=("$scratch/$module.bc"); done

# module NAME EXPORTS
module() {
  local exports
  mapfile -t exports < <(sed 's/^/--export=/' "$folder/$2")
  # Addresses stay below 2 GiB, where a number of 32 bits with a sign is one of them.
  "$tools/wasm-ld" --no-entry --gc-sections --strip-all --compress-relocations -O2 --lto-O2 -mllvm -enable-merge-functions \
    -mllvm -inline-threshold=0 --stack-first -z stack-size=131072 --max-memory=2147483648 "${exports[@]}" "${bitcode[@]}" -o "$scratch/linked.wasm"
  # The lowest addresses are the far end of the stack: nothing that is read or written by an offset lies below 1024.
  wasm-opt -Oz --low-memory-unused --enable-simd --enable-bulk-memory --enable-sign-ext --enable-nontrapping-float-to-int --enable-mutable-globals \
    "$scratch/linked.wasm" -o "$scratch/$1"
  install -m 644 "$scratch/$1" "$output/"
  echo "$1: $(stat -c %s "$output/$1") bytes"
}
module surtitle.wasm exports.txt
module surtitle-media.wasm media-exports.txt
module surtitle-live.wasm live-exports.txt

install -m 644 "$folder"/javascript/* "$folder"/examples/* "$output/"
mkdir -p "$output/page"
install -m 644 "$folder"/page/* "$output/page/"
