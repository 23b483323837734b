"""What no clock decides: the bytes that come out, and how often the system is asked to write."""

from servers import sideloaded, writes
from ways import SIZES

REQUESTS = 100

# The most writes a request: the response's and, of proxied ones, the request's to the origin. Of what passes they are as what comes is cut; for 100 KB
# the client's window may cut too.
MOST_WRITES = {
    ("nginx, files", "module"): {"2.8 KB": 1, "100 KB": 4},
    ("nginx, files", "module, nothing kept"): {"2.8 KB": 1, "100 KB": 4},
    ("nginx, proxied", "module"): {"2.8 KB": 2},
    ("SwiftNIO", "surtitle-proxy"): {"2.8 KB": 2},
}


def check_bytes(ways, running, texts):
    """What is wrong with what comes out."""
    wrong = []
    for way in ways:
        for size, text in texts.items():
            if way.name == "sub_filter":
                continue  # Nobody says where it puts the tags.
            expected = sideloaded(text) if way.is_edited and "#EXT-X-STREAM-INF" in text else text
            for _ in range(2):
                if running[way.server].get(way.url(SIZES[size])) != expected:
                    wrong.append(f"{way.group}, {way.name}, {size}: not the bytes that it should be")
                    break
    return wrong


def check_writes(ways, running):
    """Which ways write more often than they may."""
    wrong = []
    for way in ways:
        for size, most in MOST_WRITES.get((way.group, way.name), {}).items():
            server = running[way.server]
            before = writes(server.process.pid)
            for _ in range(REQUESTS):
                server.get(way.url(SIZES[size]))
            count = (writes(server.process.pid) - before) / REQUESTS
            print(f"{way.group}, {way.name}, {size}: {count:g} writes a request, {most} at most")
            if count > most:
                wrong.append(f"{way.group}, {way.name}, {size}: {count:g} writes a request, more than {most}")
    return wrong
