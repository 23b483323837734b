"""Small playlists with what trips up who edits them as text, and what has to become of each: two tracks, en.m3u8 and sv.m3u8, put into it."""

import re
from dataclasses import dataclass
from typing import Callable

PLAIN = b'#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1000,CODECS="avc1.4d401f,mp4a.40.2"\nv.m3u8\n'
LINE = re.compile(rb"(#EXT-X-STREAM-INF:)([^\r\n]*)(\r?)(?=\n|$)")
ATTRIBUTE = re.compile(rb'([A-Z0-9-]+)=("[^"]*"|[^,"]*)(?:,|$)')


def attributes(line: bytes) -> list[tuple[bytes, bytes]]:
    """The attributes of a list; commas in quotes separate nothing."""
    return ATTRIBUTE.findall(line)


def variants(text: bytes) -> list[list[tuple[bytes, bytes]]]:
    return [attributes(match[2]) for match in LINE.finditer(text)]


def renditions(text: bytes) -> list[dict[bytes, bytes]]:
    lines = [line.rstrip(b"\r") for line in text.split(b"\n")]
    return [values for line in lines if line.startswith(b"#EXT-X-MEDIA:")
            if (values := dict(attributes(line[13:]))).get(b"TYPE") == b"SUBTITLES"]


def is_sideloaded(before: bytes, after: bytes) -> bool:
    """Whether each variant has one SUBTITLES attribute, and each group that one names has both tracks, under names of their own."""
    members: dict[bytes, list[dict[bytes, bytes]]] = {}
    for rendition in renditions(after):
        members.setdefault(rendition.get(b"GROUP-ID", b""), []).append(rendition)
    if not variants(after) or len(variants(after)) != len(variants(before)):
        return False
    for variant in variants(after):
        groups = [value for name, value in variant if name == b"SUBTITLES"]
        if len(groups) != 1:
            return False
        group = members.get(groups[0], [])
        names = [rendition.get(b"NAME") for rendition in group]
        if not {b'"en.m3u8"', b'"sv.m3u8"'} <= {rendition.get(b"URI") for rendition in group} or len(set(names)) != len(names):
            return False
    return True


def rest(text: bytes) -> bytes:
    """What nobody asked to change: without SUBTITLES attributes and the tags of subtitles."""
    lines = [re.sub(rb',SUBTITLES="[^"]*"|SUBTITLES="[^"]*",', b"", line) if line.startswith(b"#EXT-X-STREAM-INF") else line
             for line in text.split(b"\n") if not (line.startswith(b"#EXT-X-MEDIA:") and b"TYPE=SUBTITLES" in line)]
    return b"\n".join(lines).rstrip(b"\r\n")


@dataclass
class Case:
    name: str
    text: bytes
    # Whether what came out is right.
    check: Callable[[bytes, bytes], bool] = lambda before, after: is_sideloaded(before, after) and rest(before) == rest(after)


CASES = [
    Case("the attributes and tags are there", PLAIN, is_sideloaded),
    Case("all other bytes of a plain playlist stay", PLAIN),
    Case("lines end in CRLF", PLAIN.replace(b"\n", b"\r\n")),
    Case("no line ending at the end", PLAIN[:-1]),
    Case("unknown tags, attributes, white space and comments stay",
         PLAIN.replace(b"BANDWIDTH", b"X-OWN=0x1F,BANDWIDTH").replace(b"#EXT-X-ST", b"# a  comment\n#EXT-X-OWN:a = b\n\n#EXT-X-ST")),
    Case("a byte that is not UTF-8 stays", PLAIN.replace(b"#EXT-X-ST", b"# caf\xe9\n#EXT-X-ST")),
    Case("a variant with a group of its own keeps it, and the group gets the tracks",
         PLAIN.replace(b"BANDWIDTH", b'SUBTITLES="own",BANDWIDTH').replace(
             b"#EXT-X-ST", b'#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="own",NAME="Suomi",LANGUAGE="fi",URI="fi.m3u8"\n#EXT-X-ST'), is_sideloaded),
    Case("two groups of its own both get the tracks",
         PLAIN.replace(b"BANDWIDTH", b'SUBTITLES="a",BANDWIDTH') + PLAIN[8:].replace(b"BANDWIDTH", b'SUBTITLES="b",BANDWIDTH') +
         b"".join(b'#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="%c",NAME="Suomi",LANGUAGE="fi",URI="fi.m3u8"\n' % group for group in b"ab"), is_sideloaded),
    Case("a name that the group has already is not given again",
         PLAIN.replace(b"BANDWIDTH", b'SUBTITLES="own",BANDWIDTH').replace(
             b"#EXT-X-ST", b'#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="own",NAME="English",LANGUAGE="en",URI="old.m3u8"\n#EXT-X-ST'), is_sideloaded),
    Case("SUBTITLES= inside a quoted value is no attribute", PLAIN.replace(b"BANDWIDTH", b'NAME="a,SUBTITLES=b",BANDWIDTH')),
    Case("a media playlist passes as it is", b"#EXTM3U\n#EXT-X-TARGETDURATION:6\n#EXTINF:6,\na.ts\n#EXT-X-ENDLIST\n", bytes.__eq__),
    Case("a page with an error passes as it is", b"<html>\n#EXT-X-STREAM-INF:BANDWIDTH=1\n</html>\n", bytes.__eq__),
]
