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


def low_latency_media(size):
    """A low-latency media playlist of at least so many bytes: twelve parts a segment, one segment under way."""
    lines = ["#EXTM3U", "#EXT-X-VERSION:10", "#EXT-X-TARGETDURATION:4",
             "#EXT-X-SERVER-CONTROL:CAN-BLOCK-RELOAD=YES,PART-HOLD-BACK=1.002,CAN-SKIP-UNTIL=24.0", "#EXT-X-PART-INF:PART-TARGET=0.334",
             "#EXT-X-MEDIA-SEQUENCE:310500", '#EXT-X-MAP:URI="init.mp4"']
    number, length = 310_500, 0
    while length < size:
        more = [f'#EXT-X-PART:DURATION=0.33334,URI="filePart{number}.{part}.m4s"{",INDEPENDENT=YES" if part % 6 == 0 else ""}' for part in range(12)]
        more += ["#EXTINF:4.00008,", f"fileSequence{number}.m4s"]
        length += sum(len(line) + 1 for line in more)
        lines += more
        number += 1
    lines += [f'#EXT-X-PART:DURATION=0.33334,URI="filePart{number}.{part}.m4s"' for part in range(3)]
    return "\n".join([*lines, f'#EXT-X-PRELOAD-HINT:TYPE=PART,URI="filePart{number}.3.m4s"']) + "\n"


def is_abandoned(plain, whole, body):
    """Whether a body is what a playlist becomes of which some beginning came."""
    lines = body.split(b"\n")
    last = plain.split(b"\n")[len(lines) - 1]
    return lines[:-1] == whole.split(b"\n")[:len(lines) - 1] and last.startswith(lines[-1])


def abandoned(plain, whole, count):
    """What a playlist becomes of which only `count` bytes come: whole lines edited, the torn one as it came, nothing appended."""
    lines = plain[:count].split(b"\n")
    return b"\n".join(whole.split(b"\n")[:len(lines) - 1] + lines[-1:])
