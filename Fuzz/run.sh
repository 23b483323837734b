#!/usr/bin/env bash
# Builds the fuzzer, runs it on one or all surfaces, and says what came of it.
set -euo pipefail
cd "$(dirname "$0")"

usage() {
  cat <<'HELP'
usage: Fuzz/run.sh [SURFACE|all] [SECONDS] [--jobs N] [--seed N] [--minimise] [--no-coverage]

Replays what was found before and the corpus of each surface, then fuzzes it for SECONDS (60; 0 replays only). New inputs are
kept in .build/corpora, findings in .build/findings. A table tells executions, executions a second, edges, findings and, of a
build of its own, how much of the library's lines the corpus reaches. The status is 1 if anything was found.

  --jobs N       so many surfaces at a time (2)
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
known=(Corpus/*)
known=("${known[@]#Corpus/}")
if [ "$target" = all ]; then
  targets=("${known[@]}")
else
  targets=("Fuzz${target#Fuzz}")
fi
case " ${known[*]} " in *" ${targets[0]} "*) ;; *) echo "no surface $target: use all or one of ${known[*]}" >&2; exit 2 ;; esac

# A crash is to be libFuzzer's to report: without this the Swift runtime examines it for minutes.
export SWIFT_BACKTRACE=enable=no
corpora=.build/corpora findings=.build/findings logs=.build/logs
mkdir -p "$corpora" "$findings" "$logs" .build/coverage
touch "$logs/started"

# SwiftPM does not notice that a C header has changed: Swift modules would keep what they know of the old one, and run on C that is
# built by the new one. So what was built by other headers is thrown away.
headers=$(find ../Sources Sources -name .build -prune -o -name '*.h' -print0 | LC_ALL=C sort -z | xargs -0 cksum)

# build FOLDER OPTION…: the program is FOLDER/release/surtitle-fuzz then. All of the package together could not be linked: libFuzzer
# has a main function.
build() {
  local folder=$1
  if [ -d "$folder/release" ] && [ "$(cat "$folder/headers" 2>/dev/null)" != "$headers" ]; then
    echo "a C header has changed: building afresh"
    rm -rf "$folder"
  fi
  SURTITLE_FUZZ=1 swift build --package-path .. --scratch-path "$folder" -c release --product surtitle-fuzz --disable-index-store "${@:2}"
  printf '%s\n' "$headers" >"$folder/headers"
}

# This way round, or AddressSanitizer is silently left out.
build ../.build/fuzz --sanitize=fuzzer -Xswiftc -sanitize=fuzzer,address
fuzzer=../.build/fuzz/release/surtitle-fuzz

# Leaks are looked for once the corpora have been replayed: after every input that costs most of the time, and finds threads
# that are just being made.
asan=malloc_context_size=2:quarantine_size_mb=8
dictionary() { case $1 in FuzzFinalCue | FuzzCues | FuzzTimestampMap | FuzzSegmenter | FuzzShift | FuzzSubRip | FuzzFetch | FuzzGrowing) echo webvtt ;; FuzzMediaStart) echo media ;; FuzzJSON) echo json ;; FuzzHTTP) echo http ;; *) echo playlist ;; esac; }

fuzz() {
  local name=$1 status=0
  mkdir -p "$corpora/$name" "$findings/$name" "Regressions/$name"
  local common=(--surface="${name#Fuzz}" -dict="Dictionaries/$(dictionary "$name").dict" -max_len=700 -timeout=30 -rss_limit_mb=2048
    -artifact_prefix="$findings/$name/" -print_final_stats=1 -seed="$seed")
  # The naive SubRip keeps its regular expressions, in enumerations whose pointers the leak sanitizer does not recognize.
  local leaks=1
  if [ "$name" = FuzzSubRip ]; then leaks=0; fi
  ASAN_OPTIONS=$asan:detect_leaks=$leaks "$fuzzer" "${common[@]}" -detect_leaks=0 -runs=0 "Corpus/$name" "Regressions/$name" \
    >"$logs/$name.replay" 2>&1 || status=1
  if [ "$seconds" -gt 0 ] && [ $status = 0 ]; then
    ASAN_OPTIONS=$asan:detect_leaks=0 "$fuzzer" "${common[@]}" -detect_leaks=0 -entropic=0 \
      -max_total_time="$seconds" "$corpora/$name" "Corpus/$name" "Regressions/$name" >"$logs/$name.fuzz" 2>&1 || status=1
  else
    cp "$logs/$name.replay" "$logs/$name.fuzz"
  fi
  if [ "$minimise" = yes ] && [ $status = 0 ]; then
    # What was written by hand has a name, and stays.
    rm -rf ".build/merged/$name"
    mkdir -p ".build/merged/$name"
    find "Corpus/$name" -type f | grep -vE '/[0-9a-f]{10,40}$' | xargs -I{} cp {} ".build/merged/$name/"
    ASAN_OPTIONS=$asan:detect_leaks=0 "$fuzzer" --surface="${name#Fuzz}" -set_cover_merge=1 -max_len=500 ".build/merged/$name" \
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
  build ../.build/fuzz-coverage --sanitize=fuzzer -Xswiftc -sanitize=fuzzer -Xswiftc -profile-generate -Xswiftc -profile-coverage-mapping
  covered=../.build/fuzz-coverage/release/surtitle-fuzz
  # The compiler's own: another version does not read what it writes.
  tool() { ls "$(dirname "$(readlink -f "$(command -v swift)")")/$1" 2>/dev/null || command -v "$1"; }
  profdata=$(tool llvm-profdata) cov=$(tool llvm-cov)
  # Of all modules below the command line, how many lines in a hundred: the last row of the report is their sum.
  report() {
    "$cov" report "$covered" -instr-profile="$1" -ignore-filename-regex='Tests/|Fuzz/|\.build/|Sources/surtitle/' |
      awk '$1 == "TOTAL" { print $10 }'
  }
  lines() {
    local name=$1 profile=.build/coverage/$1
    mkdir -p "$corpora/$name"
    LLVM_PROFILE_FILE=$profile.raw "$covered" --surface="${name#Fuzz}" -runs=0 "Corpus/$name" "$corpora/$name" >/dev/null 2>&1 || true
    "$profdata" merge -sparse "$profile.raw" -o "$profile.data"
    report "$profile.data"
  }
fi

echo
printf '%-18s %12s %10s %8s %8s %9s\n' surface executions 'a second' edges lines findings
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
  echo "lines of the library reached by all corpora together: $(report .build/coverage/all.data)"
fi
if [ $failed = 1 ]; then
  grep -ah -A3 '^Fuzz[A-Za-z]*: \|ERROR: ' "$logs"/*.fuzz "$logs"/*.replay 2>/dev/null | cut -c1-400 | head -40
  echo "see Fuzz/.build/findings; a finding that is fixed gets a name in Regressions/SURFACE, and a unit test"
fi
exit $failed
