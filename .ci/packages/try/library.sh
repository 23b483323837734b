#!/usr/bin/env bash
# In a clean root: the packages of the C library, by programs that find it by pkg-config. Takes Tests/C and Tests/Fixtures.
. "$(dirname "$0")/common.sh"

needs gcc libc6-dev pkg-config
debian libsurtitle0 libsurtitle-dev
same "$version" "$(pkg-config --modversion surtitle)"
cd "$sources/Tests/C"
# shellcheck disable=SC2046
gcc -std=c11 -Wall -Wextra -Werror whole.c -o "$HOME/shared" $(pkg-config --cflags --libs surtitle)
gcc -std=c11 -Wall -Wextra -Werror whole.c -o "$HOME/static" "-Wl,-Bstatic" -lsurtitle "-Wl,-Bdynamic" -Wl,--gc-sections
ldd "$HOME/shared" | grep -q libsurtitle.so.0
if ldd "$HOME/static" | grep libsurtitle; then exit 1; fi
for program in "$HOME/shared" "$HOME/static"; do
  same_number tracks 2 "$("$program" 100000 ../Fixtures/sample/master.m3u8 | grep -c '^#EXT-X-MEDIA:TYPE=SUBTITLES')"
done
quiet dpkg -r libsurtitle-dev libsurtitle0
[ -z "$(find / -xdev -name 'libsurtitle*' -not -path '/proc/*' -not -path "$packages/*" -not -path '/var/lib/dpkg/*')" ]
