#!/usr/bin/env bash
# In a clean root: the package of the module, in Debian's nginx. Takes Tests/Fixtures.
. "$(dirname "$0")/common.sh"

needs nginx curl
debian libnginx-mod-http-surtitle
nginx -t 2>/tmp/said || { cat /tmp/said >&2; exit 1; }
mkdir -p /srv/video
cp "$sources"/Tests/Fixtures/sample/* /srv/video
cat >/etc/nginx/conf.d/surtitle.conf <<CONFIGURATION
server {
    listen 127.0.0.1:$port;
    root /srv;
    surtitle on;
    surtitle_track uri=subs/en.m3u8 language=en name=English default file=/srv/video/en.vtt map=126000;
    surtitle_track uri=subs/sv.m3u8 language=sv name=Svenska file=/srv/video/sv.vtt map=126000;
    location /video/ { surtitle_serve on; }
}
CONFIGURATION
serve nginx -g 'daemon off;'
get() { curl -fsS "http://127.0.0.1:$port/video/$1"; }
same_number tracks 2 "$(get master.m3u8 | grep -c '^#EXT-X-MEDIA:TYPE=SUBTITLES')"
same en.vtt "$(get subs/en.m3u8 | grep -v '^#')"
get subs/en.vtt | grep -q 'MPEGTS:126000'
same_number cues "$(grep -c -- '-->' /srv/video/sv.vtt)" "$(get subs/sv.vtt | grep -c -- '-->')"
unserve
rm /etc/nginx/conf.d/surtitle.conf
# Without the module nginx goes on; what an administrator has switched off stays off.
quiet dpkg -r libnginx-mod-http-surtitle
quiet nginx -t
[ ! -e /etc/nginx/modules-enabled/50-mod-http-surtitle.conf ]
debian libnginx-mod-http-surtitle
[ -e /etc/nginx/modules-enabled/50-mod-http-surtitle.conf ]
rm /etc/nginx/modules-enabled/50-mod-http-surtitle.conf
debian libnginx-mod-http-surtitle
[ ! -e /etc/nginx/modules-enabled/50-mod-http-surtitle.conf ]
quiet dpkg -P libnginx-mod-http-surtitle
