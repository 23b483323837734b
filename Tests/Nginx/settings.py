"""Directives: what chooses the tracks, what is served of them, what is refused, and a reload."""

import concurrent.futures
import os
import re
import time

from instance import Nginx

FILM = ("uri=film.m3u8,language=fr,name=Français,default",)
JSON = ("uri=j.m3u8,language=de,name=JSON",)

# What a level says, and what the level inside of it says besides, so that it has tracks or rules of its own.
LEVELS = {
    "line": ("surtitle_limits longest_line=64;", "surtitle_replace_default off;"),
    "held": ("surtitle_limits held_renditions=1;", "surtitle_replace_default off;"),
    "group": ("surtitle_limits longest_group_id=1;", "surtitle_replace_default off;"),
    "tags": ("surtitle_limits appended_tags=1;", "surtitle_replace_default off;"),
    "replaced": ("surtitle_track uri=film.m3u8 language=fr name=Français default; surtitle_replace_default on;", "surtitle_limits longest_line=64k;"),
    "json": ("surtitle_config @prefix@/tracks.json;", "surtitle_replace_default on;"),
    "hold": ("surtitle_hold_size 0;", "surtitle_ignore_no_transform on;"),
    "paths": ("surtitle_paths *;", "surtitle_hold_size 0;"),
    "gateway": ("surtitle_ignore_no_transform on;", "surtitle_hold_size 0;"),
    "serve": ("surtitle_serve on;", "surtitle_replace_default on;"),
    "files": ("surtitle_cache 0; surtitle_buffers 2 1k;", "surtitle_replace_default off;"),
}


def locations():
    """The levels: /levels/NAME/ with what it says, /levels/NAME/same/ with nothing more, and /levels/NAME/more/."""
    lines = []
    for name, (outer, more) in LEVELS.items():
        way = "alias @prefix@/files/;" if name == "files" else "proxy_pass http://origin/;"
        inner = "".join(f"location /levels/{name}/{level}/ {{ {way} {said} }} " for level, said in (("same", ""), ("more", more)))
        lines.append(f"        location /levels/{name}/ {{ {way} {outer} {inner}}}\n")
    return "".join(lines)


def check(report, nginx, library, folder, servers):
    check_choice(report, nginx, library, folder)
    check_levels(report, nginx, library, folder)
    check_files(report, nginx, library, folder)
    check_totals(report, nginx)
    check_decisions(report, nginx)
    check_refusals(report, nginx, servers)
    check_reload(report, nginx, library, folder, servers)


def check_choice(report, nginx, library, folder):
    path = folder / "made/default.m3u8"
    text = '#EXTM3U\n#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="own",NAME="Suomi",LANGUAGE="fi",DEFAULT=YES,URI="fi.m3u8"\n'
    path.write_text(text + '#EXT-X-STREAM-INF:BANDWIDTH=1,SUBTITLES="own"\na.m3u8\n')
    plain, ours = path.read_bytes(), library.master(path)
    film, beside = library.master(path, "--replace-default", tracks=FILM), library.master(path, tracks=FILM)
    report.equal("there are two ways", film == beside, False)
    for name, arguments, expected in (
        *((f"/{off}/length/", (), plain) for off in ("off", "offzero", "offempty")), ("/beside/length/", (), beside),
        ("/film/length/", (), film), ("/json/length/", (), library.master(path, tracks=JSON)),
        ("/chosen/length/", (), plain), ("/chosen/length/", ("-b", "subs=film"), film), ("/chosen/length/", ("-b", "subs=on"), ours),
        ("/chosen/length/", ("-H", "X-Subs: film"), film), ("/chosen/length/", ("-b", "subs=wrong"), plain),
        ("/chosen/length/", ("-b", "subs=none"), plain), ("/chosen/length/", ("-b", "subs=zero"), plain),
        *(("/chosen/length/", ("-b", f"subs={name}"), film) for name in ("one", "fr", "digit")),
    ):
        response = nginx.curl(name + "made/default.m3u8", *arguments)
        report.equal(f"{name} {arguments}", response.body, expected)
    report.equal("by argument", nginx.curl("/chosen/length/made/default.m3u8?subs=film").body, film)
    told = set(re.findall(r'there is no surtitle_tracks "(.*?)"', nginx.log()))
    report.equal("an unknown name is told of", told, {"nobody"})
    tags = {nginx.curl(f"/chosen/length/sample/master.m3u8?subs={name}")["etag"] for name in ("film", "on", "off")}
    report.equal("each has a tag of its own", len(tags), 3)


def check_levels(report, nginx, library, folder):
    """A level has what the one around it says, also where it says something itself."""
    path = folder / "made/default.m3u8"
    small, plain = library.master(folder / "made/small.m3u8"), (folder / "made/play").read_bytes()

    def bailouts():
        return int(nginx.curl("/totals").body.split()[2])

    for level in ("", "same/", "more/"):
        for name in ("line", "held", "group", "tags"):
            before = bailouts()
            nginx.curl("/o/length/made/declared.m3u8")
            among = bailouts()
            nginx.curl(f"/levels/{name}/{level}length/made/declared.m3u8")
            report.equal(f"a limit: {name}/{level}", (among - before, bailouts() - among), (0, 1))
        for name, expected in (("replaced", library.master(path, "--replace-default", tracks=FILM)), ("json", library.master(path, tracks=JSON))):
            report.equal(f"tracks: {name}/{level}", nginx.curl(f"/levels/{name}/{level}length/made/default.m3u8").body, expected)
        held = nginx.curl(f"/levels/hold/{level}chunked/made/small.m3u8")
        report.equal(f"nothing is held: {level}", (held["content-length"], held.body), (None, small))
        for name in ("hold", "gateway"):
            body = nginx.curl(f"/levels/{name}/{level}notransform/made/small.m3u8").body
            is_edited = name == "gateway" or level == "more/"
            report.equal(f"no-transform: {name}/{level}", body, small if is_edited else plain)
        looked = nginx.curl(f"/levels/paths/{level}length/made/play")
        report.equal(f"any path: {level}", (looked["content-length"] is None, looked.body), (level == "more/", small))
        report.equal(f"what is served: {level}", nginx.curl(f"/levels/serve/{level}subs/en.m3u8").status, 200)
        sizes = chunk_sizes(nginx, f"/levels/files/{level}made/over.m3u8")
        report.equal(f"nothing is kept, and buffers are small: {level}", set(sizes[:-1]) <= {1024, 2048}, True)
    report.equal("buffers become full", set(chunk_sizes(nginx, "/nocache/made/large.m3u8")[:-1]), {65536})


def chunk_sizes(nginx, path):
    """How long the chunks are in which a body comes."""
    sizes = []
    with nginx.connect(f"GET {path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n".encode()) as connection:
        file = connection.makefile("rb")
        while file.readline().strip():
            pass
        while (size := int(file.readline(), 16)):
            sizes.append(size)
            file.read(size + 2)
    return sizes


def check_files(report, nginx, library, folder):
    english, swedish = folder / "sample/en.vtt", folder / "sample/sv.vtt"
    expected = library.run("playlist", english, "--uri", "en.vtt")
    for path in ("/o/subs/en.m3u8", "/o/length/sample/subs/en.m3u8"):
        response = nginx.curl(path)
        report.equal(f"{path}", (response.body, response["content-type"]), (expected, "application/vnd.apple.mpegurl"))
        report.equal(f"{path}: HEAD", nginx.curl(path, "-I")["content-length"], str(len(expected)))
        report.equal(f"{path}: its tag", nginx.curl(path, "-H", f"If-None-Match: {response['etag']}").status, 304)
    path = "/o/a/subs/en.vtt"
    response = nginx.curl(path)
    report.equal("the file", (response.body, response["content-type"]), (english.read_bytes(), "text/vtt"))
    part = nginx.curl(path, "-H", "Range: bytes=0-5")
    report.equal("a part of the file", (part.status, part.body), (206, b"WEBVTT"))
    mapped = nginx.curl("/o/subs/sv.vtt")
    lines = swedish.read_bytes().split(b"\n", 1)
    report.equal("a file with a map", mapped.body, lines[0] + b"\nX-TIMESTAMP-MAP=LOCAL:00:00:00.000,MPEGTS:900000\n" + lines[1])
    part = nginx.curl("/o/subs/sv.vtt", "-H", "Range: bytes=7-23")
    report.equal("a part of it", (part.status, part.body), (206, b"X-TIMESTAMP-MAP=L"))
    report.equal("its tag", nginx.curl("/o/subs/sv.vtt", "-H", f"If-None-Match: {mapped['etag']}").status, 304)
    converted = library.run("cues", folder / "made/film.srt", "--json")
    response = nginx.curl("/serve/subs/film.vtt")
    report.equal("what was SubRip", (response.status, response["content-type"], response.body[:7]), (200, "text/vtt", b"WEBVTT\n"))
    (folder / "made/converted.vtt").write_bytes(response.body)
    report.equal("its cues", library.run("cues", folder / "made/converted.vtt", "--json"), converted)
    for way, options in (("shifted", ("--shift", "-1.4")), ("wide", ()), ("big", ())):
        (folder / "made/converted.vtt").write_bytes(nginx.curl(f"/serve/subs/{way}.vtt").body)
        expected = library.run("cues", folder / "made/film.srt", "--json", *options)
        report.equal(f"its cues, {way}", library.run("cues", folder / "made/converted.vtt", "--json"), expected)
        expected = library.run("playlist", folder / "made/film.srt", "--uri", f"{way}.vtt", *options)
        report.equal(f"its playlist, {way}", nginx.curl(f"/serve/subs/{way}.m3u8").body, expected)
    report.equal("WebVTT, later", b"00:02:01.200 --> 00:02:03.900" in nginx.curl("/serve/subs/later.vtt").body, True)
    report.equal("WebVTT with a mark, later", b"\n00:03.000 --> 00:04.500\na\n" in nginx.curl("/serve/subs/bom.vtt").body, True)
    report.equal("nobody posts to a file", nginx.curl("/serve/subs/film.vtt", "-d", "a=b").status, 404)
    head = nginx.curl("/serve/subs/film.vtt", "-I")
    report.equal("HEAD of what was SubRip", (head.status, head["content-length"], head.body), (200, str(len(response.body)), b""))
    expected = library.run("playlist", folder / "made/film.srt", "--uri", "film.vtt")
    report.equal("its playlist", nginx.curl("/serve/subs/film.m3u8").body, expected)
    for name in ("far", "wider"):
        expected = library.run("playlist", folder / "made/film.srt", "--uri", f"{name}.vtt")
        report.equal(f"of a uri with a host: {name}", nginx.curl(f"/serve/subs/{name}.m3u8").body, expected)
    (folder / "made/gone.vtt").rename(folder / "made/away.vtt")
    answer = nginx.curl("/serve/subs/gone.vtt")
    report.equal("a file that is gone", (answer.status, "gone.vtt\" cannot be opened" in nginx.log()), (404, True))
    (folder / "made/away.vtt").rename(folder / "made/gone.vtt")
    for path in ("/o/length/xsubs/en.vtt", "/static/subs/en.m3u8", "/off/subs/en.m3u8", "/o/subs/de.m3u8"):
        report.equal(f"{path} is nobody's", nginx.curl(path).status, 404)


def check_totals(report, nginx):
    before = list(map(int, nginx.curl("/totals").body.split()))
    nginx.curl("/o/length/sample/master.m3u8")
    nginx.curl("/o/length/made/open.m3u8?totals")
    nginx.curl("/limited/length/sample/master.m3u8")
    nginx.curl("/o/tornchunked-1000/made/large.m3u8")
    nginx.curl("/o/length/made/media.m3u8?totals")
    after = list(map(int, nginx.curl("/totals").body.split()))
    report.equal("totals", [b - a for a, b in zip(before, after)], [4, 1, 1, 1])
    line = nginx.access("/o/length/made/open.m3u8?totals").split(" ")[1:6]
    report.equal("variables of a request", line, ["200", "hold", "playlist-type", "multivariant", "1"])
    line = nginx.access("/o/length/made/media.m3u8?totals").split(" ")[1:6]
    report.equal("variables of a media playlist", line, ["200", "stream", "playlist-type", "media", "0"])
    for path in ("/o/length/sample/master.m3u8?added", "/static/sample/master.m3u8?added"):
        body = nginx.curl(path).body
        added = len(body) - body.index(b"#EXT-X-MEDIA:TYPE=SUBTITLES")
        report.equal(f"the tags at the end: {path}", nginx.access(path).split(" ")[5:7], ["0", str(added)])
    for path, words in (
        ("/o/length/made/mixed.m3u8?totals", ["200", "hold", "playlist-type", "mixed", "0"]),
        ("/o/length/made/text.m3u8?totals", ["200", "hold", "playlist-type", "no-playlist", "0"]),
        ("/any/untyped/made/play?totals", ["200", "hold", "playlist-content", "multivariant", "0"]),
    ):
        nginx.curl(path)
        report.equal(f"variables of {path}", nginx.access(path).split(" ")[1:6], words)
    nginx.curl("/o/length/made/media.m3u8?posted", "-d", "x")
    line = nginx.access("/o/length/made/media.m3u8?posted").split(" ")[2:6]
    report.equal("nothing is decided about what is no GET", line, ["-"] * 4)
    for text in ("1 lines could not be edited, the first at byte 8", "a limit was exceeded at byte", "the origin broke off"):
        report.equal(f"the log: {text}", text in nginx.log(), True)


# What is asked for, and what the log tells: status, action, reason, verdict.
DECISIONS = (
    ("/o/length/made/media.ts", (), "200 pass other-type -"), ("/o/length/made/play", (), "200 pass other-type -"),
    ("/o/typed/made/play", (), "200 hold playlist-type multivariant"),
    ("/o/typed/made/play", ("-r", "0-9"), "206 ask-again partial-content -"), ("/o/untyped/made/text.m3u8", (), "200 pass other-content -"),
    ("/o/untyped/made/small.m3u8", (), "200 hold playlist-content multivariant"), ("/o/encoded/made/small.m3u8", (), "200 pass encoded -"),
    ("/o/notransform/made/small.m3u8", (), "200 pass no-transform -"), ("/o/length/made/small.m3u8", ("-I",), "200 pass head -"),
    ("/o/length/nothing.m3u8", (), "404 pass error-status -"), ("/o/length/made/empty.m3u8", (), "200 hold playlist-type no-playlist"),
    ("/o/length/made/small.m3u8", ("-H", "Cache-Control: no-transform"), "200 - - -"),
    ("/static/made/small.m3u8", ("-H", "If-None-Match: *"), "304 pass not-modified -"),
    ("/o/untyped/made/short.m3u8", (), "200 hold playlist-content -"), ("/o/length/made/media.m3u8", (), "200 stream playlist-type media"),
)


def check_decisions(report, nginx):
    for number, (path, arguments, expected) in enumerate(DECISIONS):
        nginx.curl(f"{path}?decision={number}", *arguments)
        report.equal(f"{path} {arguments}", " ".join(nginx.access(f"{path}?decision={number}").split(" ")[1:5]), expected)


# Lines that nginx refuses, and what it says.
REFUSALS = (
    ("surtitle_track language=en name=A;", "tracks[0].uri"),
    ("surtitle_track uri=a.m3u8 language=e-n-g- name=A;", "tracks[0].language"),
    ("surtitle_track uri=a.m3u8 language=en colour=red;", 'unknown key "colour"; remove it'),
    ("surtitle_track uri=a.m3u8 language=en duration=0;", "is no time above 0"),
    ("surtitle_track uri=a.m3u8 language=en map=1;", 'without "file"'),
    ("surtitle_track uri=a.m3u8 language=en map=auto video=m.m3u8;", 'without "file"'),
    ("surtitle_track uri=a.m3u8 language=en file=@prefix@/files/sample/en.vtt map=auto;", 'needs "map=auto" and "video"'),
    ("surtitle_track uri=a.m3u8 language=en file=@prefix@/files/sample/en.vtt video=m.m3u8;", 'needs "map=auto" and "video"'),
    ("surtitle_track uri=/a.m3u8 language=en file=@prefix@/files/sample/en.vtt map=auto video=m.m3u8;", "must begin with a slash"),
    ("surtitle_track uri=a.m3u8 language=en file=@prefix@/files/sample/en.vtt map=1.4;", "is neither auto nor a number of ticks"),
    ("surtitle_track uri=a.m3u8 language=en shift=1;", 'without "file"'),
    ("surtitle_track uri=a.m3u8 language=en file=@prefix@/files/sample/en.vtt shift=soon;", "is no time, like 1.4, -1.4 or 1m"),
    ("surtitle_track uri=a.m3u8 language=en file=@prefix@/files/sample/en.vtt shift=-;", "is no time"),
    ("surtitle_track uri=a.m3u8 language=en file=@prefix@/files/made/latin.srt encoding=latin1;", "convert the file to UTF-8"),
    ("surtitle_track uri=a.m3u8 language=en file=/nothing/a.vtt;", "/nothing/a.vtt"),
    ("surtitle_track uri=a.m3u8 language=en file=@prefix@/nginx.conf;", "nor of another format of subtitles by its name"),
    ("surtitle_track uri=a.m3u8 language=en file=@prefix@/files/made/latin.srt;", "at byte 32: not UTF-8 but an 8-bit or East Asian encoding; find out which, and convert it first"),
    ("surtitle_track uri=../a.m3u8 language=en file=@prefix@/files/sample/en.vtt;", "no dot segments"),
    ("surtitle_track uri=a.m3u8 language=en; surtitle_config b.json;", 'cannot stand beside "surtitle_track"'),
    ("surtitle_config /nothing/b.json;", "/nothing/b.json"),
    ("surtitle_config @prefix@/nginx.conf;", "at byte"),
    ("surtitle_config @prefix@/files/made/wrong.json;", "wrong.json: surtitle: "),
    ("surtitle_config @prefix@/files/made/wrong.json;", ", at byte 0 in "),
    ("surtitle nobody;", 'there is no "surtitle_tracks" "nobody"'),
    ("surtitle_limits longest_word=3;", 'invalid limit "longest_word=3"'),
    ("surtitle_limits longest_line=1073741824 held_renditions=1 longest_group_id=1 appended_tags=1;", ""),
    ("surtitle_limits longest_line=1073741825;", 'invalid limit "longest_line=1073741825"'),
    ("surtitle_limits appended_tags=0;", 'invalid limit "appended_tags=0"'),
    ("surtitle_limits longest_group_id=9 longest_group_id=9;", "has a limit twice"),
    ("surtitle_limits longest_line=64; surtitle_limits longest_line=65;", "has a limit twice"),
    ("surtitle_limits longest_line=64; surtitle_limits held_renditions=65;", ""),
    ("surtitle_replace_default on; surtitle_replace_default on;", '"surtitle_replace_default" directive is duplicate'),
    ("surtitle_config @prefix@/tracks.json; surtitle_config @prefix@/tracks.json;", '"surtitle_config" directive is duplicate'),
    ("surtitle_config @prefix@/tracks.json; surtitle_track uri=a.m3u8;", 'cannot stand beside "surtitle_config"'),
    ('surtitle_config "";', "has no file"),
    ("surtitle_config @prefix@/files/made/longest.json;", ""),
    ("surtitle_config @prefix@/files/made/longer.json;", "is longer than 1048576 bytes"),
    ("surtitle_paths /a; surtitle_paths /b;", '"surtitle_paths" directive is duplicate'),
    ("surtitle_paths /a /b;", ""),
    ("surtitle_paths /a /b?c;", "patterns[1]"),
    ("surtitle_buffers 2 1k;", ""),
    ("surtitle_buffers 64 1k;", ""),
    ("surtitle_buffers 65 1k;", '"surtitle_buffers" must be 2 to 64 buffers of at least 1k'),
    ("surtitle_buffers 2 1023;", '"surtitle_buffers" must be'),
    ("surtitle_track uri=a.m3u8 language=en file=@prefix@/files/sample/en.vtt map=8589934591;", ""),
    ("surtitle_track uri=a.m3u8 language=en file=@prefix@/files/sample/en.vtt map=8589934592;", "number of ticks below 2^33"),
    ("surtitle_track uri=a.m3u8 language=en file=@prefix@/files/sample/en.vtt map=1 map=auto video=m.m3u8;", 'needs "map=auto" and "video"'),
    ("surtitle_track uri=a.m3u8 language=en file=@prefix@/files/sample/en.vtt duration=1ms;", ""),
    ("surtitle_track uri=a.m3u8 language=en file=@prefix@/files/sample/en.vtt duration=soon;", "is no time above 0"),
    ("surtitle_track uri=a.m3u8 language=en file=@prefix@/files/sample/en.vtt shift=+1.4;", ""),
    ("surtitle_track uri=a.m3u8 language=en file=@prefix@/files/sample/en.vtt shift=+;", "is no time"),
    ("surtitle_track uri=a.m3u8 language=en duration=1;", 'without "file"'),
    ('surtitle_track uri=a.m3u8 language=en file=;', "tracks[0]"),
    ("surtitle_track uri=a.m3u8 language=en live=v.m3u8;", '"live" without "file"'),
    ("surtitle_track uri=a.m3u8 language=en file=@prefix@/files/made/five.vtt duration=5;", "is not WebVTT"),
    ("surtitle_track uri=a.m3u8 language=en file=@prefix@/files/made/six.vtt duration=5;", ""),
    ("surtitle_track uri=a.m3u8 language=en file=@prefix@/files/made/marked.vtt duration=5;", ""),
    ("surtitle_track uri=a.m3u8 language=en file=@prefix@/files/made/twice.vtt duration=5;", "is not WebVTT"),
    ("surtitle_track uri=a.m3u8 language=en file=@prefix@/files/made/nothing.vtt duration=5;", "is not WebVTT"),
    ("surtitle_track uri=a.m3u8 language=en file=@prefix@/files/made/little.vtt duration=5;", ""),
    ("surtitle_track uri=a.m3u8 language=en file=@prefix@/files/made/big.vtt duration=5;", ""),
    ("surtitle_track uri=b/a.m3u8 language=en file=@prefix@/files/sample/en.vtt;", ""),
    ("surtitle_track uri=a/./a.m3u8 language=en file=@prefix@/files/sample/en.vtt;", "no dot segments"),
    ("surtitle_track uri=a/a.m3u8#.m3u8 language=en file=@prefix@/files/sample/en.vtt;", ""),
    ("surtitle_track uri=a/a#.m3u8 language=en file=@prefix@/files/sample/en.vtt;", "that ends in .m3u8"),
    ("surtitle_track uri=/x://a.m3u8 language=en file=@prefix@/files/sample/en.vtt;", ""),
    ("surtitle_paths /a?b;", "patterns[0]"),
    ("surtitle_buffers 1 64k;", '"surtitle_buffers" must be'),
    ("surtitle_replace_default maybe;", 'must be "on" or "off"'),
    ("surtitle_track uri=a.m3u8 language=en file=@prefix@/files/made;", "is no file"),
    ("surtitle_track uri=a.m3u8 language=en file=@prefix@/files/made/silent.vtt;", 'has no cue that tells how long it plays; say "duration"'),
    ("surtitle_track uri=a.m3u8 language=en file=@prefix@/files/made/longest.vtt map=1 duration=5;", ""),
    ("surtitle_track uri=a.m3u8 language=en file=@prefix@/files/made/longer.vtt map=1 duration=5;", "is longer than 16777216 bytes"),
    ("surtitle_track uri=https://cdn.example language=en file=@prefix@/files/sample/en.vtt;", "that ends in .m3u8"),
    ("surtitle_track uri=.m3u8 language=en file=@prefix@/files/sample/en.vtt;", "that ends in .m3u8"),
    # Names and values of one letter, and of none.
    ("surtitle_track uri=a.m3u8 language=en file=x;", '/x" failed'),
    ("surtitle_track uri=a.m3u8 language=en file=@prefix@/files/sample/en.vtt map=auto video=v;", ""),
    ("surtitle_track uri=a.m3u8 language=en file=@prefix@/files/sample/en.vtt map=auto;", 'needs "map=auto" and "video"'),
    ("surtitle_track uri=a.m3u8 language=en file=@prefix@/files/sample/en.vtt video=v;", 'needs "map=auto" and "video"'),
    ("surtitle_track uri=a.m3u8 language=en file=@prefix@/files/sample/en.vtt video=;", "tracks[0]"),
    ("surtitle_track uri=a.m3u8 language=en file=@prefix@/files/sample/en.vtt live=;", "is no path of a media playlist"),
    ("surtitle_track uri=a.m3u8 language=en file=@prefix@/files/sample/en.vtt live=yes;", "is no path of a media playlist"),
    ("surtitle_track uri=a.m3u8 language=en live=v;", '"live" without "file"'),
    ("surtitle_track uri=a.m3u8 language=en file=@prefix@/files/sample/en.vtt at=;", "says no time"),
    ("surtitle_track uri=a.m3u8 language=en file=@prefix@/files/sample/en.vtt at=x;", '"at" without "live"'),
    ("surtitle_track uri=a.m3u8 language=en file=@prefix@/files/sample/en.vtt shift=;", "is no time"),
    ("surtitle_track uri=a.m3u8 language=en file=@prefix@/files/sample/en.vtt duration=;", "is no time above 0"),
    ("surtitle_track uri=a.m3u8 language=en file=@prefix@/files/sample/en.vtt map=0;", ""),
    # What stands behind the words of a directive is of the one before.
    ("add_header X-A colour=red always; surtitle_track uri=a.m3u8;", ""),
    ("add_header X-A longest_word=3 always; surtitle_limits longest_line=64;", ""),
    ("add_header X-A /a?b always; surtitle_paths /a;", ""),
    # Paths, and what files begin and end with.
    ("surtitle_track uri=./a.m3u8 language=en file=@prefix@/files/sample/en.vtt;", "no dot segments"),
    ("surtitle_track uri=///a.m3u8 language=en file=@prefix@/files/sample/en.vtt;", ""),
    ("surtitle_track uri=x:///a.m3u8 language=en file=@prefix@/files/sample/en.vtt;", ""),
    ("surtitle_track uri=a.m3u8 language=en file=@prefix@/files/made/small.m3u8;", "is not WebVTT, nor of another format"),
    ("surtitle_track uri=a.m3u8 language=en file=@prefix@/files/made/mark.vtt duration=5;", "neither WebVTT nor what it was said to be"),
    ("surtitle_track uri=a.m3u8 language=en file=@prefix@/files/made/brief.vtt;", ""),
    ("surtitle_track uri=a.m3u8 language=en file=@prefix@/files/made/longer.srt;", "is longer than 16777216 bytes"),
    # Of such a file fewer bytes can be read than it is said to have.
    ("surtitle_track uri=a.m3u8 language=en file=@prefix@/files/made/device;", 'made/device" failed'),
)


# The same beside the servers.
OTHER_REFUSALS = (
    ("surtitle_tracks a { surtitle_track; }", '"surtitle_track" has no value'),
    ("surtitle_tracks a { }", "has no track"),
    *((f"surtitle_tracks {name} {{ surtitle_track uri=a.m3u8 name=a; }}", "cannot be the name") for name in ("on", "off", "0", '""')),
    ("surtitle_tracks film { surtitle_track uri=a.m3u8 name=a; }", "duplicate"),
    ("surtitle_tracks b { surtitle_serve on; }", 'directive "surtitle_serve" is not allowed in "surtitle_tracks"'),
    ("surtitle_tracks b { surtitle_replace_default maybe; }", '"surtitle_replace_default" must be "on" or "off"'),
    ("surtitle_tracks b { surtitle_track uri=a.m3u8 duration=0; }", "is no time above 0"),
    ("surtitle_tracks b { surtitle_config @prefix@/tracks.json; surtitle_limits longest_line=64; }", ""),
    ("surtitle_paths /a?b;", "patterns[0]"),
    ("surtitle_live_zone :1m;", "a colon and a size"),
    ("surtitle_live_zone live:x;", "a colon and a size"),
    ("surtitle_live_zone surtitle:32k;", "is the name of two zones"),
    ("surtitle_live_zone surtitle_maps:256k;", "is the name of two zones"),
    ("surtitle_live_zone surtitled:32k;", ""),
)

# A whole configuration in which nothing else of the module is used.
ONLY = (("surtitle nobody;", 'there is no "surtitle_tracks" "nobody"'), ("surtitle_track uri=a.m3u8 language=e-n-g-;", "tracks[0].language"))


def check_refusals(report, nginx, servers):
    made = nginx.prefix / "files/made"
    (made / "silent.vtt").write_text("WEBVTT\n")
    (made / "brief.vtt").write_text("WEBVTT\n\n00:00.000 --> 00:00.001\na\n")
    for name, text in (("five", "WEBVT"), ("six", "WEBVTT"), ("marked", "\ufeffWEBVTT"), ("twice", "\ufeff\ufeffWEBVTT"), ("nothing", "")):
        (made / f"{name}.vtt").write_text(text)
    (made / "wrong.json").write_text("x")
    for name, encoding in (("little", "utf-16-le"), ("big", "utf-16-be")):
        (made / f"{name}.vtt").write_bytes("\ufeffWEBVTT\n".encode(encoding))
    (made / "mark.vtt").write_bytes(b"\xff\xfe")
    for name, size in (("longest", 1 << 20), ("longer", (1 << 20) + 1)):
        (made / f"{name}.json").write_text('{"tracks": [{"uri": "j.m3u8"}]}'.ljust(size))
    for name, size in (("longest.vtt", 16 << 20), ("longer.vtt", (16 << 20) + 1), ("longer.srt", (16 << 20) + 1)):
        (made / name).write_text("WEBVTT\n" if name.endswith("vtt") else "1\n")
        os.truncate(made / name, size)
    (made / "device").symlink_to("/sys/kernel/uevent_seqnum")
    text = nginx.path.read_text()
    rows = [(line, message, servers.replace("location /refused/ {", "location /refused/ { " + line, 1)) for line, message in REFUSALS]
    rows += [(line, message, servers.replace("    map $cookie", line + "\n    map $cookie", 1)) for line, message in OTHER_REFUSALS]
    rows += [(line, message, line + "server { listen 127.0.0.1:@port@; }") for line, message in ONLY]
    for line, message, configuration in rows:
        if "device" in line and not (made / "device").exists():
            continue
        nginx.write(configuration)
        complaint = nginx.complaint()
        # One thing is wrong, and that no call of the system's has failed unless it has.
        found = (message if message and message in complaint else complaint, complaint.count("[emerg]"), "(1: " in complaint)
        report.equal(f"refused: {line}", found, (message, int(message != ""), False))
    check_names(report, nginx, servers)
    nginx.path.write_text(text)
    report.equal("and all is well again", nginx.complaint(), "")


def check_names(report, nginx, servers):
    """Names of files count from the prefix, and that of `surtitle_config` from the configuration, as nginx's own do."""
    other = nginx.prefix / "other"
    other.mkdir()
    nginx.write(servers.replace("location /refused/ {", "location /refused/ { surtitle_track uri=a.m3u8 file=files/sample/en.vtt;", 1))
    (other / "nginx.conf").write_text(nginx.path.read_text())
    report.equal("a track's file", nginx.complaint(other / "nginx.conf"), "")
    nginx.write(servers.replace("location /refused/ {", "location /refused/ { surtitle_config beside.json;", 1))
    (other / "nginx.conf").write_text(nginx.path.read_text())
    (other / "beside.json").write_text('{"tracks": [{"uri": "j.m3u8"}]}')
    report.equal("a file of tracks", nginx.complaint(other / "nginx.conf"), "")


def check_reload(report, nginx, library, folder, servers):
    """New tracks for new requests; one under way keeps what it began with."""
    path = folder / "sample/master.m3u8"
    old = library.master(path)
    new = library.master(path, tracks=("uri=subs/en.m3u8,language=en,name=Reloaded,default", "uri=subs/sv.m3u8,language=sv,name=Svenska"))
    tag = nginx.curl("/o/length/sample/master.m3u8")["etag"]
    with concurrent.futures.ThreadPoolExecutor(1) as pool:
        under_way = pool.submit(nginx.curl, "/o/slow/made/large.m3u8", "--limit-rate", "1M")
        time.sleep(0.3)
        nginx.write(servers.replace("name=English", "name=Reloaded", 1))
        nginx.reload()
        response = nginx.curl("/o/length/sample/master.m3u8")
        report.equal("after a reload", response.body, new)
        report.equal("another tag", response["etag"] != tag, True)
        again = nginx.curl("/o/length/sample/master.m3u8", "-H", f"If-None-Match: {tag}")
        report.equal("the old tag is of other tracks", again.status, 200)
        totals = list(map(int, nginx.curl("/totals").body.split()))
        report.equal("totals outlive it", totals[0] > 100, True)
        large = under_way.result()
        report.equal("one under way", large.body == library.master(folder / "made/large.m3u8"), True)
    nginx.write(servers)
    nginx.reload()
    report.equal("and back", nginx.curl("/o/length/sample/master.m3u8").body, old)
    check_unused(report, nginx, servers)
    check_memory(report, nginx, folder)


def check_unused(report, nginx, servers):
    """Who loads the module and does not use it has none of its shared memory."""
    nginx.write("""
    log_format totals '$request_uri $surtitle_multivariant_total';
    server {
        listen 127.0.0.1:@port@;
        access_log @prefix@/access.log totals;
        location /totals { return 200 "[$surtitle_multivariant_total]"; }
    }
""")
    nginx.reload()
    unused = shared_sizes(nginx.process.pid)
    report.equal("and nothing to count", (nginx.curl("/totals?unused").body, nginx.access("/totals?unused")), (b"[]", "/totals?unused -"))
    nginx.write(servers)
    nginx.reload()
    for name, size in (("totals", 8 * os.sysconf("SC_PAGESIZE")), ("maps", 256 << 10)):
        report.equal(f"shared memory of a module that is not used: {name}", size in unused, False)
        report.equal(f"and of one that is: {name}", size in shared_sizes(nginx.process.pid), True)


# Levels that change nothing, tracks with files, and how often it is reloaded, and that again, until what has been freed has room for all.
SAME_LEVELS, TRACKS, RELOADS, ROUNDS = 60, 40, 4, 6


def check_memory(report, nginx, folder):
    """Levels share what they have from the one around them, and a reload gives back what was made of the configuration before."""
    made = folder / "made"
    keys = ", ".join(f'{{"uri": "{number}.m3u8", "name": "{number:0900}"}}' for number in range(1000))
    (made / "bulk.json").write_text(f'{{"tracks": [{keys}]}}')
    (made / "bulk.srt").write_text((made / "film.srt").read_text() * 20)
    (made / "bulk.vtt").write_text("WEBVTT\n\n" + "00:01.000 --> 00:02.000\na\n\n" * 20_000)
    patterns = " ".join(f"/{number:0900}" for number in range(1000))
    levels = "".join(f"location /{number}/ {{ }} " for number in range(SAME_LEVELS))
    tracks = "".join(
        f"surtitle_track uri=/{number}.m3u8 name={number} file=@prefix@/files/made/bulk.srt map={number}; "
        f"surtitle_track uri=/plain/{number}.m3u8 name=plain{number} file=@prefix@/files/sample/en.vtt; "
        for number in range(TRACKS))
    live = "surtitle_track uri=/live.m3u8 file=@prefix@/files/made/bulk.vtt live=/v.m3u8 at=msn:0; "
    prefix = nginx.prefix / "memory"
    prefix.mkdir()
    (prefix / "files").symlink_to(folder)
    fresh = Nginx(str(prefix), nginx.values["module"], nginx.values["origin"], f"""
    surtitle_live_zone live:1m;
    surtitle_config @prefix@/files/made/bulk.json;
    surtitle_paths {patterns};
    server {{ listen 127.0.0.1:@port@; surtitle on; {levels} location /tracks/ {{ {tracks} {live} }} }}
""")
    with fresh.running():
        sizes = [private_size(fresh.process.pid) >> 10]
        while len(sizes) < 2 or (sizes[-1] - sizes[-2] >= 128 and len(sizes) <= ROUNDS):
            for _ in range(RELOADS):
                fresh.reload()
            sizes.append(private_size(fresh.process.pid) >> 10)
    report.equal(f"one of all for {SAME_LEVELS} levels: {sizes[0]} KiB", sizes[0] < 48 << 10, True)
    report.equal(f"reloads leave nothing behind: {sizes} KiB", sizes[-1] - sizes[-2] < 128, True)


def private_size(pid):
    """How many bytes of memory a process has for itself."""
    return int(re.search(r"^RssAnon:\s+(\d+) kB", open(f"/proc/{pid}/status").read(), re.M)[1]) << 10


def shared_sizes(pid):
    """How many bytes each piece of memory has that a process shares with those that come of it."""
    lines = [line.split() for line in open(f"/proc/{pid}/maps") if "/dev/zero" in line]
    return [int(end, 16) - int(start, 16) for start, end in (line[0].split("-") for line in lines)]
