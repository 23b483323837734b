"""What is compared with what."""

import dataclasses

# The playlists: multivariant ones of so many bytes, or a few more or less, and a low-latency media playlist, which nothing edits.
SIZES = {"2.8 KB": 2_800, "100 KB": 100_000, "1 MB": 1 << 20, "100 KB media": "media"}
HUGE = 16 << 20  # more than the system takes of what nobody reads


@dataclasses.dataclass(frozen=True)
class Way:
    """How a playlist reaches its client. Figures are compared with those of the ways of the same group that are called `passing`."""

    group: str
    name: str
    server: str
    path: str
    is_edited: bool = True
    is_noise: bool = False  # passing through once more

    def url(self, playlist):
        """The path of a playlist of SIZES, or of HUGE."""
        return f"{self.path}{playlist}.m3u8"

    def takes(self, size):
        """Whether the way is measured with that playlist: nobody lets sub_filter look at media playlists."""
        return self.name != "sub_filter" or size != "100 KB media"


WAYS = (
    Way("nginx, files", "passing", "nginx", "/files/pass/", is_edited=False),
    Way("nginx, files", "passing, sendfile off", "nginx", "/files/copied/", is_edited=False),
    Way("nginx, files", "module", "nginx", "/files/module/"),
    Way("nginx, files", "module, nothing kept", "nginx", "/files/uncached/"),
    Way("nginx, files", "sub_filter", "nginx", "/files/sub_filter/"),
    Way("nginx, files", "passing again", "nginx", "/files/pass/", is_edited=False, is_noise=True),
    Way("nginx, proxied", "passing", "nginx", "/proxied/pass/", is_edited=False),
    Way("nginx, proxied", "module", "nginx", "/proxied/module/"),
    Way("nginx, proxied", "sub_filter", "nginx", "/proxied/sub_filter/"),
    Way("nginx, proxied", "passing again", "nginx", "/proxied/pass/", is_edited=False, is_noise=True),
    Way("nginx, proxied, tuned", "passing", "nginx", "/tuned/pass/", is_edited=False),
    Way("nginx, proxied, tuned", "module", "nginx", "/tuned/module/"),
    Way("nginx, proxied, tuned", "passing again", "nginx", "/tuned/pass/", is_edited=False, is_noise=True),
    Way("SwiftNIO", "passing", "nio-pass", "/", is_edited=False),
    Way("SwiftNIO", "surtitle-proxy", "nio", "/"),
    Way("SwiftNIO", "passing again", "nio-pass", "/", is_edited=False, is_noise=True),
)
