"""What a track's file makes the proxy ask its origin for: the video's first time stamp is found out once, for all who ask."""

import concurrent.futures
import signal

from origin import Origin
from surtitle_proxy import SurtitleProxy


def segment(ticks):
    """A segment of packed audio with that first time stamp."""
    frame = b"com.apple.streaming.transportStreamTimestamp\0" + ticks.to_bytes(8, "big")
    tag = b"PRIV" + len(frame).to_bytes(4, "big") + b"\0\0" + frame
    return b"ID3\4\0\0" + bytes([0, 0, len(tag) >> 7, len(tag) & 127]) + tag + b"\xff\xf1\x50\x80\x02\x1f\xfc" * 40


def write_video(folder, ticks, end="#EXT-X-ENDLIST\n"):
    folder.mkdir(exist_ok=True)
    (folder / "master.m3u8").write_text("#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nvideo.m3u8\n")
    (folder / "video.m3u8").write_text(f"#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXTINF:4,\n0.aac\n#EXTINF:4,\n1.aac\n{end}")
    (folder / "0.aac").write_bytes(segment(ticks))


def file_of(video, track="en", way="length"):
    return f"/.surtitle/%2F{way}%2F{video}%2Fmaster.m3u8/track/{track}.vtt"


def check(report, command, scratch):
    files = scratch / "videos"
    files.mkdir()
    for track in ("en", "sv"):
        (scratch / f"{track}.vtt").write_text("WEBVTT\n\n00:01.000 --> 00:02.000\nHello\n")
    (scratch / "own.vtt").write_text("WEBVTT\nX-TIMESTAMP-MAP=LOCAL:00:00:00.000,MPEGTS:7\n\n00:01.000 --> 00:02.000\nHello\n")
    write_video(files / "film", 900_000)
    write_video(files / "live", 900_000, "")
    write_video(files / "odd", 900_000)
    (files / "odd/0.aac").write_bytes(b"nothing" * 40)
    origin = Origin(files)
    specs = [part for track, language in (("en", "en"), ("sv", "sv"), ("own", "de"))
             for part in ("--track", f"uri={track}.vtt,language={language},name={track},file={scratch}/{track}.vtt")]
    config = ["--origin", f"http://127.0.0.1:{origin.port}", "--threads", "2", *specs]
    with SurtitleProxy(command, scratch / "kept.log", *config) as proxy:

        def asked(path):
            """The answer, and what the origin was asked for meanwhile."""
            before = len(origin.requests)
            body = proxy.curl(path).body
            return body, [target.rpartition("/")[2] for target, _ in origin.requests[before:]]

        whole = ["master.m3u8", "video.m3u8", "0.aac"]
        first, requests = asked(file_of("film"))
        report.equal("the first who asks: the map, by three requests", (b"MPEGTS:900000" in first, requests), (True, whole))
        report.equal("whoever asks then: by none", [asked(file_of("film")) for _ in range(3)], [(first, [])] * 3)
        report.equal("for another track: by none", asked(file_of("film", "sv")), (first, []))
        body, requests = asked(file_of("odd", "de"))
        report.equal("a file with a map of its own: by none", (b"MPEGTS:7" in body, requests), (True, []))

        before = len(origin.requests)
        with concurrent.futures.ThreadPoolExecutor(20) as pool:
            bodies = list(pool.map(lambda _: proxy.curl(file_of("film", way="slow")).body, range(20)))
        report.equal("twenty at once, on two event loops: three requests", (set(bodies), len(origin.requests) - before), ({first}, 3))

        report.equal("beside a window that slides: each time anew", [asked(file_of("live"))[1] for _ in range(2)], [whole] * 2)
        report.equal("no time stamp: kept too", [(b"MPEGTS" in body, requests) for body, requests in (asked(file_of("odd")), asked(file_of("odd")))],
                     [(False, whole), (False, [])])
        report.equal("no video: asked for each time", [asked(file_of("later"))[1] for _ in range(2)], [["master.m3u8"]] * 2)
        write_video(files / "later", 180_000)
        report.equal("and there at once", b"MPEGTS:180000" in asked(file_of("later"))[0], True)

        write_video(files / "film", 450_000)
        report.equal("a video that has changed: not before its time", asked(file_of("film")), (first, []))
        told = proxy.log().count("read again")
        proxy.process.send_signal(signal.SIGHUP)
        proxy.wait_for(lambda: proxy.log().count("read again") > told)
        body, requests = asked(file_of("film"))
        report.equal("or SIGHUP", (b"MPEGTS:450000" in body, requests), (True, whole))
    origin.stop()
