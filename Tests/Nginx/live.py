"""live=: tracks beside streams that go on, in the configuration that the README has."""

import concurrent.futures
import http.client
import pathlib
import re
import shutil
import subprocess
import textwrap
import time

import memory
from instance import Nginx
from live_origin import BEGIN, TICKS, Origin, date, write_cues

README = pathlib.Path(__file__).resolve().parents[2] / "Sources/NginxModule/README.md"

# Tracks beside one stream: more than a worker keeps playlists of.
MANY = 12

# Locations for what the sample does not show: a path that is one, no date, a clock of its own.
MORE = """
        surtitle_track uri=/event/en.m3u8 language=en file=@prefix@/files/live.vtt live=/event/v.m3u8;
        location /event/ { proxy_pass http://origin; proxy_read_timeout 1s; }
        location /pinned/ {
            proxy_pass http://origin/news/;
            proxy_set_header Host $host;
            add_header X-Called $host;
            surtitle_track uri=en.m3u8 language=en file=@prefix@/files/live.vtt live=v.m3u8 at=msn:3 map=126000;
        }
        location /page/ { alias @prefix@/files/; ssi on; surtitle off; }
        location /folder/ {
            alias @prefix@/files/;
            sendfile on;
            surtitle_track uri=en.m3u8 language=en file=@prefix@/files/live.vtt live=v.m3u8 at=media;
        }
        location /many/ {
            proxy_pass http://origin/news/;
            @many@
        }
        location /sealed/ {
            alias @prefix@/files/sealed/;
            surtitle_track uri=en.m3u8 language=en file=@prefix@/files/live.vtt live=v.m3u8 at=msn:0;
        }
""".replace("@many@", " ".join(
    f"surtitle_track uri=t{number}.m3u8 language=en name={number} file=@prefix@/files/live.vtt live=v.m3u8 at=msn:0;" for number in range(MANY)))


def sample():
    """The configuration of the README, with the places of this machine."""
    text = README.read_text().split("## Beside a live stream\n")[1].split("\n\n`/news")[0]
    text = textwrap.dedent(text).strip()
    text = text.removeprefix("http {").removesuffix("}")
    for theirs, ours in (
        ("/var/cache/nginx", "@prefix@"), ("listen 80;", "listen 127.0.0.1:@port@; listen 127.0.0.1:@port2@ http2;"), ("encoder.example", "origin"),
        ("/srv/subs/en.vtt", "@prefix@/files/live.vtt"), ("2026-11-23T20:00:00Z", date(BEGIN)),
    ):
        assert theirs in text, theirs
        text = text.replace(theirs, ours)
    end = text.rindex("}")
    return text[:end] + MORE + text[end:]


def uncached(text):
    """What nginx keeps for a second it keeps for up to two."""
    return text.replace("proxy_cache live;", "")


def twins(text):
    """Three servers: two have no name that is one, and videos of their own."""
    twin = """
    server {
        listen 127.0.0.1:@PORT@;
        server_name *.example;
        surtitle on;
        surtitle_serve on;
        surtitle_track uri=en.m3u8 language=en file=@prefix@/files/live.vtt live=v.m3u8 at=msn:0;
        location /news/ { alias @prefix@/files/@PORT@/; }
    }
"""
    # A name of every kind of letter that a host may have.
    text = text.replace("server_name live.example", "server_name a0-z9.live.example")
    # The second of the sample's own has no port for HTTP/2 here.
    text = text.replace(" listen 127.0.0.1:@port2@ http2;", "")
    return text + twin.replace("@PORT@", "@port2@") + twin.replace("@PORT@", "@port3@")


def texts(answer):
    return [int(number) for number in re.findall(r"^cue (\d+)$", answer.body.decode(), re.M)]


def wait_for(condition, seconds=10):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.05)
    return False


class Beside:
    """An nginx of its own beside an origin."""

    def __init__(self, report, scratch, module, name, *, change=None, wrapper=(), master=True, **kind):
        self.report = report
        self.origin = Origin(**{"folder": "/news/", "target": 1, **kind})
        self.folder = scratch / name
        (self.folder / "files").mkdir(parents=True)
        self.folder.chmod(0o755)
        write_cues(self.folder / "files/live.vtt", every=2 * self.origin.target)
        self.servers = sample() if change is None else change(sample())
        self.nginx = Nginx(str(self.folder), module, self.origin.port, self.servers, wrapper=wrapper, master=master)

    def __enter__(self):
        self.origin.__enter__()
        self.nginx.start()
        return self

    def __exit__(self, *_):
        if self.nginx.process.poll() is None:
            self.equal("nginx ends in good order", self.nginx.stop(120), 0)
        self.origin.__exit__()
        self.equal("nothing wrong in the log", self.nginx.wrong_lines("[emerg]"), [])

    def equal(self, name, found, expected):
        self.report.equal(f"live, {self.folder.name}: {name}", found, expected)

    def get(self, name, *arguments, base="/news/subs/", **ways):
        return self.nginx.curl(base + name, *arguments, **ways)

    def expected(self, prefix="en/"):
        return re.sub(rb"[st](\d+)\.aac", prefix.encode() + rb"\1.vtt", self.origin.playlist())

    def ask_for_many(self, numbers=range(600)):
        """Asks for more streams than a worker has at hand, and than the zone keeps that have not begun: none of them is there."""
        connection = http.client.HTTPConnection("127.0.0.1", self.nginx.port, timeout=60)
        statuses = set()
        for number in numbers:
            connection.request("GET", f"/news/{number}/subs/en.m3u8")
            answer = connection.getresponse()
            answer.read()
            statuses.add(answer.status)
        self.equal("streams that are not there", statuses, {502})

    def grow(self, count=1):
        """The next version, and time for it to be asked for."""
        self.origin.count += count
        time.sleep(self.origin.target / 2 + 0.4)

    def map(self, number, **ways):
        """MPEGTS - 90 * LOCAL of a segment's map, which is that of its clock; None if it has none."""
        found = re.search(rb"X-TIMESTAMP-MAP=LOCAL:(\d+):(\d+):(\d+)\.(\d+),MPEGTS:(\d+)", self.get(f"en/{number}.vtt", **ways).body)
        if not found:
            return None
        hours, minutes, seconds, milliseconds, ticks = map(int, found.groups())
        return ticks - 90 * (((hours * 60 + minutes) * 60 + seconds) * 1000 + milliseconds)


# Each has an origin and an nginx of its own, made with these words.
CHECKS = (
    ("sliding", {"first": 900, "target": 2}), ("once", {"target": 20}), ("trouble", {"change": uncached, "target": 2}), ("bodies", {"change": uncached}),
    ("restart", {"first": 7, "change": uncached}),
    ("reload", {"first": 7, "target": 4}), ("blocking", {"first": 7, "blocks": 2.6, "target": 2}),
    ("event", {"event": True, "dates": False, "folder": "/event/"}),
    ("pinned", {"first": 1}), ("full", {"change": lambda text: uncached(text).replace("channels:1m", "channels:32k"), "window": 9000}),
    ("hosts", {"first": 7, "target": 4}), ("page", {"first": 7, "target": 4}), ("twins", {"change": twins, "target": 4}),
    ("leaving", {"change": uncached, "target": 4}),
)


def check(report, scratch, module):
    def run(check):
        name, kind = check
        with Beside(report, scratch, module, name, **kind) as beside:
            globals()[f"check_{name}"](beside)

    # They mostly wait.
    with concurrent.futures.ThreadPoolExecutor(3) as pool:
        list(pool.map(run, CHECKS))
    check_refusals(report, scratch, module)


def check_sliding(beside):
    """Its playlist is the video's; each segment has the cues that show in it, and all have one map."""
    origin, equal = beside.origin, beside.equal
    made = beside.get("en.m3u8")
    equal("the video's playlist", (made.status, made.body), (200, beside.expected()))
    check_many(beside)
    equal("its fields", (made["content-type"], made["cache-control"], made["last-modified"], made["etag"]),
          ("application/vnd.apple.mpegurl", "max-age=1", None, None))
    equal("HEAD", (beside.get("en.m3u8", "-I")["content-length"], beside.get("en.m3u8", "-I").body), (str(len(made.body)), b""))
    for name in ("en.m3u8", "en/900.vtt"):
        head, _, rest = beside.nginx.raw(f"HEAD /news/subs/{name} HTTP/1.1").partition(b"\r\n\r\n")
        equal(f"HEAD of {name}, and nothing follows", (head[:12], rest), (b"HTTP/1.1 200", b""))
        answer = beside.nginx.raw(f"GET /news/subs/{name} HTTP/1.1", "Transfer-Encoding: chunked", body=b"zz\r\n\r\n")
        equal(f"a malformed body with {name}", answer[:12], b"HTTP/1.1 400")
    for number in range(5):
        segment = beside.get(f"en/{900 + number}.vtt")
        equal(f"segment {number}", (segment.status, texts(segment), segment["content-type"], segment["cache-control"]),
              (200, [number // 2 * 4], "text/vtt", "max-age=10"))
        equal(f"the map of {number}", beside.map(900 + number), TICKS)
    master = beside.nginx.curl("/news/master.m3u8").body
    equal("the master names it", b'URI="subs/en.m3u8"' in master, True)
    beside.grow(2)
    equal("it goes on", (wait_for(lambda: beside.get("en.m3u8").body == beside.expected(), 3), beside.get("en.m3u8").body), (True, beside.expected()))
    equal("what slid out lately is there", texts(beside.get("en/900.vtt")), [0])
    # Names that no playlist has had, for which nothing is asked for.
    asked = len(origin.asked)
    for name in ("-1", "0900", "99999999999999999999", "1000", "a", "900.vtt.vtt", "900.0.0", "", "900.vtt/1"):
        equal(f"en/{name}.vtt", beside.get(f"en/{name}.vtt").status, 404)
    equal("nothing is asked for", origin.asked[asked:], [path for path in origin.asked[asked:] if "subs/en/900.vtt/1" in path])
    time.sleep(2.1)  # the location keeps the playlist for up to two
    equal("the next one is not there", beside.get("en/907.vtt").status, 404)
    equal("but for one look", [path for path in origin.asked[asked:] if path.startswith("/news/v.m3u8")], ["/news/v.m3u8"])
    for _ in range(10):
        origin.count += 2
        time.sleep(1.1)
        beside.get("en.m3u8")
    gone = beside.get("en/900.vtt")
    equal("what slid out long ago is empty", (gone.status, gone.body[:7], texts(gone)), (200, b"WEBVTT\n", []))
    equal("and has a map", beside.map(900), TICKS)
    ranges = {fields["Range"] for path, fields in zip(origin.asked, origin.fields) if ".aac" in path}
    equal("the beginning of a segment is asked for", ranges, {"bytes=0-65535"})


def check_many(beside):
    """Tracks beside one stream, each with its own segments, though a worker keeps only some of their playlists."""
    for _ in range(2):
        for number in (*range(MANY), *range(MANY)):
            beside.equal(f"of track {number}", beside.get(f"t{number}.m3u8", base="/many/").body, beside.expected(f"t{number}/"))
        beside.equal("its cues", beside.get(f"t7/{beside.origin.first}.vtt", base="/many/").status, 200)


def check_once(beside):
    """Forty clients at once, of two workers, cost one request for the playlist and one for a time stamp."""
    origin = beside.origin
    origin.delay = 0.3
    with concurrent.futures.ThreadPoolExecutor(40) as pool:
        for name in ("en.m3u8", "en/2.vtt"):
            answers = list(pool.map(lambda _: beside.get(name), range(40)))
            beside.equal(f"{name}: all get the same", ({answer.status for answer in answers}, len({answer.body for answer in answers})), ({200}, 1))
    beside.equal("one request each", sorted(origin.asked), ["/news/s0.aac", "/news/v.m3u8"])
    for name in ("en.m3u8", "en/2.vtt"):
        memory.check_growth(beside.report, beside.nginx, f"live, once: {name}", ["/news/subs/" + name])


def check_page(beside):
    """A page whose own location has no tracks includes what is made beside a stream."""
    (beside.folder / "files/page.html").write_text('<!--#include virtual="/news/subs/en.m3u8" -->')
    (beside.folder / "files/segment.html").write_text('<!--#include virtual="/news/subs/en/8.vtt" -->')
    beside.equal("a playlist in a page", beside.nginx.curl("/page/page.html").body, beside.expected())
    beside.equal("a segment in a page", beside.nginx.curl("/page/segment.html").body, beside.get("en/8.vtt").body)


def check_hosts(beside):
    """What a client says of itself changes nothing, and goes nowhere."""
    origin = beside.origin
    beside.get("en.m3u8", "-H", "Host: evil.example", "-H", "Cookie: a=b", "-H", "Authorization: Basic eA==", "-H", "Range: bytes=0-1")
    for host in ("live.example", "other.example", "evil.example:99"):
        segment = beside.get("en/8.vtt", "-H", f"Host: {host}", "-H", "X-Token: y", "-H", 'If-None-Match: "a"')
        beside.equal(f"{host}: the same stream", (segment.status, texts(segment), beside.map(8)), (200, [0], TICKS))
    answer = beside.get("en/8.vtt", "--http2-prior-knowledge", port=beside.nginx.port2)
    beside.equal("HTTP/2", (answer.status, texts(answer)), (200, [0]))
    beside.equal("one request each", sorted(origin.asked), ["/news/s7.aac", "/news/v.m3u8"])
    names = {name.lower() for fields in origin.fields for name in fields.keys()}
    beside.equal("no field of a client's", names & {"cookie", "authorization", "x-token", "if-none-match", "user-agent", "accept"}, set())


def check_twins(beside):
    """What a playlist says of this server's first name is asked for here, and of two servers of one name each has its own streams."""
    origin, equal = beside.origin, beside.equal
    origin.text = origin.playlist().replace(b"\ns", b"\nhttp://a0-z9.live.example/news/s")
    equal("by its name", (beside.get("en.m3u8").status, beside.map(3)), (200, TICKS))
    for count, name in ((3, "port2"), (5, "port3")):
        port = getattr(beside.nginx, name)
        folder = beside.folder / f"files/{port}"
        folder.mkdir()
        segments = "".join(f"#EXTINF:1,\nhttp://localhost/news/s{number}.aac\n" for number in range(count))
        (folder / "v.m3u8").write_text(f"#EXTM3U\n#EXT-X-TARGETDURATION:4\n{segments}")
        (folder / "s0.aac").write_bytes(origin.answer(f"/news/s{count - 3}.aac", {})[1] + bytes(1 << 17))
        made = beside.get("en.m3u8", base="/news/", port=port)
        equal(f"{name}: its own", (made.status, made.body.count(b"EXTINF")), (200, count))
        equal(f"{name}: by the name of one without", beside.map(0, base="/news/", port=port), TICKS + (count - 3) * 360_000)


def check_leaving(beside):
    """Those who leave while they wait, also the one in whose background it is asked for, take nothing from those who stay."""
    origin, equal = beside.origin, beside.equal
    origin.delay = 1
    with concurrent.futures.ThreadPoolExecutor(40) as pool:
        # nginx hears at once that one has gone by HTTP/2, and else when it answers.
        ways = (("--http1.1", beside.nginx.port), ("--http2-prior-knowledge", beside.nginx.port2))
        impatient = [pool.submit(beside.get, "en.m3u8", "--max-time", "0.4", way, port=port) for _ in range(10) for way, port in ways]
        time.sleep(0.1)
        patient = [pool.submit(beside.get, "en.m3u8") for _ in range(10)]
        equal("they leave", {one.result().curl for one in impatient}, {28})
        equal("the others have it", {(one.result().status, one.result().body) for one in patient}, {(200, beside.expected())})
        # Nor does one who has gone go on waiting in memory that others have by then.
        time.sleep(2.5)
        gone = [pool.submit(beside.get, "en.m3u8", "--max-time", "0.4", "--http2-prior-knowledge", port=beside.nginx.port2) for _ in range(40)]
        equal("more of them leave", 28 in {one.result().curl for one in gone}, True)
        equal("others come", {one.status for one in pool.map(lambda _: beside.get("en/1000000.vtt"), range(80))} <= {404}, True)
        time.sleep(3)
    origin.delay = 0
    asked = origin.times_asked("v.m3u8")
    beside.ask_for_many()
    equal("what has begun is kept", (beside.get("en.m3u8").body, origin.times_asked("v.m3u8") - asked <= 1), (beside.expected(), True))
    before = memory.use(beside.nginx)[0]
    beside.ask_for_many(range(600, 1800))
    grown = memory.use(beside.nginx)[0] - before
    equal(f"streams that are gone take no memory: {grown} bytes", grown <= memory.MOST_BYTES, True)


def check_trouble(beside):
    """The last version for three target durations, then 502, or 504 if there is no answer; 404 is no other."""
    origin, equal = beside.origin, beside.equal
    equal("all is well", beside.get("en.m3u8").status, 200)
    for status in (500, 404):
        origin.status = status
        time.sleep(1.2)
        equal(f"{status}: the last version", beside.get("en.m3u8").status, 200)
        equal(f"{status}: the log says why", f"status {status}" in beside.nginx.log(), True)
        time.sleep(6)
        equal(f"{status}: after three target durations", beside.get("en.m3u8").status, 502)
        asked = len(origin.asked)
        equal(f"{status}: it is not asked again at once", (beside.get("en.m3u8").status, len(origin.asked)), (502, asked))
        origin.status = 200
        time.sleep(1.1)
        equal(f"{status}: and again", beside.get("en.m3u8").status, 200)
    # An origin that says nothing.
    origin.delay = 8
    time.sleep(6.5)
    began = time.monotonic()
    answer = beside.get("en.m3u8")
    waited = time.monotonic() - began
    equal("no answer", (answer.status, 2.5 < waited < 3.6), (504, True))


def check_bodies(beside):
    """What is no version of the playlist is never taken."""
    origin, equal = beside.origin, beside.equal
    first = beside.get("en.m3u8")
    origin.is_torn = True
    beside.grow()
    equal("a body that breaks off", (beside.get("en.m3u8").body), first.body)
    origin.is_torn = False
    for name, text, words in (
        ("a multivariant playlist", b"#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nv.m3u8\n", "this is no media playlist; give the URL of a variant's playlist, at byte 0"),
        ("no playlist", b"<html></html>\n" * 9, "#EXTM3U"),
        ("no target duration", b"#EXTM3U\n#EXTINF:1,\ns9.aac\n", "EXT-X-TARGETDURATION"),
        ("a malformed EXTINF", b"#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:x,\ns9.aac\n", "EXTINF"),
    ):
        origin.text = text
        time.sleep(1.1)
        equal(name, beside.get("en.m3u8").body, first.body)
        equal(f"{name}: the log", [words in line for line in beside.nginx.log().splitlines() if "surtitle: live:" in line][-1], True)
        origin.text = None
        time.sleep(1.1)
        first = beside.get("en.m3u8")
        equal(f"{name}: and again", first.body, beside.expected())
    origin.text = b"#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nv.m3u8\n"
    time.sleep(3.2)
    equal("a multivariant playlist all the time", beside.get("en.m3u8").status, 502)


def check_restart(beside):
    """The encoder begins anew, with lower numbers and another clock: its segments have the new map, and no other."""
    origin, equal = beside.origin, beside.equal
    equal("before", (beside.get("en.m3u8").status, beside.map(8)), (200, TICKS))
    origin.restart(2, 5_000_000)
    begun = int(origin.begin - BEGIN)
    origin.count = 3
    for _ in range(3):
        beside.grow()
        beside.get("en.m3u8")
    equal("after", beside.get("en.m3u8").body, beside.expected())
    number = origin.first + origin.count - 1
    at = begun + (number - origin.first) * origin.target
    equal("the new clock", beside.map(number), 5_000_000 - begun * 90_000)
    cues = [texts(beside.get(f"en/{number + step}.vtt")) for step in (-1, 0)]
    equal("cues by the date", cues, [[second] if second % 2 == 0 else [] for second in (at - 1, at)])
    equal("the log says so once", beside.nginx.log().count("the stream has begun anew"), 1)


def check_reload(beside):
    """A reload keeps what is known: nothing is asked for again."""
    origin, equal = beside.origin, beside.equal
    first, segment = beside.get("en.m3u8").body, beside.get("en/8.vtt").body
    asked = len(origin.asked)
    beside.nginx.reload()
    equal("the same", (beside.get("en.m3u8").body, beside.get("en/8.vtt").body), (first, segment))
    equal("nothing is asked for", origin.asked[asked:], [])
    # Another at= is another stream.
    beside.nginx.write(beside.servers.replace(f"at={date(BEGIN)}", f"at={date(BEGIN - 4)}"))
    beside.nginx.reload()
    equal("other times", texts(beside.get("en/8.vtt")), [8])
    beside.nginx.write(beside.servers)
    beside.nginx.reload()
    equal("and back", texts(beside.get("en/8.vtt")), [0])


def check_blocking(beside):
    """_HLS_msn goes to the origin as it is; what it says no to is handed on; nobody waits for more than 3 s."""
    origin, equal = beside.origin, beside.equal
    beside.get("en.m3u8")
    with concurrent.futures.ThreadPoolExecutor(20) as pool:
        waiting = [pool.submit(beside.get, "en.m3u8?_HLS_msn=12&_HLS_skip=YES&x=y") for _ in range(20)]
        time.sleep(0.6)
        equal("they wait", any(one.done() for one in waiting), False)
        began = time.monotonic()
        origin.count += 1
        answers = {one.result().body for one in waiting}
        equal("they have it at once", (answers, time.monotonic() - began < 1.8), ({beside.expected()}, True))
    equal("one request for all", [path for path in origin.asked if "_HLS" in path], ["/news/v.m3u8?_HLS_msn=12"])
    equal("one too far ahead", beside.get("en.m3u8?_HLS_msn=99").status, 400)
    origin.blocks = 6
    began = time.monotonic()
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        answers = list(pool.map(lambda _: beside.get("en.m3u8?_HLS_msn=13"), range(2)))
    waited = time.monotonic() - began
    equal("after 3 s the last version", ({answer.body for answer in answers}, 2.8 < waited < 3.6), ({beside.expected()}, True))
    equal("the connection of one has a fetch", sorted(answer["connection"] for answer in answers), ["close", "keep-alive"])
    # Nor is the next request on a connection held up by what the one before has begun.
    beside.get("en.m3u8")
    began = time.monotonic()
    urls = [f"http://127.0.0.1:{beside.nginx.port}/news/subs/{name}" for name in ("en.m3u8?_HLS_msn=14", "en/9.vtt")]
    run = subprocess.run(["curl", "-sS", "-o", "/dev/null", "-o", "/dev/null", "-w", "%{http_code} ", *urls], capture_output=True, text=True)
    equal("the next on the connection", (run.stdout, time.monotonic() - began < 3.8), ("200 200 ", True))
    # One who leaves does not take the version along.
    origin.blocks, asked = 2, origin.times_asked("v.m3u8")
    time.sleep(3.2)
    beside.get("en.m3u8?_HLS_msn=14", "--max-time", "0.3")
    origin.count += 2
    equal("a client that has gone", wait_for(lambda: beside.get("en.m3u8").body == beside.expected()), True)
    equal("a version was asked for", origin.times_asked("v.m3u8") > asked, True)


def check_event(beside):
    """An EVENT from 0 without dates needs no at=, and ends with the video."""
    origin, equal = beside.origin, beside.equal
    made = beside.get("en.m3u8", base="/event/")
    equal("its playlist", made.body, beside.expected())
    equal("its cues", texts(beside.get("en/4.vtt", base="/event/")), [4])
    origin.count, origin.is_complete = 9, True
    time.sleep(0.7)
    equal("the end", beside.get("en.m3u8", base="/event/").body, beside.expected())
    origin.status = 404
    time.sleep(0.7)
    equal("it stays", beside.get("en.m3u8", base="/event/").body, beside.expected())
    equal("no other path", beside.get("en.m3u8", base="/event/other/").status, 404)


def check_pinned(beside):
    """A segment as the beginning, and a map that is given: no time stamp is asked for."""
    equal = beside.equal
    made = beside.get("en.m3u8", "-H", "Host: c.example", base="/pinned/")
    equal("its playlist", made.body, beside.expected())
    equal("no fetch is left on its connection", made["connection"], "keep-alive")
    equal("the server's own name is for the origin alone", (beside.origin.fields[0]["Host"], made["x-called"]), ("live.example", "c.example"))
    segment = beside.get("en/3.vtt", base="/pinned/")
    equal("its cues", (texts(segment), b"MPEGTS:126000" in segment.body), ([0], True))
    equal("before the beginning", texts(beside.get("en/2.vtt", base="/pinned/")), [])
    equal("what is asked for", beside.origin.asked, ["/news/v.m3u8"])
    # A folder that an encoder writes, and cues in the video's own time: 10 s, at which its first segment begins.
    origin, files = beside.origin, beside.folder / "files"
    for number in range(1, 7):
        (files / f"s{number}.aac").write_bytes(origin.answer(f"/news/s{number}.aac", {})[1] + bytes(1 << 20))
    for _ in range(2):
        (files / "new").write_bytes(origin.playlist())
        (files / "new").rename(files / "v.m3u8")
        equal("a folder", beside.get("en.m3u8", base="/folder/").body, beside.expected())
        number = origin.first + origin.count - 1
        at = 10 + origin.count - 1
        segment = beside.get(f"en/{number}.vtt", base="/folder/")
        equal("a folder's segment", (texts(segment), beside.map(number, base="/folder/")), ([at] if at % 2 == 0 else [], 0))
        beside.grow()
    check_sealed(beside)


def check_sealed(beside):
    """A stream that ffmpeg encrypts by AES-128, whose first time stamp is 1.4 s."""
    if shutil.which("ffmpeg") is None:
        print("skipped: there is no ffmpeg")
        return
    folder = beside.folder / "files/sealed"
    folder.mkdir()
    (folder / "k").write_bytes(bytes(range(16)))
    (folder / "keys").write_text(f"k\n{folder}/k\n")
    # Several blocks of what is decrypted at once.
    subprocess.run(
        ["ffmpeg", "-nostdin", "-v", "error", "-f", "lavfi", "-i", "testsrc=size=320x180:rate=25", "-t", "4", "-c:v", "mpeg2video", "-qscale:v", "2", "-g",
         "25", "-f", "hls", "-hls_time", "1", "-hls_list_size", "0", "-hls_flags", "omit_endlist", "-hls_key_info_file", folder / "keys", folder / "v.m3u8"],
        check=True)
    beside.equal("it is encrypted", b"METHOD=AES-128" in (folder / "v.m3u8").read_bytes(), True)
    for number in range(4):
        segment = beside.get(f"en/{number}.vtt", base="/sealed/")
        found = (segment.status, texts(segment), abs((beside.map(number, base="/sealed/") or 0) - 126_000) < 4500)
        beside.equal(f"an encrypted stream's segment {number}", found, (200, [number] if number % 2 == 0 else [], True))


def check_full(beside):
    """What does not fit into the zone is not served, and not asked for again and again."""
    origin, equal = beside.origin, beside.equal
    # The memory is full of the one stream that asks for more, of which no version has come.
    origin.count = 8000
    check_refused(beside, "one that has not begun")
    origin.count = 5
    time.sleep(1.1)
    equal("a small one fits", beside.get("en.m3u8").status, 200)
    origin.count = 8000
    time.sleep(0.7)
    equal("what has grown", {beside.get("en.m3u8").status for _ in range(5)}, {503})
    equal("the log says why", "surtitle_live_zone has no room" in beside.nginx.log(), True)
    check_refused(beside, "one that has begun")
    beside.ask_for_many()
    time.sleep(1.1)
    origin.count = 9
    equal("when it fits again", wait_for(lambda: beside.get("en.m3u8").status == 200), True)
    # Another that grows takes nothing from one that somebody has just asked for.
    origin.count = 8000
    equal("another that has no room", beside.get("en.m3u8", base="/pinned/").status, 503)
    origin.status = 500
    equal("the one before is there", beside.get("en.m3u8").status, 200)
    equal("no complaint of nginx's own", "ngx_slab_alloc() failed" in beside.nginx.log(), False)


def check_refused(beside, name):
    asked, began = len(beside.origin.asked), time.monotonic()
    statuses = {beside.get("en.m3u8").status for _ in range(20)}
    beside.equal(f"{name}: at most one request a second", (statuses, len(beside.origin.asked) - asked <= time.monotonic() - began + 2), ({503}, True))


def check_refusals(report, scratch, module):
    """What a configuration may not say."""
    folder = scratch / "refused"
    (folder / "files").mkdir(parents=True)
    write_cues(folder / "files/live.vtt")
    (folder / "files/silent.vtt").write_text("WEBVTT\n")
    track, text = f"live=v.m3u8 at={date(BEGIN)}", sample()
    for was, is_now, words in (
        (track, "live=v.m3u8 at=noon", "at=noon"), (track, f"at={date(BEGIN)}", '"at" without "live"'),
        (track, "live=v.m3u8?a=b", "is no path"), (track, "live=no", "is no path"), (track, "live=/v.m3u8", "must begin with a slash"),
        ("live=v.m3u8 at=", "live=v at=", ""), ("files/live.vtt live=v.m3u8", "files/silent.vtt live=v", ""),
        ("uri=subs/en.m3u8", "uri=/subs/en.m3u8", "must begin with a slash"), ("uri=subs/en.m3u8", "uri=subs/e>n.m3u8", "live.vtt\": a number is not among"),
        (track, "live=v at=x", '"at=x" is neither a date'),
        (track, track + " duration=1m", '"live"'), (track, track + " map=auto video=v.m3u8", '"live"'),
        ("surtitle_live_zone channels:1m;", "", "needs \"surtitle_live_zone\""), ("channels:1m", "channels", "a colon and a size"),
        ("channels:1m", "channels:4k", "too small"), ("channels:1m;", "channels:1m; surtitle_live_zone b:1m;", "duplicate"),
    ):
        assert was in text, was
        complaint = Nginx(str(folder), module, 1, text.replace(was, is_now)).complaint()
        report.equal(f"live: {is_now}", (words if words and words in complaint else complaint, complaint.count("[emerg]")), (words, int(words != "")))
    report.equal("live: the sample is not", Nginx(str(folder), module, 1, text).complaint(), "")


def check_few(report, scratch, module, wrapper):
    """A part of it in one process under `wrapper`."""
    for name, kind in (("sliding", {"first": 900, "target": 2}), ("blocking", {"first": 7, "blocks": 2.6, "target": 2})):
        with Beside(report, scratch / "few", module, name, wrapper=wrapper, master=False, **kind) as beside:
            globals()[f"check_{name}"](beside)
            time.sleep(1)  # for what clients that left have left behind
