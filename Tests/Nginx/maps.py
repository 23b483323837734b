"""map=auto: files with the map that the video's own first segment tells, asked for in the video's own location."""

import concurrent.futures
import http.client
import os
import subprocess
import time

import memory

TICKS = 126_000
AES = bytes(range(16))
KEY = '#EXT-X-KEY:METHOD=AES-128,URI="k"\n'

LOCATIONS = """
        location /maps/ {
            alias @prefix@/files/;
            surtitle_serve on;
            surtitle_track uri=subs/en.m3u8 language=en file=@prefix@/files/sample/en.vtt map=auto video=master.m3u8;
            surtitle_track uri=subs/film.m3u8 language=sv file=@prefix@/files/made/film.srt map=auto video=master.m3u8;
            surtitle_track uri=subs/own.m3u8 language=fr file=@prefix@/files/video/own.vtt map=auto video=master.m3u8;
            surtitle_track uri=subs/crlf.m3u8 language=de file=@prefix@/files/video/crlf.vtt map=auto video=master.m3u8;
            surtitle_track uri=subs/cr.m3u8 language=it file=@prefix@/files/video/cr.vtt map=auto video=master.m3u8;
            surtitle_track uri=subs/third.m3u8 language=nl file=@prefix@/files/video/third.vtt map=auto video=master.m3u8;
            surtitle_track uri=subs/bare.m3u8 language=es file=@prefix@/files/video/bare.vtt map=auto video=master.m3u8;
            surtitle_track uri=subs/head.m3u8 language=pt file=@prefix@/files/video/head.vtt map=auto video=master.m3u8 duration=5;
            surtitle_track uri=subs/late.m3u8 language=pl file=@prefix@/files/video/late.vtt map=auto video=master.m3u8;
            surtitle_track uri=subs/latecrlf.m3u8 language=fi file=@prefix@/files/video/latecrlf.vtt map=auto video=master.m3u8;
            surtitle_track uri=subs/latecr.m3u8 language=da file=@prefix@/files/video/latecr.vtt map=auto video=master.m3u8;
        }
        location /originmaps/ {
            proxy_pass http://origin/;
            surtitle_serve on;
            surtitle_track uri=subs/en.m3u8 language=en file=@prefix@/files/sample/en.vtt map=auto video=master.m3u8;
        }
        location /hostmaps/ {
            if ($host = nobody) { return 403; }
            auth_request /permission;
            auth_request_set $kept $upstream_status;
            proxy_pass http://origin/;
            proxy_set_header Host $host;
            proxy_set_header X-Named $http_host;
            proxy_set_header X-Kept $kept;
            add_header X-Called $host;
            add_header X-Named $http_host;
            surtitle_serve on;
            surtitle_track uri=subs/en.m3u8 language=en file=@prefix@/files/sample/en.vtt map=auto video=master.m3u8;
        }
        location /pathmaps/ {
            surtitle_serve on;
            surtitle_track uri=/pathmaps/en.m3u8 language=en file=@prefix@/files/sample/en.vtt map=auto video=/static/video/master.m3u8;
        }
"""

# Files with a map of their own, and files in which a map stands where it is none: after a blank line.
_MAP, _CUE = b"X-TIMESTAMP-MAP=MPEGTS:7,LOCAL:00:00:00.000\n", b"\n00:01.000 --> 00:02.000\na\n"
OWN = {("own", b"WEBVTT\n" + _MAP + _CUE), ("crlf", (b"WEBVTT\n" + _MAP + _CUE).replace(b"\n", b"\r\n")),
       ("cr", (b"WEBVTT\n" + _MAP + _CUE).replace(b"\n", b"\r")), ("third", b"WEBVTT\nKind: captions\n" + _MAP + _CUE), ("bare", b"WEBVTT\nX-TIMESTAMP-MAP\n" + _CUE)}
LATE = {("late", b"WEBVTT\n\n" + _MAP + _CUE), ("latecrlf", (b"WEBVTT\n\n" + _MAP + _CUE).replace(b"\n", b"\r\n")),
        ("latecr", (b"WEBVTT\n\n" + _MAP + _CUE).replace(b"\n", b"\r")), ("head", b"WEBVTT\nKind: captions and whatever else there is\n")}

# Another server without a name.
TWIN = """
    server {
        listen unix:@prefix@/twin.sock;
        surtitle on;
        location /maps/video/ {
            alias @prefix@/files/later/;
            surtitle_serve on;
            surtitle_track uri=subs/en.m3u8 language=en file=@prefix@/files/sample/en.vtt map=auto video=master.m3u8;
        }
    }
"""


def segment(ticks):
    """Packed audio whose ID3 tag has the time stamp (8216bis 3.1.3)."""
    data = b"com.apple.streaming.transportStreamTimestamp\0" + ticks.to_bytes(8, "big")
    frame = b"PRIV" + bytes([0, 0, 0, len(data), 0, 0]) + data
    return b"ID3\x04\0\0" + bytes([0, 0, 0, len(frame)]) + frame + b"\xff\xf1\x50\x80" + bytes(60_000)


def make(folder):
    """Videos: one that is as it should be, one at other ticks, and some that tell nothing."""
    def video(name, media="segment%201.aac", before="", variant="media/v.m3u8?a=1", ticks=TICKS):
        (folder / name / "media").mkdir(parents=True)
        (folder / name / "master.m3u8").write_text(f'#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1,RESOLUTION=1x1\n{variant}\n')
        (folder / name / "media/v.m3u8").write_text(f"#EXTM3U\n#EXT-X-TARGETDURATION:4\n{before}#EXTINF:4,\n{media}\n#EXT-X-ENDLIST\n")
        (folder / name / "media/segment 1.aac").write_bytes(segment(ticks))

    video("video")
    video("later", ticks=900_000)
    video("gapped", before="#EXT-X-GAP\n#EXTINF:4,\nnothing.aac\n")
    video("wordy", variant="media/v.m3u8?" + 60 * "a")
    video("locked", before=KEY)
    video("system", before=KEY.replace('"k"', '"k",KEYFORMAT="com.apple.streamingkeydelivery"'))
    # The vector is the segment's number, 0, where the key says none.
    video("encrypted", before=KEY)
    (folder / "encrypted/media/k").write_bytes(AES)
    plain = segment(TICKS) + bytes(200_000)
    command = ["openssl", "enc", "-aes-128-cbc", "-K", AES.hex(), "-iv", "0" * 32]
    (folder / "encrypted/media/segment 1.aac").write_bytes(subprocess.run(command, input=plain, stdout=subprocess.PIPE, check=True).stdout)
    video("empty", media="nothing.aac")
    video("named", variant="https://LOCALHOST/maps/named/media/v.m3u8")
    video("called", variant="http://a.example/maps/called/media/v.m3u8")
    video("elsewhere", variant="https://elsewhere.example/v.m3u8")
    # A film in one file, of which nothing lies on a disk.
    video("large", before="#EXT-X-BYTERANGE:60000@0\n")
    os.truncate(folder / "large/media/segment 1.aac", 8 << 30)
    for name, text in OWN | LATE:
        (folder / f"video/{name}.vtt").write_bytes(text)


def mapped(text, ticks=TICKS, second=0):
    """The file with the map in its second line."""
    head, _, rest = text.partition(b"\n")
    return head + b"\nX-TIMESTAMP-MAP=LOCAL:00:00:%02d.000,MPEGTS:%d\n" % (second, ticks) + rest


def check(report, nginx, origin, library, folder):
    english = (folder / "sample/en.vtt").read_bytes()
    time.sleep((0.5 - time.time()) % 1)  # nginx counts whole seconds
    began = time.monotonic()
    path = "/originmaps/length/soon/subs/en.vtt"
    report.equal("a video that is not there yet", nginx.curl(path).body, english)
    (folder / "soon").symlink_to(folder / "video")
    with concurrent.futures.ThreadPoolExecutor(1) as pool:
        soon = pool.submit(lambda: [body_at(nginx, path, began + after) for after in (8.7, 9.9)])
        check_few(report, nginx, folder)
        check_found(report, nginx, origin, folder)
        report.equal("nothing for ten seconds, and then looked for again", soon.result(), [english, mapped(english)])
    asked = len(origin.requests)
    report.equal("which is kept in place of nothing", ({nginx.curl(path).body for _ in range(4)}, len(origin.requests)), ({mapped(english)}, asked))
    check_room(report, nginx, origin, english)


def body_at(nginx, path, moment):
    time.sleep(max(0, moment - time.monotonic()))
    return nginx.curl(path).body


def check_found(report, nginx, origin, folder):
    english = (folder / "sample/en.vtt").read_bytes()
    # Two workers share what one has found out.
    before = len(origin.requests)
    for way in ("length", "chunked", "slow"):
        for _ in range(6):
            report.equal(f"map of a video that comes {way}", nginx.curl(f"/originmaps/{way}/video/subs/en.vtt").body, mapped(english))
    asked = [path for path, _ in origin.requests[before:]]
    report.equal("each is asked for once", asked, [f"/{way}/video/{name}" for way in ("length", "chunked", "slow")
                                                  for name in ("master.m3u8", "media/v.m3u8?a=1", "media/segment 1.aac")])
    with concurrent.futures.ThreadPoolExecutor(20) as pool:
        bodies = set(pool.map(lambda _: nginx.curl("/originmaps/chunked/later/subs/en.vtt").body, range(40)))
    report.equal("forty at once", bodies, {mapped(english, 900_000)})
    # What has come of the second would lead to a map.
    for count, name in ((30, "later"), ((folder / "wordy/master.m3u8").read_text().index("aaaa") + 30, "wordy")):
        for way in ("tornlength", "tornchunked"):
            torn = nginx.curl(f"/originmaps/{way}-{count}/{name}/subs/en.vtt")
            report.equal(f"a video that breaks off tells nothing: {way}, {name}", (torn.status, torn.body), (200, english))
    conditions = ("-H", "If-None-Match: *", "-H", "Range: bytes=0-5", "-H", "If-Modified-Since: Fri, 01 Jan 2100 00:00:00 GMT")
    nginx.curl("/originmaps/typed/video/subs/en.vtt", *conditions)
    report.equal("the client's conditions are not the video's", nginx.curl("/originmaps/typed/video/subs/en.vtt").body, mapped(english))
    check_hosts(report, nginx, origin, english)


def check_hosts(report, nginx, origin, english):
    """What a client calls the server is no name by which a map is kept, nor one by which the video is asked for; all else of the client's goes along."""
    path = "/hostmaps/chunked/video/subs/en.vtt"
    before = len(origin.requests)
    for host in ("a.example", "b.example:99", "a.example"):
        answer = nginx.curl(path, "-H", f"Host: {host}", "-H", "Cookie: a=b")
        report.equal(f"for {host}", (answer.body, answer["x-called"], answer["x-named"]), (mapped(english), host.split(":")[0], host))
    asked = [fields for path, fields in origin.requests[before:] if "video" in path]
    report.equal("one name for all", [(fields["host"], fields["x-named"], fields["cookie"], fields["x-kept"]) for fields in asked],
                 [("localhost", "localhost", "a=b", "200")] * 3)
    named = nginx.curl("/maps/named/subs/en.vtt", "-H", "Host: a.example")
    report.equal("a playlist by the server's name", named.body, mapped(english))
    called = nginx.curl("/maps/called/subs/en.vtt", "-H", "Host: a.example")
    report.equal("a playlist by the client's name for it", (called.body, '"http://a.example/maps/called/media/v.m3u8"' in nginx.log()), (english, True))
    twin = nginx.curl("/maps/video/subs/en.vtt", "--unix-socket", str(nginx.prefix / "twin.sock"))
    report.equal("a server of the same name has videos of its own", twin.body, mapped(english, 900_000))


def check_room(report, nginx, origin, english):
    """The memory is full after about 900 videos. What was asked for longest ago is forgotten then, and can be found out again."""
    connection = http.client.HTTPConnection("127.0.0.1", nginx.port, timeout=60)

    def bodies(paths):
        for path in paths:
            connection.request("GET", path)
            yield connection.getresponse().read()

    path = "/originmaps/length/later/subs/en.vtt"
    for numbers, expected in ((range(600), 3), (range(600, 1200), 0), (range(2000, 3200), 0)):
        before = len(origin.requests)
        report.equal("a video", set(bodies([path] * 3)), {mapped(english, 900_000)})
        report.equal(f"before videos {numbers}", len(origin.requests) - before, expected)
        others = set(bodies(f"/maps/nothing-{number}/subs/en.vtt" for number in numbers))
        report.equal("what is not there", others, {english})
    grown = memory.use(nginx)[0]
    set(bodies(f"/maps/more-{number}/subs/en.vtt" for number in range(1200)))
    report.equal("what each takes it gives back", memory.use(nginx)[0] - grown <= memory.MOST_BYTES, True)
    before = len(origin.requests)
    report.equal("behind them all", (set(bodies([path] * 3)), len(origin.requests) - before), ({mapped(english, 900_000)}, 3))
    report.equal("no complaint of nginx's own", "ngx_slab_alloc() failed" in nginx.log(), False)


def check_few(report, nginx, folder):
    english = (folder / "sample/en.vtt").read_bytes()
    first = nginx.curl("/maps/video/subs/en.vtt")
    report.equal("map=auto", (first.status, first.body), (200, mapped(english)))
    report.equal("and again", nginx.curl("/maps/video/subs/en.vtt").body, mapped(english))
    head = nginx.curl("/maps/video/subs/en.vtt", "-I")
    report.equal("HEAD tells its length", (head.status, head["content-length"]), (200, str(len(mapped(english)))))
    part = nginx.curl("/maps/video/subs/en.vtt", "-r", "0-20")
    report.equal("a range of it", (part.status, part.body), (206, mapped(english)[:21]))
    later = nginx.curl("/maps/later/subs/en.vtt")
    report.equal("another video, another map", later.body, mapped(english, 900_000))
    gapped = {nginx.curl("/maps/gapped/subs/en.vtt").body for _ in range(4)}
    report.equal("a video that begins with a gap, also once that is known", gapped, {mapped(english, second=4)})
    report.equal("and another tag", first["etag"] != later["etag"], True)
    same = nginx.curl("/maps/video/subs/en.vtt", "-H", f"If-None-Match: {first['etag']}")
    report.equal("a tag that is known", same.status, 304)
    report.equal("of an encrypted video", nginx.curl("/maps/encrypted/subs/en.vtt").body, mapped(english))
    report.equal("SubRip gets it too", b"\nX-TIMESTAMP-MAP=LOCAL:00:00:00.000,MPEGTS:126000\n" in nginx.curl("/maps/video/subs/film.vtt").body, True)
    for name, text in OWN:
        report.equal(f"a file's own map stays: {name}", nginx.curl(f"/maps/video/subs/{name}.vtt").body, text)
    for name, text in LATE:
        body = nginx.curl(f"/maps/video/subs/{name}.vtt").body
        report.equal(f"what is no map is none: {name}", (b"MPEGTS:126000" in body, body[-40:] == text[-40:]), (True, True))
    began = time.monotonic()
    large = nginx.curl("/maps/large/subs/en.vtt").body
    report.equal("of a large file only what is looked at is read", (large, time.monotonic() - began < 3), (mapped(english), True))
    report.equal("a video at a path", nginx.curl("/pathmaps/en.vtt").body, mapped(english))
    report.equal("the playlist needs none", nginx.curl("/maps/none/subs/en.m3u8").status, 200)
    for name, words in (("none", "404"), ("locked", "404"), ("system", "encrypted"), ("empty", "404"), ("elsewhere", "asks only this server")):
        answer = nginx.curl(f"/maps/{name}/subs/en.vtt")
        report.equal(f"{name}: the file without a map", (answer.status, answer.body), (200, english))
        lines = [line for line in nginx.log().splitlines() if "map=auto" in line and words in line]
        report.equal(f"{name}: the log says why", bool(lines), True)
