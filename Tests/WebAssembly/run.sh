#!/usr/bin/env bash
# Checks the library for WebAssembly, its JavaScript face and the page: run.sh
#
# The face is run under node, and what it writes must be what the command writes; its types are checked by TypeScript; the page is opened in
# Chromium.
#
# SURTITLE is the command to compare with, and BUILT where Sources/WebAssembly/build.sh has put what it builds; each is built if it is not given.
# SURTITLE_CONFORMANCE is a folder with more playlists. In CI, as root on Debian, what is missing is installed. Elsewhere what lacks its tool is
# skipped, and said to be.
set -euo pipefail
cd "$(dirname "$0")"
root=$(cd ../.. && pwd)

readonly packages=(nodejs node-typescript binaryen chromium python3)
is_ci=false
if [ "${CI:-}" = true ] && [ "$(id -u)" -eq 0 ] && command -v apt-get >/dev/null; then
  is_ci=true
  if ! dpkg-query -W -f '${db:Status-Status}\n' "${packages[@]}" 2>&1 | awk '$0 != "installed" { exit 1 }'; then
    apt-get update -qq
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${packages[@]}" >/dev/null </dev/null
  fi
fi
failed=0
fail() {
  echo "FAILED: $*" >&2
  failed=1
}
has() {
  if command -v "$1" >/dev/null; then return 0; fi
  echo "skipped: there is no $1"
  if "$is_ci"; then fail "$1 is missing"; fi
  return 1
}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
if [ -z "${SURTITLE:-}" ]; then
  (cd "$root" && swift build -c release --product surtitle >/dev/null)
  SURTITLE=$root/.build/release/surtitle
fi
# A tool that is missing is told at once, before anything is compiled.
mkdir "$work/few"
for tool in bash dirname mkdir readlink swiftc; do ln -s "$(command -v "$tool")" "$work/few/$tool"; done
if PATH=$work/few SCRATCH=$work/scratch "$root/Sources/WebAssembly/build.sh" "$work/nothing" >"$work/log" 2>&1 || [ -e "$work/scratch" ] ||
  [ -e "$work/nothing" ] || ! grep -q 'there is no wasm-opt; install binaryen' "$work/log"; then
  fail "build.sh without wasm-opt: $(cat "$work/log")"
fi
if [ -z "${BUILT:-}" ]; then
  has wasm-opt || exit "$failed"
  BUILT=$work/built
  "$root/Sources/WebAssembly/build.sh" "$BUILT" >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
fi
BUILT=$(cd "$BUILT" && pwd)

# What the command makes of the files: N.in becomes N.out. Status 1 says that something is the matter with a playlist, whose bytes pass through then.
expected=$work/expected
mkdir "$expected"
fixture=../Fixtures/sample/master.m3u8
masters=("$fixture")
if [ -n "${SURTITLE_CONFORMANCE:-}" ]; then
  while IFS= read -r file; do masters+=("$file"); done < <(find "$SURTITLE_CONFORMANCE/m3u8" -name 'master*.m3u8' | sort)
fi
number=0
for file in "${masters[@]}"; do
  cp "$file" "$expected/$number.in"
  "$SURTITLE" master "$file" --track 'uri=subs/en.m3u8,language=en,name=English,default' \
    --track 'uri=subs/sv.m3u8,language=sv,name=Svenska' >"$expected/$number.out" 2>/dev/null || [ $? -eq 1 ]
  number=$((number + 1))
done
"$SURTITLE" master "$fixture" --replace-default --track 'uri=a.m3u8,language=en,name=A,sdh,default,assoc-language=sv,stable-id=x1,group=texts' \
  --track 'uri=b.m3u8,language=sv,autoselect=no,group=texts' --track 'uri=c.m3u8,language=de,name=C,forced,kind=captions,group=texts' >"$expected/fields"
"$SURTITLE" edit "$fixture" --set 'EXT-X-STREAM-INF:NAME="hd"' --drop EXT-X-SESSION-DATA --map-uri https://example.com/video/ \
  --append-query variant=token=1 --keep-variants 'BANDWIDTH>=1' >"$expected/edits" 2>/dev/null
"$SURTITLE" master "$expected/edits" --track 'uri=subs/en.m3u8,language=en,name=English,default' >"$expected/both" 2>/dev/null
for file in ../Fixtures/sample/*.vtt; do
  name=$(basename "$file")
  cp "$file" "$expected/$name"
  "$SURTITLE" cues "$file" --json >"$expected/$name.cues"
  { "$SURTITLE" duration "$file"; "$SURTITLE" duration --latest "$file"; } >"$expected/$name.ends"
  "$SURTITLE" segment "$file" -o "$work/$name.d" --target 6 --map 900000 >/dev/null 2>&1
  find "$work/$name.d" -name '*.vtt' | sort -V | xargs cat >"$expected/$name.segments"
done
printf '1\r\n00:00:01,500 --> 00:00:03,000\r\n<i>Cue <b>one</b></i>\r\nline --> two\r\n\r\n2\r\n00:00:04,000 --> 00:00:05,250\r\n\303\245 & b\r\n' \
  >"$expected/film.srt"
"$SURTITLE" sideload "$fixture" --track "$expected/film.srt,language=en,name=A" --map none -o "$work/subrip" >/dev/null 2>&1
cp "$work/subrip/film.vtt" "$expected/"

if has node && has python3; then
  # What the command makes of live streams.
  python3 live.py --surtitle "$SURTITLE" "$expected/live" || fail "live.py"
  SURTITLE_WASM=$BUILT SURTITLE_EXPECTED=$expected SURTITLE_EXPORTS=$root/Sources/WebAssembly/exports.txt \
    SURTITLE_VERSION=$("$SURTITLE" --version) node --expose-gc --test ./*.test.mjs >"$work/log" 2>&1 || { cat "$work/log"; fail "node"; }
  grep -E '^(#|ℹ) (tests|fail|skipped)' "$work/log"
fi

if has tsc; then
  flags=(--noEmit --strict --target es2022 --module es2022 --moduleResolution node16 --lib es2022,dom)
  tsc "${flags[@]}" types/uses.mts || fail "types/uses.mts"
  # Every line below the declarations must be an error, and nothing else.
  { tsc "${flags[@]}" types/wrong.mts || true; } | sed -nE 's/^types\/wrong\.mts\(([0-9]+),.*/\1/p' | sort -un >"$work/wrong"
  grep -nE '^(surtitle|live)\.' types/wrong.mts | cut -d: -f1 >"$work/lines"
  cmp -s "$work/lines" "$work/wrong" || fail "types/wrong.mts has errors in lines $(paste -sd ' ' "$work/wrong")"
  echo "types: $(wc -l <"$work/wrong") errors, as many as there must be"
fi

if has chromium; then
  python3 page.py --built "$BUILT" || fail "the page"
  python3 service_worker.py --built "$BUILT" || fail "the service worker"
fi
exit "$failed"
