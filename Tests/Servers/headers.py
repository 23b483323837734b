"""The rows of the README's tables on header fields, asked by curl.

Of nginx all are asked, of the proxy of Sources/NIOProxy those that its check names. Both answer from the origin at /o/.
"""

import re


def check(report, nginx, origin, library, folder):
    check_requests(report, nginx, origin, others=("/o/length/made/media.ts", "/off/length/sample/master.m3u8"))
    check_many_fields(report, nginx, origin, library, folder)
    check_log(report, nginx)
    check_responses(report, nginx, library, folder, ("/static/sample/master.m3u8",))
    check_gateway(report, nginx, library, folder)
    check_validators(report, nginx, origin, ("/static/sample/master.m3u8", "/cached/length/sample/master.m3u8"))
    check_ranges(report, nginx, folder, ("/static/", "/cached/length/"), ("/static/",))
    check_unlikely(report, nginx, folder)
    check_looks(report, nginx, folder, "/untyped/")
    check_redirects(report, nginx, origin)


# A field of a likely request, and what the origin sees of it.
REQUESTS = (
    ("Range", "bytes=0-9", None),
    ("If-Range", '"a"', None),
    ("A-IM", "vcdiff", None),
    ("Accept-Encoding", "gzip, br", "identity"),
    ("If-None-Match", '"a"', None),
    ("If-Match", "*", "*"),
    ("If-None-Match", "*", "*"),
    ("If-Modified-Since", "Sun, 06 Nov 1994 08:49:37 GMT", None),
    ("If-Unmodified-Since", "Sun, 06 Nov 1994 08:49:37 GMT", None),
    ("Want-Repr-Digest", "sha-256=1", None),
    ("Want-Content-Digest", "sha-256=1", None),
    ("Want-Digest", "sha-256", None),
    ("X-Other", "stays", "stays"),
    ("Accept", "text/plain", "text/plain"),
)


def check_requests(report, nginx, origin, others=("/o/length/made/media.ts",)):
    """What the origin sees; `others` are paths at which nothing is edited."""
    path = "/o/length/sample/master.m3u8"
    for name, value, expected in REQUESTS:
        nginx.curl(path, "-H", f"{name}: {value}")
        seen = origin.last(path[2:]).get(name.lower())
        report.equal(f"{name}: {value} at the origin", seen or None, expected)
        for other in others:
            nginx.curl(other, "-H", f"{name}: {value}")
            report.equal(f"{name} at {other}", origin.last("/" + other.split("/", 2)[2]).get(name.lower()), value)
    nginx.curl(path, "-H", "Cache-Control: no-transform", "-H", "Range: bytes=0-9")
    report.equal("Range with no-transform", origin.last(path[2:]).get("range"), "bytes=0-9")


def check_many_fields(report, nginx, origin, library, folder):
    """However many fields there are, those that are to be edited are, and the others stay."""
    expected = library.master(folder / "sample/master.m3u8")
    for count in (24, 27, 28, 29, 30, 31, 32, 33, 100):
        path = f"/o/fields-{count}/sample/master.m3u8"
        fields = [word for number in range(count) for word in ("-H", f"X-{number}: z")]
        answer = nginx.curl(path, "-H", "Range: bytes=0-9", *fields)
        report.equal(f"{count} fields", (answer.status, answer.body, answer["accept-ranges"]), (200, expected, "none"))
        report.equal(f"{count} fields of the response", [answer[f"x-{number}"] for number in range(count)], ["y"] * count)
        seen = origin.last(path[2:])
        report.equal(f"{count} fields of the request", [seen.get(f"x-{number}") for number in range(count)], ["z"] * count)
        report.equal(f"{count} fields: no range", seen.get("range"), None)
        again = nginx.curl(path, "-H", f"If-None-Match: {answer['etag']}", *fields)
        report.equal(f"{count} fields: its tag", (again.status, again["etag"]), (304, answer["etag"]))


def check_log(report, nginx):
    path = "/o/length/sample/master.m3u8"
    nginx.curl(path + "?range", "-H", "Range: bytes=0-9", "-H", "Accept-Encoding: gzip")
    line = nginx.access(path + "?range")
    report.equal("logs tell what the client sent", line.rsplit(" ", 2)[1:], ['"bytes=0-9"', '"gzip"'])


def check_responses(report, nginx, library, folder, paths=()):
    """The header of what is edited, at `paths` too."""
    expected = library.master(folder / "sample/master.m3u8")
    for path in ("/o/length/sample/master.m3u8", "/o/digest/sample/master.m3u8", *paths):
        get, head = nginx.curl(path), nginx.curl(path, "-I")
        report.equal(f"{path}: Content-Length", get["content-length"], str(len(expected)))
        report.equal(f"{path}: Accept-Ranges", get["accept-ranges"], "none")
        report.equal(f"{path}: ETag", bool(re.fullmatch(r'"[0-9a-f-]+-surtitle-[0-9a-f]{16}"', get["etag"])), True)
        for name in ("Last-Modified", "Repr-Digest", "Content-MD5", "Content-Range"):
            report.equal(f"{path}: {name}", get[name], None)
        report.equal(f"{path}: HEAD", (head.status, head["content-length"], head["etag"]), (200, None, get["etag"]))
        report.equal(f"{path}: HEAD has no body", (head.body, head["transfer-encoding"]), (b"", None))
    report.equal("Vary stays", nginx.curl("/o/digest/sample/master.m3u8")["vary"], "Origin")

    plain = (folder / "sample/master.m3u8").read_bytes()
    refused = nginx.curl("/o/notransform/sample/master.m3u8")
    report.equal("no-transform", (refused.body, refused["accept-ranges"]), (plain, "bytes"))
    encoded = nginx.curl("/o/encoded/sample/master.m3u8")
    report.equal("an encoded playlist passes", (encoded["content-encoding"], encoded.body[:2]), ("gzip", b"\x1f\x8b"))
    report.equal("nothing there", nginx.curl("/o/length/nothing.m3u8").status, 404)
    post = nginx.curl("/o/length/sample/master.m3u8", "-d", "a=b")
    report.equal("POST", post.body, plain)


def check_gateway(report, nginx, library, folder):
    expected = library.master(folder / "sample/master.m3u8")
    report.equal("no-transform at a gateway", nginx.curl("/gateway/notransform/sample/master.m3u8").body, expected)
    report.equal("no file there", nginx.curl("/static/nothing.m3u8").status, 404)


def check_validators(report, nginx, origin, paths=()):
    """Tags there and back, at `paths` too."""
    for path in ("/o/length/sample/master.m3u8", *paths):
        tag = nginx.curl(path)["etag"]
        again = nginx.curl(path, "-H", f"If-None-Match: {tag}")
        report.equal(f"{path}: our tag is known", (again.status, again["etag"], again.body), (304, tag, b""))
        listed = nginx.curl(path, "-H", f'If-None-Match: "x", W/{tag}')
        report.equal(f"{path}: in a list, and weak", (listed.status, listed["etag"]), (304, tag))
        theirs = tag.rpartition("-surtitle-")[0] + '"'
        report.equal(f"{path}: the origin's tag is not", nginx.curl(path, "-H", f"If-None-Match: {theirs}").status, 200)
        other = tag[:-2] + ("0" if tag[-2] != "0" else "1") + '"'
        report.equal(f"{path}: nor one of other tracks", nginx.curl(path, "-H", f"If-None-Match: {other}").status, 200)
        time = nginx.curl(path, "-H", "If-Modified-Since: Fri, 01 Jan 2100 00:00:00 GMT")
        report.equal(f"{path}: times tell nothing", time.status, 200)
        report.equal(f"{path}: If-Match", nginx.curl(path, "-H", f"If-Match: {tag}").status, 200)
        if path.startswith("/o/"):
            nginx.curl(path, "-H", f"If-None-Match: {tag}")
            report.equal("the origin is asked for its own tag", origin.last(path[2:]).get("if-none-match"), theirs)


def check_ranges(report, nginx, folder, ways=(), media_ways=()):
    """Parts are of media alone, by these ways too."""
    media = (folder / "made/media.ts").read_bytes()
    whole = nginx.curl("/o/length/sample/master.m3u8").body
    for path in [way + "sample/master.m3u8" for way in ("/o/length/", "/o/untyped/", *ways)]:
        part = nginx.curl(path, "-H", "Range: bytes=0-9")
        report.equal(f"{path}: a part is the whole", (part.status, part.body), (200, whole))
        part = nginx.curl(path, "-H", "Range: bytes=0-9", "-H", 'If-Range: "a"')
        report.equal(f"{path}: with If-Range", (part.status, part.body), (200, whole))
    for path in [way + "made/media.ts" for way in ("/o/length/", *media_ways)]:
        part = nginx.curl(path, "-H", "Range: bytes=1000-1999")
        report.equal(f"{path}: a part of media", (part.status, part.body), (206, media[1000:2000]))


def check_unlikely(report, nginx, folder):
    """A playlist where nobody expects one: edited if it comes whole, and told of if not."""
    plain = (folder / "made/play").read_bytes()
    before = nginx.log().count("surtitle_paths should match it")
    response = nginx.curl("/o/length/made/play")
    report.equal("of another type, at an unlikely path", response.body, plain)
    looked = nginx.curl("/any/length/made/play")
    report.equal("of another type, at a path that is listed", looked.body.count(b'SUBTITLES="subs"'), 20)
    listed = nginx.curl("/any/length/made/play", "-H", "Range: bytes=0-9")
    report.equal("a part of it", (listed.status, len(listed.body)), (200, len(looked.body)))
    typed = nginx.curl("/o/typed/made/play")
    report.equal("of the type, at an unlikely path", typed.body, looked.body)
    report.equal("nothing to tell so far", nginx.log().count("surtitle_paths should match it"), before)
    part = nginx.curl("/o/typed/made/play", "-H", "Range: bytes=0-9")
    report.equal("a part of that", (part.status, part.body), (206, plain[:10]))
    report.equal("which the log tells of", nginx.log().count("surtitle_paths should match it"), before + 1)
    known = nginx.curl("/o/typed/made/play", "-H", f"If-None-Match: {typed['etag']}")
    report.equal("a derived tag makes a path likely", (known.status, known["etag"]), (304, typed["etag"]))


def check_looks(report, nginx, folder, way="/o/untyped/"):
    """A likely path and another type: twelve bytes tell, however slowly they come."""
    for name in [f"made/{name}.m3u8" for name in ("text", "short", "one", "twelve", "thirteen", "empty")]:
        expected = (folder / name).read_bytes()
        response = nginx.curl("/o/untyped/" + name)
        report.equal(f"untyped {name}", (response.status, response.body), (200, expected))
        report.equal(f"untyped {name} keeps its length", response["content-length"], str(len(expected)))
        report.equal(f"untyped {name} keeps its tag", "surtitle" in (response["etag"] or ""), name == "made/short.m3u8")
        part = nginx.curl(way + name, "-H", "Range: bytes=0-2")
        whole = nginx.curl(way + name)
        report.equal(f"untyped {name}: a part is the whole", (part.status, part.body), (200, whole.body))
    slow = nginx.curl("/o/slow/made/text.m3u8", "--max-time", "20")
    report.equal("a slow text", slow.body, (folder / "made/text.m3u8").read_bytes())


def check_redirects(report, nginx, origin):
    """After an internal redirect the question is asked again, of what the client sent."""
    path = "/try/sample/master.m3u8"
    first = nginx.curl(path)
    again = nginx.curl(path, "-H", f"If-None-Match: {first['etag']}")
    report.equal("a redirect to another location", (first.status, again.status, again["etag"]), (200, 304, first["etag"]))
    asked = origin.last("/length/sample/master.m3u8").get("if-none-match", "")
    report.equal("its tag at the origin", "surtitle" in asked or asked == "", False)


def check_http2(report, nginx, library, folder):
    expected = library.master(folder / "made/large.m3u8")
    for way in ("/static/", "/o/chunked/", "/o/length/"):
        response = nginx.curl(way + "made/large.m3u8", "--http2-prior-knowledge", port=nginx.port2)
        report.equal(f"HTTP/2: {way}", (response.status, response.body), (200, expected))
        held = nginx.curl(way + "made/small.m3u8", "--http2-prior-knowledge", port=nginx.port2)
        report.equal(f"HTTP/2: {way}, the length", held["content-length"], str(len(library.master(folder / "made/small.m3u8"))))
    torn = nginx.curl("/o/tornchunked-5000/made/large.m3u8", "--http2-prior-knowledge", port=nginx.port2)
    report.equal("HTTP/2: a torn playlist is an error", torn.curl != 0, True)
    tag = held["etag"]
    known = nginx.curl("/o/length/made/small.m3u8", "--http2-prior-knowledge", "-H", f"If-None-Match: {tag}", port=nginx.port2)
    report.equal("HTTP/2: 304", (known.status, known["etag"]), (304, tag))
