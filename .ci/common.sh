# What the scripts of this folder share; they source it. Needs Swift 6.3 and Debian's package manager.
# shellcheck shell=bash
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
if [ -d ../shared/conformance ]; then
  SURTITLE_CONFORMANCE=$(cd ../shared/conformance && pwd)
  export SURTITLE_CONFORMANCE
fi
export CI=true
# Warnings are errors: in the manifest, so that all builds have the same flags, and in the scripts that call the compiler.
export SURTITLE_STRICT=1 SWIFTFLAGS=-warnings-as-errors
export PREFIX=$PWD/.build/installed

# What is built in release lies in .build and has these flags, so that nothing is compiled twice: the command, the proxy, the benchmarks, the
# tests, for which the library's insides are visible.
readonly release=(-c release --scratch-path .build -Xswiftc -enable-testing)

# Sets `used` to the seconds of processor time of this shell and of all that it has waited for. A shell inside $(…) has none yet.
times_file=$(mktemp)
trap 'rm -f "$times_file"' EXIT
measure() {
  times >"$times_file"
  used=$(tr ms '  ' <"$times_file" | awk '{ sum += 60 * ($1 + $3) + $2 + $4 } END { printf "%d", sum }')
}

step() {
  measure
  printf '\n== %s (after %d s, %d s of processor time)\n' "$*" "$SECONDS" "$used"
}

# Of each lane that goes on, by its group of processes, the file of what it says.
declare -A lanes=()
end_lanes() {
  local lane
  for lane in "${!lanes[@]}"; do
    kill -- "-$lane" 2>/dev/null || true
    rm -f "${lanes[$lane]}"{,.times}
  done
  rm -f "$times_file"
}

# beside FUNCTION…: begins each on a lane of its own, for what keeps one core busy or waits. The builds give way to them.
beside() {
  local function log
  trap end_lanes EXIT
  set -m # a process group of its own, to be ended as a whole
  for function in "$@"; do
    log=$(mktemp)
    { times_file=$log.times; "$function"; } </dev/null >"$log" 2>&1 &
    lanes[$!]=$log
  done
  set +m
  renice -n 10 $$ >/dev/null
}

# Waits for the lanes, and shows what each said. One that fails ends the others.
join_lanes() {
  local lane status
  while [ "${#lanes[@]}" -gt 0 ]; do
    status=0
    wait -n -p lane "${!lanes[@]}" || status=$?
    cat "${lanes[$lane]}"
    rm -f "${lanes[$lane]}"{,.times}
    unset "lanes[$lane]"
    if [ "$status" != 0 ]; then return "$status"; fi
  done
}

# wait_for FILE: until it is there, which another lane makes.
wait_for() {
  until [ -e "$1" ]; do sleep 1; done
}

# The C library in $PREFIX, as it is made of the sources as they are.
install_c_library() {
  local sources=(Sources/{CByteScan,ByteScan,M3U8,WebVTT,Sideload,Delivery,CSurtitle,SurtitleC})
  if [ -z "$(find "${sources[@]}" -type f -newer "$PREFIX/installed" 2>&1)" ]; then
    echo "as it was"
  else
    Sources/CSurtitle/install.sh "$PREFIX"
    touch "$PREFIX/installed"
  fi
}
