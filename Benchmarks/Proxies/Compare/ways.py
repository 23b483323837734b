"""What is compared with what."""

import dataclasses

SIZES = {"2.8 KB": 2_800, "100 KB": 100_000, "1 MB": 1 << 20}  # bytes, or a few more or less
HUGE = 16 << 20  # more than the system takes of what nobody reads


@dataclasses.dataclass(frozen=True)
class Way:
    """How a playlist reaches its client. Figures are compared with those of `passing` of the same group."""

    group: str
    name: str
    server: str
    path: str
    is_edited: bool = True
    is_noise: bool = False  # passing through once more

    def url(self, count):
        """The path of the playlist of so many bytes."""
        return f"{self.path}{count}.m3u8"


WAYS = (
    Way("nginx, files", "passing", "nginx", "/files/pass/", is_edited=False),
    Way("nginx, files", "module", "nginx", "/files/module/"),
    Way("nginx, files", "module, nothing kept", "nginx", "/files/uncached/"),
    Way("nginx, files", "sub_filter", "nginx", "/files/sub_filter/"),
    Way("nginx, files", "passing again", "nginx", "/files/pass/", is_edited=False, is_noise=True),
    Way("nginx, proxied", "passing", "nginx", "/proxied/pass/", is_edited=False),
    Way("nginx, proxied", "module", "nginx", "/proxied/module/"),
    Way("nginx, proxied", "sub_filter", "nginx", "/proxied/sub_filter/"),
    Way("nginx, proxied", "passing again", "nginx", "/proxied/pass/", is_edited=False, is_noise=True),
    Way("SwiftNIO", "passing", "nio-pass", "/", is_edited=False),
    Way("SwiftNIO", "surtitle-proxy", "nio", "/"),
    Way("SwiftNIO", "passing again", "nio-pass", "/", is_edited=False, is_noise=True),
)
