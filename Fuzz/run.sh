#!/usr/bin/env bash
# Builds the fuzzers, runs one or all of them, and says what came of it.
set -euo pipefail
cd "$(dirname "$0")"

usage() {
  cat <<'HELP'
usage: Fuzz/run.sh [TARGET|all] [SECONDS] [--jobs N] [--seed N] [--minimise] [--no-coverage]

Replays what was found before and the corpus of each target, then fuzzes it for SECONDS (60; 0 replays only). New inputs are
kept in .build/corpora, findings in .build/findings. A table tells executions, executions a second, edges, findings and, of a
build of its own, the lines of the library that the corpus reaches. The status is 1 if anything was found.

  --jobs N       so many targets at a time (2)
  --seed N       makes the same inputs again, as far as time allows, from the same corpora; otherwise they differ from run to run
  --minimise     leaves in Corpus the files that have a name, and of all others the fewest that reach as much
  --no-coverage  leaves the lines out, and their build
HELP
}

target=all seconds=60 jobs=2 seed=0 minimise=no coverage=yes place=0
while [ $# -gt 0 ]; do
  case $1 in
    --jobs) jobs=$2; shift ;;
    --seed) seed=$2; shift ;;
    --minimise) minimise=yes ;;
    --no-coverage) coverage=no ;;
    -h | --help) usage; exit 0 ;;
    -*) usage >&2; exit 2 ;;
    *) place=$((place + 1)); if [ $place = 1 ]; then target=$1; else seconds=$1; fi ;;
  esac
  shift
done
mapfile -t known < <(sed -n '/^let surfaces/,/^]/p' Package.swift | grep -o '"Fuzz[A-Za-z]*"' | tr -d '"')
if [ "$target" = all ]; then targets=("${known[@]}"); else targets=("Fuzz${target#Fuzz}"); fi
case " ${known[*]} " in *" ${targets[0]} "*) ;; *) echo "no target $target: use all or one of ${known[*]}" >&2; exit 2 ;; esac

# A crash is to be libFuzzer's to report: without this the Swift runtime examines it for minutes.
export SWIFT_BACKTRACE=enable=no
corpora=.build/corpora findings=.build/findings logs=.build/logs
mkdir -p "$corpora" "$findings" "$logs"
touch "$logs/started"

# SwiftPM does not notice that a C header of the package above has changed: Swift modules would keep what they know of the old one,
# and run on C that is built by the new one. So what was built by other headers is thrown away.
headers=$(find ../Sources Sources -name '*.h' -print0 | LC_ALL=C sort -z | xargs -0 cksum)
build() {
  local folder
  folder=$(swift build -c release "$@" --show-bin-path)
  if [ -d "$folder" ] && [ "$(cat "$folder/headers" 2>/dev/null)" != "$headers" ]; then
    echo "a C header has changed: building afresh"
    rm -rf "$folder"
  fi
  swift build -c release "$@"
  printf '%s\n' "$headers" >"$folder/headers"
}

# This way round, or AddressSanitizer is silently left out.
build --sanitize=fuzzer -Xswiftc -sanitize=fuzzer,address
binaries=$(swift build -c release --show-bin-path)

# Leaks are looked for once the corpora have been replayed: after every input that costs most of the time, and finds threads
# that are just being made.
asan=malloc_context_size=2:quarantine_size_mb=8
dictionary() { case $1 in FuzzFinalCue | FuzzCues | FuzzTimestampMap | FuzzSegmenter | FuzzShift | FuzzSubRip | FuzzFetch) echo webvtt ;; FuzzMediaStart) echo media ;; FuzzJSON) echo json ;; FuzzHTTP) echo http ;; *) echo playlist ;; esac; }

fuzz() {
  local name=$1 status=0
  mkdir -p "$corpora/$name" "$findings/$name" "Regressions/$name"
  local common=(-dict="Dictionaries/$(dictionary "$name").dict" -max_len=700 -timeout=30 -rss_limit_mb=2048
    -artifact_prefix="$findings/$name/" -print_final_stats=1 -seed="$seed")
  # The naive SubRip keeps its regular expressions, in enumerations whose pointers the leak sanitizer does not recognize.
  local leaks=1
  if [ "$name" = FuzzSubRip ]; then leaks=0; fi
  ASAN_OPTIONS=$asan:detect_leaks=$leaks "$binaries/$name" "${common[@]}" -detect_leaks=0 -runs=0 "Corpus/$name" "Regressions/$name" \
    >"$logs/$name.replay" 2>&1 || status=1
  if [ "$seconds" -gt 0 ] && [ $status = 0 ]; then
    ASAN_OPTIONS=$asan:detect_leaks=0 "$binaries/$name" "${common[@]}" -detect_leaks=0 -entropic=0 \
      -max_total_time="$seconds" "$corpora/$name" "Corpus/$name" "Regressions/$name" >"$logs/$name.fuzz" 2>&1 || status=1
  else
    cp "$logs/$name.replay" "$logs/$name.fuzz"
  fi
  if [ "$minimise" = yes ] && [ $status = 0 ]; then
    # What was written by hand has a name, and stays.
    rm -rf ".build/merged/$name"
    mkdir -p ".build/merged/$name"
    find "Corpus/$name" -type f | grep -vE '/[0-9a-f]{10,40}$' | xargs -I{} cp {} ".build/merged/$name/"
    ASAN_OPTIONS=$asan:detect_leaks=0 "$binaries/$name" -set_cover_merge=1 -max_len=500 ".build/merged/$name" \
      "Corpus/$name" "$corpora/$name" >"$logs/$name.merge" 2>&1 || status=1
    if [ $status = 0 ]; then
      rm -rf "Corpus/$name" "$corpora/$name"
      mv ".build/merged/$name" "Corpus/$name"
    fi
  fi
  echo $status >"$logs/$name.status"
}

running=0
for name in "${targets[@]}"; do
  fuzz "$name" &
  running=$((running + 1))
  if [ $running -ge "$jobs" ]; then wait -n; running=$((running - 1)); fi
done
wait

lines() { echo -; }
if [ "$coverage" = yes ]; then
  # Without the sanitizers, so that what is counted are the library's lines and nothing is slowed down twice.
  build --scratch-path .build/coverage --sanitize=fuzzer -Xswiftc -sanitize=fuzzer \
    -Xswiftc -profile-generate -Xswiftc -profile-coverage-mapping
  covered=$(swift build -c release --scratch-path .build/coverage --show-bin-path)
  # The compiler's own: another version does not read what it writes.
  tool() { ls "$(dirname "$(readlink -f "$(command -v swift)")")/$1" 2>/dev/null || command -v "$1"; }
  profdata=$(tool llvm-profdata) cov=$(tool llvm-cov)
  # The library's modules, as far as this target's program has them: the last row of the report is their sum.
  report() { "$cov" report "$1" -instr-profile="$2" -ignore-filename-regex='Tests/|Fuzz/|\.build/' "${@:3}"; }
  lines() {
    local name=$1 profile=.build/coverage/$1
    mkdir -p "$corpora/$name"
    LLVM_PROFILE_FILE=$profile.raw "$covered/$name" -runs=0 "Corpus/$name" "$corpora/$name" >/dev/null 2>&1 || true
    "$profdata" merge -sparse "$profile.raw" -o "$profile.data"
    report "$covered/$name" "$profile.data" | awk '$1 == "TOTAL" { print $10 }'
  }
fi

echo
printf '%-18s %12s %10s %8s %8s %9s\n' target executions 'a second' edges lines findings
failed=0
for name in "${targets[@]}"; do
  log=$logs/$name.fuzz
  value() { sed -n "s/^stat::$1: *//p" "$log" | tail -1; }
  edges=$(grep -ao 'cov: [0-9]*' "$log" | tail -1 | cut -d' ' -f2 || true)
  found=$(find "$findings/$name" -type f -newer "$logs/started" | wc -l)
  if [ "$(cat "$logs/$name.status")" != 0 ] && [ "$found" = 0 ]; then found=1; fi
  if [ "$found" != 0 ]; then failed=1; fi
  printf '%-18s %12s %10s %8s %8s %9s\n' "$name" "$(value number_of_executed_units)" "$(value average_exec_per_sec)" \
    "${edges:--}" "$(lines "$name" || echo -)" "$found"
done
if [ "$coverage" = yes ] && [ "$target" = all ]; then
  "$profdata" merge -sparse .build/coverage/Fuzz*.raw -o .build/coverage/all.data
  objects=()
  for name in "${targets[@]:1}"; do objects+=(-object "$covered/$name"); done
  total=$(report "$covered/${targets[0]}" .build/coverage/all.data "${objects[@]}" | awk '$1 == "TOTAL" { print $10 }')
  echo "lines of the library reached by all corpora together: $total"
fi
if [ $failed = 1 ]; then
  grep -ah -A3 '^Fuzz[A-Za-z]*: \|ERROR: ' "$logs"/*.fuzz "$logs"/*.replay 2>/dev/null | cut -c1-400 | head -40
  echo "see Fuzz/.build/findings; a finding that is fixed gets a name in Regressions/TARGET, and a unit test"
fi
exit $failed
