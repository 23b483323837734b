#!/usr/bin/env bash
# Measures all there is to measure, and writes it down: run.sh [OPTION…]
#
#   FOLDER/benchmarks.md   one table of rows, how what they take grows, memory, the command, instructions by form of the kernels
#   FOLDER/*.svg           plots, for light and dark
#   FOLDER/growth.tsv      what the plots are of
#
#   --output FOLDER    .build/benchmarks unless it is said
#   --rounds N         how often each row is measured, 41 times unless it is said; of growth at most 11 times
#   --row KEY          that row alone, and others for which it is given too
#   --largest N        the most bytes of a row's input, about
#   --peers            what people use instead, too, on the same bytes
#   --surtitle FILE    the command as packages have it, which is built if it is not given
#   --rewrite FILE     C/rewrite.c over the C library
#   --wasm FOLDER      what Sources/WebAssembly/build.sh made, for node
#
# The machine should have nothing else to do. It takes half an hour. A step whose tool is missing (valgrind, llvm-mca, node) is left out.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/.." && pwd)
output=$root/.build/benchmarks rounds=41 rows=() keys=() rewrite=() peers=false surtitle='' wasm=''
while [ $# -gt 0 ]; do
  case $1 in
    --output) output=$2; shift ;;
    --rounds) rounds=$2; shift ;;
    --row) rows+=(--row "$2") keys+=("$2"); shift ;;
    --largest) rows+=(--largest "$2"); shift ;;
    --surtitle) surtitle=$2; shift ;;
    --rewrite) rewrite=(--rewrite "$2"); shift ;;
    --wasm) wasm=$2; shift ;;
    --peers) peers=true ;;
    *) sed -n '2,16s/^# \?//p' "$0" >&2; exit 2 ;;
  esac
  shift
done
mkdir -p "$output"
report=$output/benchmarks.md

say() { printf '%s\n' "$*" >&2; }
# section TITLE COMMAND…: its output under a heading.
section() {
  say "$1"
  printf '\n## %s\n\n' "$1" >>"$report"
  "${@:2}" >>"$report"
}
has() {
  command -v "$1" >/dev/null || { say "left out, there is no $1"; return 1; }
}

release=(-c release --scratch-path "$root/.build" -Xswiftc -enable-testing)
export SURTITLE_RATIOS_ONLY=1
say building
swift build "${release[@]}" --package-path "$here" --product Ratios >&2
export SURTITLE_RATIOS=$root/.build/release/Ratios
if [ -z "$surtitle" ]; then
  (cd "$root" && .ci/packages/binary.sh .build/packages/made) >&2
  surtitle=$root/.build/packages/surtitle
fi

printf '# Benchmarks\n\n%s; %s; %s\n' "$(date +%F)" "$(sed -n 's/^model name.*: //p' /proc/cpuinfo 2>&1 | head -1)" \
  "$(git -C "$root" describe --always --dirty)" >"$report"
section Rows "$SURTITLE_RATIOS" --rounds "$rounds" "${rows[@]}"
say Growth
"$SURTITLE_RATIOS" --growth --rounds "$((rounds < 11 ? rounds : 11))" >"$output/growth.tsv"
section Growth python3 "$here/Report/plot.py" "$output/growth.tsv" "$output"
section Memory "$SURTITLE_RATIOS" --memory
section "The command, whole processes" python3 "$here/Commands/start.py" --surtitle "$surtitle"
if has valgrind; then section "Instructions by form" "$here/count-instructions" --form avx2 --form sse2 --form portable --markdown "${keys[@]}"; fi
if has llvm-mca; then section "NEON, modelled" python3 "$here/Forms/neon.py"; fi
if [ -n "$wasm" ] && has node; then section "WebAssembly, simd128 under node" node "$root/Tests/WebAssembly/speed.mjs" "$wasm"; fi
if "$peers"; then
  section "What people use instead: two tracks" "$SURTITLE_RATIOS" --peers
  section "What people use instead: packages and programs" python3 "$here/Peers/compare.py" --surtitle "$surtitle" "${rewrite[@]}"
fi
say "$report"
