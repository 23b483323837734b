#!/usr/bin/env bash
# In a clean root: the archive of the command, from unpacking it to a stream that plays; then its Debian package, and every command of the README and the guides.
# Takes these, Tests/Guides and Tests/Fixtures.
. "$(dirname "$0")/common.sh"

# The README's quick start makes its stream by ffmpeg and serves it by Python.
needs ffmpeg python3
began=$EPOCHREALTIME
tar -xzf "$packages/surtitle-$version-linux-$(uname -m).tar.gz" -C /root
install -m 755 "/root/surtitle-$version-linux-$(uname -m)/surtitle" /usr/local/bin/
cd "$sources"
# block KIND: the first block of the README that is fenced so.
block() { awk -v kind="$1" '$0 == "```" kind { inside = 1; next } /^```/ && inside { exit } inside' README.md; }
bash -euo pipefail -c "$(block sh)"
serve bash -euo pipefail -c "$(block 'sh server' | sed "s/\b8000\b/$port/")"
ffmpeg -v error -i "http://127.0.0.1:$port/subtitled.m3u8" -map 0:v:0 -map 0:s:0 -c:v copy -c:s srt /root/played.mkv
end=$EPOCHREALTIME
# All cues of the first file came through the player, which has fetched the video too.
ffmpeg -v error -i /root/played.mkv -map 0:s:0 -f srt - >/root/played.srt
same_number "cues" "$(grep -c -- '-->' Tests/Fixtures/sample/en.vtt)" "$(grep -c -- '-->' /root/played.srt)"
awk -v began="$began" -v end="$end" 'BEGIN {
  minutes = (end - began) / 60
  printf "the first stream that plays from a binary: %.1f minutes\n", minutes
  exit minutes > 3
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
