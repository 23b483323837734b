"""surtitle_serve: files of tracks, alone and inside of pages, and requests that are no plain GET."""

import email.utils
import re
import shutil

LOCATIONS = """
        location /files/ {
            surtitle_serve on;
            surtitle_track uri=/files/what%3F.m3u8 language=en file=@prefix@/files/made/film.srt;
            surtitle_track uri=/files/bare.m3u8 language=sv file=@prefix@/files/made/bare.vtt map=900000 duration=1h;
            surtitle_track uri=/files/long.m3u8 language=de file=@prefix@/files/made/long.vtt;
            surtitle_track uri=/files/few.m3u8 language=fr file=@prefix@/files/made/few.vtt;
            location /files/opened/ {
                open_file_cache max=10 inactive=60s;
                open_file_cache_valid 60s;
                open_file_cache_errors on;
                surtitle_track uri=opened.m3u8 language=en file=@prefix@/files/made/opened.vtt;
                surtitle_track uri=missing.m3u8 language=sv file=@prefix@/files/made/missing.vtt;
            }
        }
        location /hidden/ { proxy_pass http://origin/; proxy_hide_header Content-Type; }
        location /endsub/ { proxy_pass http://origin/; sub_filter_types *; sub_filter 'm3u8"\nEND' nothing; }
"""


def make(folder):
    made = folder / "made"
    (made / "bare.vtt").write_text("WEBVTT")
    # The cue that ends last stands several blocks before the end.
    (made / "long.vtt").write_text("WEBVTT\n\n00:01.000 --> 01:02:03.000\na\n\n" + ("NOTE " + 90 * "b" + "\n\n") * 2000)
    for name in ("few", "opened", "missing"):
        shutil.copyfile(folder / "sample/en.vtt", made / f"{name}.vtt")


def check(report, nginx, library, folder):
    check_files(report, nginx, library, folder)
    check_fields(report, nginx, folder)
    check_few_bytes(report, nginx, folder)
    check_opened(report, nginx, folder)
    check_pages(report, nginx, folder)
    check_requests(report, nginx)
    check_torn(report, nginx, folder)


def check_files(report, nginx, library, folder):
    film, long = folder / "made/film.srt", folder / "made/long.vtt"
    report.equal("a path with escapes", nginx.curl("/files/what%3F.vtt").body[:7], b"WEBVTT\n")
    report.equal("its playlist", nginx.curl("/files/what%3F.m3u8").body, library.run("playlist", film, "--uri", "what%3F.vtt"))
    report.equal("a long file's playlist", nginx.curl("/files/long.m3u8").body, library.run("playlist", long, "--uri", "long.vtt"))
    report.equal("a long file", nginx.curl("/files/long.vtt").body == long.read_bytes(), True)
    expected = library.run("playlist", "--duration", "3600", "--uri", "bare.vtt")
    report.equal("a duration that is said", nginx.curl("/files/bare.m3u8").body, expected)
    report.equal("a map behind the only line", nginx.curl("/files/bare.vtt").body, b"WEBVTT\nX-TIMESTAMP-MAP=LOCAL:00:00:00.000,MPEGTS:900000\n")
    for path in ("/serve/a/serve/subs/film.vtt", "/files/a/files/long.vtt", "/files/a/files/long.m3u8"):
        report.equal(f"{path} is nobody's", nginx.curl(path).status, 404)


def check_fields(report, nginx, folder):
    """The time is the file's, and a tag has a form."""
    for path, name in (("/o/subs/en.vtt", "sample/en.vtt"), ("/o/subs/en.m3u8", "sample/en.vtt"), ("/o/subs/sv.vtt", "sample/sv.vtt"),
                       ("/serve/subs/film.vtt", "made/film.srt"), ("/serve/subs/film.m3u8", "made/film.srt"), ("/serve/subs/later.vtt", "sample/en.vtt")):
        answer = nginx.curl(path)
        report.equal(f"{path}: Last-Modified", answer["last-modified"], email.utils.formatdate((folder / name).stat().st_mtime, usegmt=True))
        form = '"[0-9a-f]+-[0-9a-f]+"' if path.endswith("/en.vtt") else '"[0-9a-f]{16}"'
        report.equal(f"{path}: ETag {answer['etag']}", bool(re.fullmatch(form, answer["etag"])), True)


def check_few_bytes(report, nginx, folder):
    """What a file has become since the configuration was read."""
    (folder / "made/page-of-files.html").write_text('a<!--#include virtual="/files/few.vtt" -->b<!--#include virtual="/files/few.m3u8" -->c')
    playlist = nginx.curl("/files/few.m3u8").body
    file = folder / "made/few.vtt"
    whole = file.read_bytes()
    for text in (b"W", b"", whole):
        file.write_bytes(text)
        answer = nginx.curl("/files/few.vtt")
        report.equal(f"{len(text)} bytes", (answer.curl, answer.status, answer["content-length"], answer.body), (0, 200, str(len(text)), text))
        page = nginx.curl("/page/made/page-of-files.html", "--http1.0")
        report.equal(f"{len(text)} bytes in a page", (page.curl, page.body), (0, b"a" + text + b"b" + playlist + b"c"))


def check_opened(report, nginx, folder):
    """open_file_cache holds for files of tracks: what it knows is not looked at again."""
    path, away = folder / "made/opened.vtt", folder / "made/opened-away.vtt"
    missing, there = folder / "made/missing.vtt", folder / "made/missing-away.vtt"
    text = path.read_bytes()
    missing.rename(there)
    for _ in range(12):  # so that each worker has been
        report.equal("it is opened", nginx.curl("/files/opened/opened.vtt").body, text)
        report.equal("it is not there", nginx.curl("/files/opened/missing.vtt").status, 404)
    path.rename(away)
    there.rename(missing)
    report.equal("it stays open", (nginx.curl("/files/opened/opened.vtt").body, nginx.curl("/files/opened/missing.vtt").status), (text, 404))
    away.rename(path)


# What is put into one page, each asked for alone as well.
IN_PAGES = (
    "/serve/subs/film.vtt", "/serve/subs/film.m3u8", "/o/subs/en.vtt", "/maps/video/subs/en.vtt", "/nocache/made/large.m3u8", "/static/made/over.m3u8",
    "/static/made/small.m3u8", "/o/chunked/made/beyond.m3u8", "/o/untyped/made/small.m3u8", "/o/untyped/made/empty.m3u8", "/o/length/made/media.m3u8",
    "/o/length/made/empty.m3u8", "/o/chunked/made/empty.m3u8", "/static/made/empty.m3u8", "/o/chunked/made/short.m3u8",
    "/untyped/made/one.m3u8", "/o/untyped/made/twelve.m3u8", "/untyped/made/short.m3u8",
    "/small/made/held.m3u8", "/unbuffered/chunked/made/held.m3u8", "/unbuffered/slow/made/small.m3u8", "/endsub/chunked/made/small.m3u8",
    "/endsub/length/made/small.m3u8", "/endsub/length/sample/master.m3u8")


def check_pages(report, nginx, folder):
    """A page goes on behind what is included, which ends where it ends."""
    bodies = {path: nginx.curl(path).body for path in IN_PAGES}
    for name, paths in [(f"page-{number}", [path]) for number, path in enumerate(IN_PAGES)] + [("page-of-all", IN_PAGES)]:
        (folder / f"made/{name}.html").write_text("".join(f'<p><!--#include virtual="{path}" --></p>\n' for path in paths))
        expected = b"".join(b"<p>" + bodies[path] + b"</p>\n" for path in paths)
        for version in ("--http1.1", "--http1.0"):  # without chunks nginx looks at every buffer
            page = nginx.curl(f"/page/made/{name}.html", version)
            report.equal(f"{paths if len(paths) == 1 else 'all'} in a page, {version}", (page.curl, page.body == expected), (0, True))


def check_requests(report, nginx):
    """Nothing follows the head that HEAD asks for, and a body that is malformed is refused."""
    for path in IN_PAGES:
        head, _, rest = nginx.raw(f"HEAD {path} HTTP/1.1").partition(b"\r\n\r\n")
        report.equal(f"HEAD {path}", (head[:12], rest), (b"HTTP/1.1 200", b""))
    for path in ("/serve/subs/film.vtt", "/o/subs/en.vtt"):
        answer = nginx.raw(f"GET {path} HTTP/1.1", "Transfer-Encoding: chunked", body=b"zz\r\n\r\n")
        report.equal(f"{path}: a malformed body", answer[:12], b"HTTP/1.1 400")


def check_torn(report, nginx, folder):
    """What breaks off while it is looked at: the bytes that have come, and it is counted once they tell a playlist."""
    for count in (1, 7, 8, 12, 13):
        before = int(nginx.curl("/totals").body.split()[3])
        answer = nginx.curl(f"/hidden/tornchunked-{count}/made/small.m3u8")
        told = int(nginx.curl("/totals").body.split()[3]) - before
        expected = (18, 200, (folder / "made/small.m3u8").read_bytes()[:count], int(count > 6))
        report.equal(f"{count} bytes that are looked at", (answer.curl, answer.status, answer.body, told), expected)
