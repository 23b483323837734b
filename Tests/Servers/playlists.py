"""Playlists for servers to serve."""


def master(count):
    """A multivariant playlist of so many variants: 146 bytes each, or a little more."""
    lines = ["#EXTM3U", "#EXT-X-VERSION:6"]
    for number in range(count):
        lines.append(
            f"#EXT-X-STREAM-INF:BANDWIDTH={1_000_000 + number},AVERAGE-BANDWIDTH={900_000 + number},"
            'CODECS="avc1.640028,mp4a.40.2",RESOLUTION=1920x1080,FRAME-RATE=29.970')
        lines.append(f"video/{number:05}/index.m3u8")
    return "\n".join(lines) + "\n"


def is_abandoned(plain, whole, body):
    """Whether a body is what a playlist becomes of which some beginning came."""
    lines = body.split(b"\n")
    last = plain.split(b"\n")[len(lines) - 1]
    return lines[:-1] == whole.split(b"\n")[:len(lines) - 1] and last.startswith(lines[-1])


def abandoned(plain, whole, count):
    """What a playlist becomes of which only `count` bytes come: whole lines edited, the torn one as it came, nothing appended."""
    lines = plain[:count].split(b"\n")
    return b"\n".join(whole.split(b"\n")[:len(lines) - 1] + lines[-1:])
