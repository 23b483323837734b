#!/usr/bin/env bash
# In a clean root: the archive of the command, from unpacking it to a stream that plays; then its Debian package, and every command of the README
# and the guides. Takes these, Tests/Guides, Tests/Fixtures, and of Tests/Players the players and the stream.
. "$(dirname "$0")/common.sh"

# What plays, in place of the browser that a person would have.
needs gstreamer1.0-tools gstreamer1.0-plugins-base gstreamer1.0-plugins-good gstreamer1.0-plugins-bad python3
# The README's quick start makes its stream by ffmpeg and serves it by Python.
began=$EPOCHREALTIME
needs ffmpeg python3
has_tools=$EPOCHREALTIME
tar -xzf "$packages/surtitle-$version-linux-$(uname -m).tar.gz" -C "$HOME"
install -m 755 "$HOME/surtitle-$version-linux-$(uname -m)/surtitle" /usr/local/bin/
cd "$sources"
# block KIND: the first block of the README that is fenced so.
block() { awk -v kind="$1" '$0 == "```" kind { inside = 1; next } /^```/ && inside { exit } inside' README.md; }
bash -euo pipefail -c "$(block sh)"
serve bash -euo pipefail -c "$(block 'sh server' | sed "s/\b8000\b/$port/")"
PYTHONPATH=Tests/Players python3 - "http://127.0.0.1:$port/subtitled.m3u8" "$(grep -c -- '-->' Tests/Fixtures/sample/en.vtt)" <<'PLAYER'
import sys
import players
playback = players.play_with_gstreamer(sys.argv[1])
# All cues of the default track, and twenty seconds of pictures.
if len(playback.cues) != int(sys.argv[2]) or playback.pictures < 490 or not playback.reached_end or playback.errors:
    sys.exit(f"it does not play: {playback}")
PLAYER
awk -v began="$began" -v has_tools="$has_tools" -v end="$EPOCHREALTIME" 'BEGIN {
  printf "the first stream that plays, from a binary: %.1f minutes; %.1f more for ffmpeg\n", (end - has_tools) / 60, (has_tools - began) / 60
  exit end - has_tools > 180
}'
unserve
rm -rf stream /usr/local/bin/surtitle

debian surtitle
same "surtitle $version" "$(surtitle --version)"
[ -s /usr/share/man/man1/surtitle.1.gz ]
quiet bash -c '. /usr/share/bash-completion/completions/surtitle; complete -p surtitle'
python3 Tests/Guides/check.py --surtitle /usr/bin/surtitle --commands
quiet dpkg -r surtitle
if command -v surtitle; then exit 1; fi
