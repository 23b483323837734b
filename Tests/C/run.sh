#!/usr/bin/env bash
# Checks the C library: run.sh [--glance]
#
# It is installed into a folder of its own, and every program here is compiled against it by gcc and clang, shared and static, and run; by
# gcc under valgrind and with AddressSanitizer too. What the programs write must be what the command writes. Besides: what the library needs
# of others, what it exports, how large it is, C++, Python, a Swift program with Foundation.
#
# With --glance, what is shared by gcc is run once, and that is all.
#
# SURTITLE is the command to compare with, and PREFIX where the library is installed; each is built if it is not given. KEPT is a folder, not there
# yet, where the programs are to stay, and in `runs` how each is run and which file has what it must write. SURTITLE_CONFORMANCE is a
# folder with more playlists and subtitles, and what they hold. In CI, as root on Debian, what is missing is installed and nothing is skipped.
# Elsewhere what lacks its tool is skipped, and said to be.
set -euo pipefail
cd "$(dirname "$0")"
root=$(cd ../.. && pwd)

readonly packages=(gcc g++ clang libc6-dev valgrind binutils pkg-config python3)
is_ci=false
if [ "${CI:-}" = true ] && [ "$(id -u)" -eq 0 ] && command -v apt-get >/dev/null; then
  is_ci=true
  if ! dpkg-query -W -f '${db:Status-Status}\n' "${packages[@]}" 2>&1 | awk '$0 != "installed" { exit 1 }'; then
    apt-get update -qq
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${packages[@]}" >/dev/null </dev/null
  fi
fi

work=${KEPT:-}
if [ -n "$work" ]; then
  mkdir -p "$work"
else
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
fi
failed=0
checks=0
fail() {
  echo "FAILED: $*" >&2
  failed=1
}
skip() {
  echo "skipped: $*"
  if "$is_ci"; then fail "$* is missing"; fi
}

./install_test.sh || failed=1

if [ -z "${SURTITLE:-}" ]; then
  (cd "$root" && swift build -c release --product surtitle >/dev/null)
  SURTITLE=$root/.build/release/surtitle
fi
if [ -n "${PREFIX:-}" ]; then
  ln -s "$(cd "$PREFIX" && pwd)" "$work/prefix"
else
  "$root/Sources/CSurtitle/install.sh" "$work/prefix" >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
  # What it says to compile and to link a program with finds the library, and so does the program when it runs.
  flags=$(sed -n 's/^to compile: cc program.c //p' "$work/log")
  rpath=$(sed -n 's/^to run: .*\(-Wl,-rpath,[^ ]*\) as well;.*/\1/p' "$work/log")
  if ! eval "cc -Wall -Wextra -Werror chars.c -o $work/found $flags $rpath" || ! env -u LD_LIBRARY_PATH "$work/found"; then
    fail "what install.sh says of finding the library"
  fi
fi
export PKG_CONFIG_PATH=$work/prefix/lib/pkgconfig LD_LIBRARY_PATH=$work/prefix/lib
library=$work/prefix/lib/libsurtitle.so
archive=$work/prefix/lib/libsurtitle.a

# What the library needs of others, what it exports, and how large it is.
nm -D --undefined-only "$library" | awk '$1 == "U" { sub(/@.*/, "", $2); print $2 }' | sort >"$work/undefined"
if others=$(grep -vxFf libc-symbols.txt "$work/undefined"); then fail "the shared library needs ${others//$'\n'/ }"; fi
if others=$(nm -D --defined-only "$library" | awk '$2 ~ /[A-Z]/ && $3 !~ /^surtitle_/ { print $3 }' | grep .); then
  fail "the shared library exports ${others//$'\n'/ }"
fi
if others=$(nm --defined-only --extern-only "$archive" | awk 'NF == 3 && $3 !~ /^surtitle_/ { print $3 }' | grep .); then
  fail "the static library exports ${others//$'\n'/ }"
fi
# libgcc, or what stands for it, tells what the processor can do.
nm --undefined-only "$archive" | awk '$1 == "U" { print $2 }' | sort | grep -vx '__cpu_model\|__cpu_indicator_init' >"$work/undefined"
if others=$(grep -vxFf libc-symbols.txt "$work/undefined"); then fail "the static library needs ${others//$'\n'/ }"; fi
declared=$(sed -nE '/^typedef/!s/^[a-z].*[ *](surtitle_[a-z_]+)\(.*/\1/p' "$work/prefix/include/surtitle.h" | sort)
exported=$(nm -D --defined-only "$library" | awk '{ print $3 }' | sort)
[ "$declared" = "$exported" ] || fail "the header declares other functions than the library exports"

# within LIMIT LIBRARY WHAT
within() {
  local size
  size=$(stat -c %s "$(readlink -f "$2")")
  echo "$3: $size bytes"
  [ "$size" -le "$1" ] || fail "$3 has $size bytes, and may have $1"
}
# 37 KB of it are what goes over usual lines at once: attributes that are edited, variants that are dropped, the ends of chunks, whole cues.
within 774144 "$library" "the shared library"
# What rewrites, reads and answers one request at a time, as it comes out of the static library.
printf '{ global: %s local: *; };\n' "$(grep -v '_rout\|_fetch\|_channel\|_cue_index\|_growing\|_stream' <<<"$declared" | sed 's/$/;/' | tr '\n' ' ')" >"$work/unrouted"
cc -shared -Wl,--whole-archive "$archive" -Wl,--no-whole-archive -Wl,--gc-sections "-Wl,--version-script=$work/unrouted" \
  -Wl,-z,noexecstack -o "$work/unrouted.so"
strip --strip-unneeded "$work/unrouted.so"
within 518144 "$work/unrouted.so" "the same without router, fetches and live streams"
[ "$(pkg-config --modversion surtitle)" = "$("$SURTITLE" --version | sed 's/surtitle //')" ] ||
  fail "pkg-config tells another version than the command"

# compile COMPILER LINKING PROGRAM FLAG…: into $work/PROGRAM
compile() {
  local compiler=$1 linking=$2 program=$3
  shift 3
  local flags=(-std=c11 -pedantic -Wall -Wextra -Werror -g "-I$work/prefix/include" "$@" "$program.c" -o "$work/$program")
  if [ "$linking" = shared ]; then
    # shellcheck disable=SC2046
    "$compiler" "${flags[@]}" $(pkg-config --libs surtitle) -lpthread
  else
    "$compiler" "${flags[@]}" "$archive" -Wl,--gc-sections -lpthread
  fi
}

fixture=../Fixtures/sample/master.m3u8
masters=("$fixture")
subtitles=(../Fixtures/sample/en.vtt ../Fixtures/sample/sv.vtt)
if [ -n "${SURTITLE_CONFORMANCE:-}" ]; then
  while IFS= read -r file; do masters+=("$file"); done < <(find "$SURTITLE_CONFORMANCE/m3u8" -name 'master*.m3u8' | sort)
fi
tracks=(--track 'uri=subs/en.m3u8,language=en,name=English,default' --track 'uri=subs/sv.m3u8,language=sv,name=Svenska')
edits=(--set 'EXT-X-STREAM-INF:NAME="hd"' --drop EXT-X-SESSION-DATA --map-uri https://example.com/video/
  --append-query variant=token=1 --keep-variants 'BANDWIDTH>=1')

# What the command makes of the files. Status 1 says that something is the matter with the playlist, whose bytes pass through then.
mkdir "$work/expected"
number=0
for file in "${masters[@]}"; do
  "$SURTITLE" master "$file" "${tracks[@]}" >"$work/expected/$number.m3u8" 2>/dev/null || [ $? -eq 1 ]
  number=$((number + 1))
done
"$SURTITLE" edit "$fixture" "${edits[@]}" >"$work/expected/edits" 2>/dev/null
cp "$work/expected/edits" "$work/expected/json"
"$SURTITLE" master "$work/expected/edits" --track 'uri=subs/en.m3u8,language=en,name=English,default' >"$work/expected/both" 2>/dev/null
for file in "${subtitles[@]}"; do
  name=$(basename "$file")
  "$SURTITLE" segment "$file" -o "$work/expected/$name.d" --target 6 --map 900000 >/dev/null 2>&1
  find "$work/expected/$name.d" -name '*.vtt' | sort -V | xargs cat >"$work/expected/$name.segments"
  "$SURTITLE" cues "$file" --json | python3 -c '
import json, sys
for line in sys.stdin:
    cue = json.loads(line)
    parts = [(cue.get(key) or "").encode().hex() or "-" for key in ("id", "settings", "text")]
    print(cue["start_ms"], cue["end_ms"], *parts)' >"$work/expected/$name.cues"
  { "$SURTITLE" duration "$file"; "$SURTITLE" duration --latest "$file"; } | tr -d . | sed 's/^0*//' | paste -sd ' ' >"$work/expected/$name.end"
done

printf '1\r\n00:00:01,500 --> 00:00:03,000\r\n<i>Cue <b>one</b></i>\r\nline --> two\r\n\r\n2\r\n00:00:04,000 --> 00:00:05,250\r\n\303\245 & b\r\n' \
  >"$work/film.srt"
"$SURTITLE" sideload "$fixture" --track "$work/film.srt,language=en,name=A" --map none -o "$work/expected/subrip" >/dev/null 2>&1

# Plans of a router, and the master that it makes: URIs made absolute, with the addresses of the tracks.
cat >"$work/routes.json" <<'END'
{"master": "https://example.com/film/master.m3u8", "webvtt": "bytes", "keys": "decline", "segments": "redirect", "tracks": [
  {"uri": "en.vtt", "language": "en", "name": "English", "default": true}, {"uri": "sv.m3u8", "language": "sv", "name": "Svenska"},
  {"uri": "x.srt", "type": "vtt", "language": "fr", "name": "Fr"}, {"uri": "ü b%20c.srt", "language": "de", "name": "D"},
  {"uri": "//cdn.example/x.vtt?a=[b]", "type": "srt", "language": "it", "name": "I"}]}
END
urls=(surtitle-master-https://example.com/film/master.m3u8 surtitle-variant-http://a.example/v.m3u8?q surtitle-key-https://a.example/k
  surtitle-track://subtitles/en.m3u8 surtitle-track://subtitles/EN.vtt surtitle-track://subtitles/sv.m3u8 surtitle-track://subtitles/sv.vtt
  surtitle-segment-https://a.example/1.ts surtitle-cues-https://a.example/1.vtt surtitle-track://subtitles/fr.m3u8 skd://key
  https://example.com/film/master.m3u8 surtitle-key-https:// surtitle-track://subtitles/{fr,de,it}.{m3u8,vtt}
  'surtitle-variant-https://a.example/å b?q="x"#f' 'surtitle-segment-https://a.example/å b?q="x"#f' 'surtitle-segment-https://a.example/%zz|')
for url in "${urls[@]}"; do
  "$SURTITLE" route "$url" --config "$work/routes.json" 2>/dev/null | python3 -c '
import json, sys
plan = json.load(sys.stdin)
print(plan.get("track", -1), plan.get("url", plan.get("source", "-")), plan["description"])'
done >"$work/expected/plans"
# Configurations that are refused, and in which words.
long=$(printf '%300s' '' | tr ' ' x)
cat >"$work/refused" <<END
{
{"master": 1}
{"master": "film.m3u8"}
{"tracks": [{"uri": "a.m3u8", "languag": "en"}]}
{"tracks": [{"uri": "a.m3u8", "colour": "en"}]}
{"tracks": [{"uri": "a.m3u8", "\"\\\\'\n\u202e\u0085é": "en"}]}
{"$long": 1, "tracks": []}
{"${long//x/字}": 1, "tracks": []}
{"tracks": [{"name": "A"}]}
{"tracks": [{"uri": "a.m3u8", "language": "e_n"}]}
{"tracks": [{"uri": "a.m3u8", "name": "a\u0007"}]}
{"tracks": [{"uri": "a.m3u8", "stable-id": "a b"}]}
{"tracks": [{"uri": "a.vtt"}, {"uri": "a.vtt"}]}
{"tracks": [{"uri": "a.vtt"}], "tracks": []}
{"edits": [{"drop": "EXTM3U"}]}
{"edits": [{"set": "EXT-X-KEY:A"}]}
{"scheme": {"key": "1x"}}
{"host": "a b"}
{"map-uri": "video/"}
{"keep-variants": "BANDWIDTH="}
{"tracks": []}
{"master": "https://a.example/track/a.m3u8", "base": "https://a.example/"}
{"master": "https://a.example/", "webvtt": {"served": "https://a"}}
{"master": "https://a.example/", "webvtt": "redirect", "tracks": [{"uri": "a.vtt"}, {"uri": "b.srt"}]}
{"master": "https://a.example/", "tracks": [{"uri": "ftp://a/\u200fb.vtt"}]}
{"master": "https://a.example/", "tracks": [{"uri": "ftp://$long/b.vtt"}]}
END
while IFS= read -r line; do
  printf '%s' "$line" >"$work/refused.json"
  { "$SURTITLE" route https://a.example/ --config "$work/refused.json" 2>&1 || [ $? -eq 1 ]; } | python3 -c '
import re, sys
text = sys.stdin.read().rstrip("\n").removeprefix(f"surtitle: {sys.argv[1]}: ")
text = re.sub("^line [0-9]+, column [0-9]+, ", "", text)
text = re.sub("^track ([0-9]+): ", lambda track: f"tracks[{int(track[1]) - 1}]: ", text)
place, message = re.fullmatch(r"((?:at byte [0-9]+: )?(?:[a-z-]+[][0-9a-z.-]*: )?)(.*)", text).groups()
print(place + message.encode()[:255].decode(errors="ignore"))' "$work/refused.json"
done <"$work/refused" >"$work/expected/messages"
"$SURTITLE" edit "$fixture" --map-uri https://example.com/film/master.m3u8 \
  --scheme variant=https:surtitle-variant-https --scheme rendition=https:surtitle-rendition-https >"$work/expected/absolute" 2>/dev/null
"$SURTITLE" master "$work/expected/absolute" --track 'uri=surtitle-track://subtitles/en.m3u8,language=en,name=English,default' \
  --track 'uri=surtitle-track://subtitles/sv.m3u8,language=sv,name=Svenska' --track 'uri=surtitle-track://subtitles/fr.m3u8,language=fr,name=Fr' \
  --track 'uri=surtitle-track://subtitles/de.m3u8,language=de,name=D' --track 'uri=surtitle-track://subtitles/it.m3u8,language=it,name=I' \
  >"$work/expected/routed"

# same EXPECTED COMMAND…: the command must succeed, and write what the file holds.
same() {
  local expected=$1
  shift
  checks=$((checks + 1))
  if [ -n "${KEPT:-}" ]; then printf '%s\0' "$expected" "$@" $'\n' >>"$KEPT/runs"; fi
  if ! "$@" >"$work/output" 2>"$work/complaint"; then
    fail "$*"
    head -20 "$work/complaint" >&2
  elif [ "$expected" != - ] && ! cmp -s "$expected" "$work/output"; then
    fail "another output: $*"
  fi
}

# check HOW RUNNER…: runs all programs, each by the runner. With few the masters are only two.
check() {
  local how=$1 number=0 file
  shift
  for file in "${masters[@]}"; do
    local expected=$work/expected/$number.m3u8
    same "$expected" "$@" "$work/playlist" 13 0 "$file"
    same "$expected" "$@" "$work/memory" 100000 65536 "$file"
    if [ "$how" = all ]; then
      same "$expected" "$@" "$work/playlist" 1 1 "$file"
      same "$expected" "$@" "$work/playlist" 65536 1000000 "$file"
      same "$expected" "$@" "$work/memory" 50 7 "$file"
      same "$expected" "$@" "$work/whole" 0 "$file"
    fi
    same "$expected" "$@" "$work/whole" 100000 "$file"
    number=$((number + 1))
    if [ "$how" = few ] && [ "$number" -eq 3 ]; then break; fi
  done
  for kind in edits json both; do same "$work/expected/$kind" "$@" "$work/configuration" "$kind" "$fixture"; done
  for file in "${subtitles[@]}"; do
    local name
    name=$(basename "$file")
    same "$work/expected/$name.cues" "$@" "$work/cues" 7 "$file"
    same "$work/expected/$name.cues" "$@" "$work/cues" 65536 "$file"
    same "$work/expected/$name.segments" "$@" "$work/segments" 6 "$file"
    same "$work/expected/$name.segments" "$@" "$work/segments_stream" 6 7 "$file"
    same "$work/expected/$name.segments" "$@" "$work/segments_stream" 6 65536 "$file"
    same "$work/expected/$name.end" "$@" "$work/final_cue" "$file"
    for program in live stream; do same - "$@" "$work/$program" "$file"; done
  done
  for program in media_start timestamp_map http misuse chars; do same - "$@" "$work/$program"; done
  same "$work/expected/subrip/film.vtt" "$@" "$work/subrip" "$work/film.srt"
  same - "$@" "$work/hooks" "$fixture"
}

# check_routing RUNNER…: runs the programs of routes and fetches, each by the runner.
check_routing() {
  local file
  for program in router fetch misuse_routing; do same - "$@" "$work/$program"; done
  for file in "${subtitles[@]}"; do same "$work/expected/$(basename "$file").end" "$@" "$work/fetch" "$file"; done
  same "$work/expected/messages" "$@" "$work/messages" "$work/refused"
  same "$work/expected/plans" "$@" "$work/router" plans "$work/routes.json" "${urls[@]}"
  same "$work/expected/routed" "$@" "$work/router" master "$work/routes.json" "$fixture"
}

readonly programs=(playlist memory whole configuration cues segments segments_stream final_cue subrip media_start timestamp_map http misuse chars hooks live stream router messages fetch misuse_routing)
if [ "${1:-}" = --glance ]; then
  for program in "${programs[@]}"; do compile gcc shared "$program" || fail "gcc: $program"; done
  check few
  check_routing
  echo "$checks runs of C programs"
  exit "$failed"
fi
for compiler in gcc clang; do
  command -v "$compiler" >/dev/null || { skip "$compiler"; continue; }
  for linking in shared static; do
    for program in "${programs[@]}"; do compile "$compiler" "$linking" "$program" -O2 || fail "$compiler: $program"; done
    check all
    check_routing
  done
done
echo "programs: done"

# The static library, so that what is checked is in the program itself.
for program in "${programs[@]}"; do compile gcc static "$program" -fsanitize=address -fno-omit-frame-pointer || fail "gcc: $program"; done
check few
check_routing
echo "AddressSanitizer: done"
if command -v valgrind >/dev/null; then
  for program in "${programs[@]}"; do compile gcc shared "$program" || fail "gcc: $program"; done
  # What is made once for the process is still reachable at its end.
  memcheck=(valgrind -q --error-exitcode=99 --leak-check=full --errors-for-leak-kinds=definite,possible --child-silent-after-fork=yes)
  check few "${memcheck[@]}"
  # Of enums such as Fetch.State the tag is the sign of a word that is padding else, which nobody writes. The compiler tests the sign of the
  # whole word (test, cmovns), and valgrind 3.19 asks for the whole word then. What is read out of bounds, and leaks, are still found.
  check_routing "${memcheck[@]}" --undef-value-errors=no
  echo "valgrind: done"
else
  skip valgrind
fi

# Calls in random order, from seeds made of the fixtures. The seed is fixed: whether a change lands must not hang on chance. SECONDS_OF_FUZZING
# asks for more, and for chance.
fuzzing_clang=$(dirname "$(command -v swiftc)")/clang
if "$fuzzing_clang" -g -O1 -fsanitize=fuzzer,address "-I$work/prefix/include" fuzz.c "$archive" -o "$work/fuzz" 2>"$work/complaint"; then
  mkdir "$work/corpus"
  for kind in 0 1 2 3 4 5 6; do
    for file in "${subtitles[@]}" "$fixture" ../../Fuzz/Corpus/FuzzJSON/json-0*; do
      { printf "\\x0$kind"; head -c 63 "$fixture"; cat "$file"; } >"$work/corpus/$kind-$(basename "$file")"
    done
  done
  seed=(-seed=1 -runs=20000)
  if [ -n "${SECONDS_OF_FUZZING:-}" ]; then seed=(-max_total_time="$SECONDS_OF_FUZZING"); fi
  (cd "$work" && same - ./fuzz corpus "${seed[@]}" -max_len=4096 -verbosity=0; exit "$failed") || failed=1
  echo "fuzzing: done"
else
  cat "$work/complaint"
  skip "libFuzzer"
fi

# Other languages.
# shellcheck disable=SC2046
g++ -std=c++17 -pedantic -Wall -Wextra -Werror cplusplus.cc -o "$work/cplusplus" $(pkg-config --cflags --libs surtitle) || fail "g++"
same "$work/expected/0.m3u8" "$work/cplusplus" "$fixture"
python=(env SURTITLE="$(realpath "$SURTITLE")" SURTITLE_LIBRARY="$library" PYTHONPATH="$root/Sources/Python" PYTHONDONTWRITEBYTECODE=1 python3)
same - "${python[@]}" -m unittest discover -s ../Python
if [ -n "${SURTITLE_CONFORMANCE:-}" ]; then
  same - "${python[@]}" ../Python/conformance.py "$SURTITLE_CONFORMANCE"
  echo "conformance: $(cat "$work/output")"
else
  echo "skipped: conformance, SURTITLE_CONFORMANCE names no folder"
fi
printf 'module CSurtitleInstalled { header "%s" }\n' "$work/prefix/include/surtitle.h" >"$work/module.modulemap"
swiftc -O hosted.swift -o "$work/hosted" -Xcc -fmodule-map-file="$work/module.modulemap" "$archive" || fail "swiftc"
same "$work/expected/0.m3u8" "$work/hosted" "$fixture"

echo "$checks runs of C programs and others"
exit "$failed"
