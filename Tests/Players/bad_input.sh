#!/usr/bin/env bash
# The command line on bad input: bad_input.sh PATH-TO-surtitle
# The rules: status 0 done, 1 the input is refused (one line on standard error that names the file, the position
# and what to do), 2 the arguments are wrong; notes (`surtitle: note: …`) go with status 0 only. No input may end it any other way, and `master` and `edit` hand out every
# byte of what they refuse. Prints one line a case; needs Python 3 to measure memory.
set -uo pipefail

[ $# -eq 1 ] && [ -x "$1" ] || { echo "usage: bad_input.sh PATH-TO-surtitle" >&2; exit 2; }
surtitle=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 1
export LC_ALL=C

readonly track='uri=en.vtt,language=en,name=English'
readonly patience=60                   # seconds for one run
readonly memory_limit=$((64 << 10))    # KiB at the peak, whatever the size of the input
failed=0

# Expectations about the last run; each adds to `problems`.
problems=''
problem() { problems+="${problems:+; }$*"; }

run() {
  status=0
  timeout "$patience" "$surtitle" "$@" >out 2>said || status=$?
  grep -v '^surtitle: note: ' said >err || true
  grep '^surtitle: note: ' said >notes || true
  [ "$status" -eq 0 ] || [ ! -s notes ] || problem 'a note though it failed'
}

expect_status() {
  local one expected="$*"
  for one in "$@"; do [ "$status" -eq "$one" ] && return; done
  problem "status $status, not ${expected// / or }"
}

expect_no_crash() {
  [ "$status" -le 2 ] || problem "status $status"
  ! grep -qiE 'fatal error|crash|illegal instruction|stack dump|backtrace' err || problem 'a crash on standard error'
}

expect_output() { cmp -s out "$1" || problem "the output is not $1"; }

expect_nothing_on_output() { [ ! -s out ] || problem 'something on standard output'; }

# One line that names FILE and, with a second argument, the position: a number that is no part of the name.
expect_error_line() {
  [ "$(wc -l <err)" -eq 1 ] || problem "$(wc -l <err | tr -d ' ') lines on standard error, not 1"
  if [ "$1" = - ]; then
    grep -qiE -- '(^|[^[:alnum:]-])-($|[^[:alnum:]-])|standard input' err || problem 'standard input is not named'
  else
    grep -qF -- "$1" err || problem "$1 is not named"
  fi
  [ $# -eq 1 ] || sed "s/$1//g" err | grep -q '[0-9]' || problem 'no position'
}

report() {
  if [ -z "$problems" ]; then
    echo "ok $1"
  else
    echo "FAILED $1: $problems$([ ! -s err ] || printf ' | %s' "$(head -c 200 err | tr '\n' ' ')")"
    failed=$((failed + 1))
  fi
  problems=''
}

# Whole cases. NAME FILE ARGUMENT…, where the message must name FILE.
refused() {
  local name=$1 file=$2; shift 2
  run "$@"; expect_status 1; expect_nothing_on_output; expect_error_line "$file"; report "$name"
}
refused_at_a_position() {
  local name=$1 file=$2; shift 2
  run "$@"; expect_status 1; expect_nothing_on_output; expect_error_line "$file" position; report "$name"
}
refused_but_passed_on() {
  local name=$1 file=$2; shift 2
  run "$@"; expect_status 1; expect_output "$file"; expect_error_line "$file" position; report "$name"
}
# NAME ARGUMENT…
wrong_arguments() {
  local name=$1; shift
  run "$@"; expect_status 2; expect_nothing_on_output; expect_no_crash
  [ -s err ] || problem 'nothing on standard error'
  report "$name"
}

# The inputs. No name has a digit in it, so that a digit in a message is a position.
printf '#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=100,CODECS="avc1"\nv.m3u8\n#EXT-X-STREAM-INF:BANDWIDTH=200\nw.m3u8\n' >lf.m3u8
sed 's/$/\r/' lf.m3u8 >crlf.m3u8
printf '%s' "$(cat lf.m3u8)" >bare.m3u8
printf '#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXTINF:4,\na.ts\n#EXT-X-ENDLIST\n' >media.m3u8
printf '#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=100,RESOL' >cut-in-a-name.m3u8
printf '#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=100,CODECS="avc1.64' >cut-in-quotes.m3u8
printf '#EXTM3U\n#EXT-X-STREAM-I' >cut-in-the-tag.m3u8
printf 'WEBVTT\n\n00:01.000 --> 00:02.000\nOne\n\n00:03.000 --> 00:04.500\nTwo\n' >good.vtt
printf 'WEBVTT\n\nNOTE There is no cue here.\n' >no-cue.vtt
printf '00:01.000 --> 00:02.000\nNo signature\n' >no-signature.vtt
printf 'WEBVTT\n\n00:01.000 --> 00:0' >cut-in-a-time.vtt
printf 'WEBVTT\n\n00:01.000 --> 00:02.000\nOne\n\n00:03.000 --> 1234567890:00:00.000\nTwo\n' >endless.vtt
printf 'WEBVTT\n\n00:11.000 --> 00:12.000\nTwo\n\n00:01.000 --> 00:02.000\nOne\n' >late.vtt
: >empty
python3 -c 'import sys; sys.stdout.buffer.write(bytes(i * i * 7 % 251 ^ i >> 8 & 255 for i in range(70000)))' >binary
{ printf '#EXTM3U\n'; cat binary; } >binary.m3u8
{ printf 'WEBVTT\n\n'; cat binary; } >binary.vtt
printf '1\n00:00:01,000 --> 00:00:02,000\nOne\n\n2\n00:00:03,000 --> 00:00:04,500\nTwo\n' >good.srt
python3 -c 'import sys; sys.stdout.buffer.write(open("good.srt").read().encode("utf-16-le"))' >utf-sixteen.srt
python3 -c 'import sys; sys.stdout.buffer.write(("\ufeff" + open("good.srt").read()).encode("utf-16-le"))' >utf-sixteen-marked.srt
{ cat good.srt; printf '\n3\n00:00:05,000 --> 00:00:06,000\nd\351j\340 vu\n'; } >latin.srt
: >empty.srt
cp binary binary.srt
printf 'Hello\n' >no-cue.srt
printf 'WEBVTT\n\n01:00:00.456 --> 00:00:21.670\nx\n' >hidden.vtt
printf '#EXTM3U\n#EXT-X-STREAM-INF:A="\nv\n' >open.m3u8
printf '#EXTM3U\n#EXT-X-I-FRAME-STREAM-INF:URI="i"\n' >frames.m3u8
printf '#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXT-X-SKIP:SKIPPED-SEGMENTS=3\n#EXTINF:4,\na.ts\n' >delta.m3u8
printf '{"tracks": [{"uri": "en.m3u8"' >cut.json
printf '{"tracks": [{"uri": "en.m3u8", "name": "a\351b"}]}' >latin.json
printf '{"tracks": [{"uri": "en.m3u8", "colour": true}]}' >unknown-key.json
python3 -c 'print("[" * 100000)' >deep.json
python3 -c 'print("{\"tracks\": [], \"map\": \"" + "x" * (1 << 21) + "\"}")' >long.json
mkdir directory

# Nothing, noise, and no file at all.
refused 'master: an empty file' empty master empty --track "$track"
refused 'master: an empty standard input' - master - --track "$track" <empty
refused 'edit: an empty file' empty edit empty --drop EXT-X-MEDIA
refused_but_passed_on 'master: a binary file' binary master binary --track "$track"
refused_but_passed_on 'edit: a binary file' binary edit binary --drop EXT-X-MEDIA
for command in master 'edit --drop EXT-X-MEDIA' inspect check cues duration 'playlist --uri en.vtt' 'segment -o segments'; do
  read -ra words <<<"$command"
  [ "$command" != master ] || words+=(--track "$track")
  refused "${words[0]}: a directory" directory "${words[0]}" directory "${words[@]:1}"
  refused "${words[0]}: a missing file" missing "${words[0]}" missing "${words[@]:1}"
done
refused 'sideload: a missing master' missing sideload missing --track "$track" -o made
refused 'sideload: a missing local subtitle file' gone.vtt sideload lf.m3u8 --track "$track,file=gone.vtt" -o made
refused 'sideload: a directory as subtitle file' directory sideload lf.m3u8 --track "$track,file=directory" -o made
refused 'sideload: a subtitle file without cues' no-cue.vtt sideload lf.m3u8 --track "$track,file=no-cue.vtt" -o made
refused 'sideload: a binary subtitle file' binary sideload lf.m3u8 --track "$track,file=binary" -o made

# Configurations.
for file in empty binary cut.json latin.json unknown-key.json deep.json long.json; do
  refused_at_a_position "master: ${file%.json} as a configuration" "$file" master lf.m3u8 --config "$file"
  refused_at_a_position "edit: ${file%.json} as a configuration" "$file" edit lf.m3u8 --config "$file"
  refused_at_a_position "sideload: ${file%.json} as a configuration" "$file" sideload lf.m3u8 --config "$file" -o made
done
refused 'master: a missing configuration' gone.json master lf.m3u8 --config gone.json
refused 'master: a directory as a configuration' directory master lf.m3u8 --config directory

# Playlists of the wrong kind, and files that are no playlist.
refused_but_passed_on 'master: a media playlist' media.m3u8 master media.m3u8 --track "$track"
refused_but_passed_on 'master: a WebVTT file' good.vtt master good.vtt --track "$track"
refused_but_passed_on 'edit: a WebVTT file' good.vtt edit good.vtt --set 'EXT-X-STREAM-INF:BANDWIDTH=1'
refused_but_passed_on 'master: a media playlist, byte by byte' media.m3u8 master media.m3u8 --track "$track" --chunk 1
refused_but_passed_on 'edit: a binary file, byte by byte' binary edit binary --drop EXT-X-MEDIA --chunk 1

# A master that is cut short: whatever the verdict, every byte of it comes out first.
for file in cut-in-a-name.m3u8 cut-in-quotes.m3u8 cut-in-the-tag.m3u8; do
  run master "$file" --track "$track"
  expect_status 0 1
  [ "$status" -eq 0 ] || expect_error_line "$file"
  head -c "$(wc -c <"$file")" out | cmp -s - "$file" || problem 'the output does not begin with the input'
  report "master: ${file%.m3u8}"
done

# Playlists of the right kind with something that cannot be done.
refused_but_passed_on 'edit: an open quote' open.m3u8 edit open.m3u8 --set EXT-X-STREAM-INF:B=1
refused_but_passed_on 'master: an open quote' open.m3u8 master open.m3u8 --track "$track"
refused_but_passed_on 'master: no variant' frames.m3u8 master frames.m3u8 --track "$track"
refused_at_a_position 'playlist: a delta update' delta.m3u8 playlist good.vtt --uri en.vtt --media delta.m3u8
refused_at_a_position 'sideload: a delta update' delta.m3u8 sideload lf.m3u8 --track "$track" --media delta.m3u8 -o none
refused 'sideload: a segment that is none' good.vtt sideload lf.m3u8 --track "$track,file=good.vtt" --map-from good.vtt -o none
refused 'master: a URL' https://example.com/m.m3u8 master https://example.com/m.m3u8 --track "$track"

# WebVTT that has no answer.
for file in no-cue.vtt cut-in-a-time.vtt; do
  refused "duration: ${file%.vtt}" "$file" duration "$file"
  refused "duration --latest: ${file%.vtt}" "$file" duration "$file" --latest
  refused "playlist: ${file%.vtt}" "$file" playlist "$file" --uri en.vtt
done
refused 'duration: an empty file' empty duration empty
refused 'playlist: no cue shows' hidden.vtt playlist hidden.vtt --uri en.vtt
refused 'segment: no cue shows' hidden.vtt segment hidden.vtt -o segments
refused 'duration --latest: no cue shows' hidden.vtt duration hidden.vtt --latest
for command in duration 'duration --latest' cues 'playlist --uri en.vtt' 'segment -o segments'; do
  read -ra words <<<"$command"
  for file in no-signature.vtt binary; do
    refused_at_a_position "$command: $file" "$file" "${words[0]}" "$file" "${words[@]:1}"
  done
done

# A router: what is no URL, and what is no configuration of one.
printf '{"master": "https://example.com/m.m3u8"}' >router.json
refused 'route: no URL' lf.m3u8 route lf.m3u8 --config router.json
refused 'route: a binary configuration' binary route skd://a --config binary
refused 'route: a missing configuration' missing route skd://a --config missing

# SubRip: read wherever WebVTT is, and refused if it is not UTF-8 or has no cue.
for command in duration 'duration --latest' 'playlist --uri en.vtt' cues inspect 'segment -o cut'; do
  read -ra words <<<"$command"
  run "${words[0]}" good.srt "${words[@]:1}"; expect_status 0; mv out whole
  run "${words[0]}" good.srt "${words[@]:1}" --chunk 1; expect_status 0; expect_output whole
  run "${words[0]}" - "${words[@]:1}" <good.srt; expect_status 0; expect_output whole
  [ "${words[0]}" != segment ] || cmp -s cut/good-00000.vtt cut/subtitles-00000.vtt || problem 'a file and a pipe differ'
  rm -rf cut
  report "$command: good.srt"
  for file in utf-sixteen.srt latin.srt empty.srt binary.srt no-cue.srt; do
    [[ "$command $file" != inspect\ @(empty|no-cue).srt ]] || continue # which is neither, and no reason to fail
    run "${words[0]}" "$file" "${words[@]:1}"; expect_status 1; expect_error_line "$file" position
    case "$file" in
    utf-sixteen.srt) grep -qF 'UTF-16LE' err || problem 'the encoding is not named' ;;
    latin.srt) grep -qF 'East Asian' err || problem 'the encoding is not named' ;;
    esac
    [ "$command $file" = 'cues latin.srt' ] || expect_nothing_on_output
    [ ! -e cut ] || [ -z "$(ls -A cut)" ] || problem 'something was left in the folder'
    report "$command: $file"
  done
done
for command in 'cues utf-sixteen-marked.srt' 'cues utf-sixteen.srt --from-encoding utf-16le' 'cues latin.srt --from-encoding latin1'; do
  read -ra words <<<"$command"
  run "${words[@]}"; expect_status 0; [ ! -s notes ] || problem 'a note'; [ "$(wc -l <out)" -ge 2 ] || problem 'too few cues'
  report "$command"
done
run sideload lf.m3u8 --track "$track,file=good.srt" --map 126000 -o made
expect_status 0
[ "$(head -n 2 made/en.vtt)" = $'WEBVTT\nX-TIMESTAMP-MAP=LOCAL:00:00:00.000,MPEGTS:126000' ] || problem 'no map in the WebVTT'
[ "$(grep -c -e ' --> ' made/en.vtt)" -eq 2 ] || problem 'not two cues in the WebVTT'
report 'sideload: good.srt'
for file in utf-sixteen.srt latin.srt empty.srt binary.srt; do
  refused_at_a_position "sideload: $file" "$file" sideload lf.m3u8 --track "$track,file=$file" -o none
  [ ! -e none ] || problem 'the folder was made'
done
refused 'segment: a file without cues' no-cue.vtt segment no-cue.vtt -o segments
refused_at_a_position 'segment: a cue that ends in a thousand years' endless.vtt segment endless.vtt -o segments
refused_at_a_position 'segment: cues out of order in a pipe' - segment - -o segments <late.vtt
[ ! -e segments ] || [ -z "$(ls -A segments)" ] || problem 'something was left in the folder'
run segment late.vtt -o segments; expect_status 0; [ -s segments/late.m3u8 ] || problem 'no playlist'
report 'segment: cues out of order in a file'

# Arguments.
wrong_arguments 'no arguments'
wrong_arguments 'an unknown command' sing
wrong_arguments 'an unknown option' master lf.m3u8 --track "$track" --louder
wrong_arguments 'master without a track' master lf.m3u8
wrong_arguments 'a track without a URI' master lf.m3u8 --track 'language=en,name=English'
wrong_arguments 'a track with an unknown key' master lf.m3u8 --track "$track,colour=red"
wrong_arguments 'an empty track name' master lf.m3u8 --track 'uri=en.vtt,language=en,name='
wrong_arguments 'a quote in a track name' master lf.m3u8 --track 'uri=en.vtt,language=en,name=Eng"lish'
wrong_arguments 'a newline in a track name' master lf.m3u8 --track $'uri=en.vtt,language=en,name=Eng\nlish'
wrong_arguments 'a carriage return in a URI' master lf.m3u8 --track $'uri=e\rn.vtt,language=en,name=English'
wrong_arguments 'segment with a target of no time' segment good.vtt -o segments --target 0
wrong_arguments 'segment with a map that is none' segment good.vtt -o segments --map noon
wrong_arguments 'sideload without a folder' sideload lf.m3u8 --track "$track"
wrong_arguments 'a track that is SubRip to players' sideload lf.m3u8 --track 'uri=en.srt,duration=5' -o made
wrong_arguments 'a map that is no number' sideload lf.m3u8 --track "$track,file=good.vtt" --map soon -o made
wrong_arguments 'a map past 33 bits' sideload lf.m3u8 --track "$track,file=good.vtt" --map 8589934592 -o made
wrong_arguments 'a map to no time' sideload lf.m3u8 --track "$track,file=good.vtt" --map 0:later -o made
wrong_arguments 'a map for no file' sideload lf.m3u8 --track "$track,duration=5" --map 0 -o made
wrong_arguments 'a segment for another map' sideload lf.m3u8 --track "$track,file=good.vtt" --map none --map-from a.ts -o made
wrong_arguments 'a base that is no URI' sideload lf.m3u8 --track "$track,duration=5" --base-uri cdn -o made
wrong_arguments 'a name with a folder' sideload lf.m3u8 --track "$track,duration=5" --name a/b -o made
wrong_arguments 'a rendition that is a file' master lf.m3u8 --track 'uri=en.vtt,type=m3u8'
wrong_arguments 'a vertical tab in a track name' master lf.m3u8 --track $'uri=en.m3u8,name=a\vb'
wrong_arguments 'no such encoding' cues good.srt --from-encoding klingon
wrong_arguments 'a shift that is none' cues good.srt --shift soon
wrong_arguments 'a range that goes backward' route skd://a --config router.json --range 5-4
wrong_arguments 'a router of nothing' route skd://a
wrong_arguments 'no such size' duration good.vtt --budget 1X
wrong_arguments 'a port past 65535' edit lf.m3u8 --host a:70000
wrong_arguments 'a chunk of no bytes' master lf.m3u8 --track "$track" --chunk 0
wrong_arguments 'a chunk of a negative size' master lf.m3u8 --track "$track" --chunk -1
wrong_arguments 'a chunk that is no number' master lf.m3u8 --track "$track" --chunk many
wrong_arguments 'a chunk past every integer' master lf.m3u8 --track "$track" --chunk 99999999999999999999

# What is read is not overwritten, and what has no end is told.
refused 'edit: onto itself' lf.m3u8 edit lf.m3u8 --drop EXT-X-MEDIA -o lf.m3u8
cp good.vtt kept.vtt
refused 'sideload: onto a source' kept.vtt sideload lf.m3u8 --track 'uri=kept.vtt,file=kept.vtt' --map 0 -o . --name n.m3u8
cmp -s good.vtt kept.vtt || { problem 'the source was overwritten'; report 'the source is as it was'; }
[ ! -e n.m3u8 ] || { problem 'a master was left'; report 'nothing is left'; }
refused 'inspect: a line without end' /dev/zero inspect /dev/zero
refused 'check: a file without end' /dev/zero check /dev/zero
for file in empty binary good.vtt good.srt; do refused_at_a_position "check: $file" "$file" check "$file"; done

# How the input is cut into reads makes no difference.
for file in lf crlf bare; do
  for command in "master $file.m3u8 --track $track" "edit $file.m3u8 --set EXT-X-STREAM-INF:BANDWIDTH=7"; do
    read -ra words <<<"$command"
    run "${words[@]}"; expect_status 0; mv out whole
    run "${words[@]}" --chunk 1; expect_status 0; expect_output whole
    [ -s whole ] && ! cmp -s whole "$file.m3u8" || problem 'nothing was edited'
    report "${words[0]} --chunk 1: $file"
  done
done
run cues good.vtt; expect_status 0; mv out whole
run cues good.vtt --chunk 1; expect_status 0; expect_output whole
[ "$(wc -l <whole)" -eq 2 ] || problem 'not one line a cue'
report 'cues --chunk 1'

# 100 MiB without a line end, through a pipe: every byte comes out, and memory stays bounded.
# Usage: measured FILE ARGUMENT…
measured() {
  local file=$1 peak; shift
  peak=$({ cat "$file" || true; } | timeout "$patience" python3 -c '
import os, subprocess, sys
with open("out", "wb") as out, open("err", "wb") as err:
    process = subprocess.Popen(sys.argv[1:], stdout=out, stderr=err)
    _, status, usage = os.wait4(process.pid, 0)
code = os.waitstatus_to_exitcode(status)
peak = usage.ru_maxrss // (1024 if sys.platform == "darwin" else 1)
print(peak, code if code >= 0 else 128 - code)' "$surtitle" "$@") || peak='0 124'
  status=${peak#* }
  [ "${peak% *}" -le "$memory_limit" ] || problem "${peak% *} KiB at the peak, more than $memory_limit"
}
size=$((100 << 20))
filler() { head -c "$size" /dev/zero | tr '\0' x; }

filler >line
measured line master - --track "$track"
expect_status 1; expect_output line; expect_error_line - position
report 'master -: 100 MiB that is no playlist'

{ printf '#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1,X-NOTE="'; filler; } >line
measured line master - --track "$track"
expect_status 0 1; expect_output line
[ "$status" -eq 0 ] || expect_error_line - position
report 'master -: a STREAM-INF line of 100 MiB'

{ printf '#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\n'; filler; printf '\n'; } >line
measured line master - --track "$track"
expect_status 0
tail -c +$(($(head -n 2 out | wc -c) + 1)) out | cmp -s -n "$((size + 1))" - <(filler; echo) || problem 'the URI was changed'
head -n 2 out | grep -q '^#EXT-X-STREAM-INF:BANDWIDTH=1,SUBTITLES="' || problem 'the variant was not edited'
report 'master -: a URI of 100 MiB'

{ printf '#EXTM3U\n'; yes $'#EXT-X-STREAM-INF:BANDWIDTH=1,CODECS="avc1"\nv.m3u8' | head -c "$size"; } >line
measured line inspect -
expect_status 0
grep -qx 'kind  *multivariant' out || problem 'not told to be multivariant'
report 'inspect -: 100 MiB of variants'

{ printf 'WEBVTT\n\n00:01.000 --> 00:02.000\n'; filler; } >line
measured line cues - --json
expect_status 1; expect_nothing_on_output; expect_error_line - position
report 'cues -: a cue of 100 MiB'

{ printf '1\n00:00:01,000 --> 00:00:02,000\n'; filler; } >line
measured line cues - --json
expect_status 1; expect_nothing_on_output; expect_error_line - position
report 'cues -: SubRip with a line of 100 MiB'
rm -f line out

# A reader that closes the pipe early, with SIGPIPE as usual and with it ignored (as under many job runners); a full disk.
{ printf '#EXTM3U\n'; for ((i = 0; i < 100000; i++)); do printf '#EXT-X-STREAM-INF:BANDWIDTH=%d\nv%d.m3u8\n' "$i" "$i"; done; } >big.m3u8
for signal in default ignored; do
  for command in master edit; do
    words=("$command" big.m3u8)
    if [ "$command" = master ]; then words+=(--track "$track"); else words+=(--drop EXT-X-MEDIA); fi
    status=$( (
      [ "$signal" = default ] || trap '' PIPE
      timeout "$patience" "$surtitle" "${words[@]}" 2>err | head -c 10 >out
      echo "${PIPESTATUS[0]}"
    ) )
    expect_status 0 1 141
    [ "$status" -ne 141 ] || status=0
    expect_no_crash
    head -c 10 big.m3u8 | cmp -s - out || problem 'the first bytes did not come out'
    [ "$(wc -l <err)" -le 1 ] || problem 'more than one line on standard error'
    report "$command into a closed pipe, SIGPIPE $signal"
  done
done
if [ -w /dev/full ]; then
  status=0
  timeout "$patience" "$surtitle" master lf.m3u8 --track "$track" >/dev/full 2>err || status=$?
  expect_status 1; expect_no_crash
  [ "$(wc -l <err)" -eq 1 ] || problem 'not one line on standard error'
  report 'master onto a full disk'
fi

# Every command on every input: it ends by itself, never by a trap, with one line of complaint at most.
for file in empty binary binary.m3u8 binary.vtt cut-*.m3u8 cut-*.vtt no-*.vtt media.m3u8 good.vtt lf.m3u8 *.srt; do
  for command in 'inspect' 'check' 'cues' 'cues --json' 'duration' 'duration --latest' 'duration --budget 1' 'playlist --uri u' \
    'segment -o segments' "master --track $track" 'edit --map-uri http://example.com/' "sideload --track $track -o made"; do
      read -ra words <<<"$command"
    run "${words[0]}" "$file" "${words[@]:1}" --chunk 7
    expect_status 0 1
    expect_no_crash
    [ "$(wc -l <err)" -le 1 ] || problem 'more than one line on standard error'
    [ "$status" -ne 1 ] || expect_error_line "$file"
    [ -z "$problems" ] || { report "$command on $file"; swept=no; }
  done
done
[ "${swept:-yes}" = no ] || report 'every command on every input'

[ "$failed" -eq 0 ] || { echo "$failed failed"; exit 1; }
