"""Names that the sources give and a guide has to have: limits, keys, exit statuses, options of the proxy, directives and variables of nginx,
functions of JavaScript. A table says where each kind is made, and which guide tells of it."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

SOURCES = Path(__file__).resolve().parents[2] / "Sources"


def read(path: str) -> str:
    return (SOURCES / path).read_text()


def found(path: str, pattern: str) -> list[str]:
    return re.findall(pattern, read(path), re.M)


def words_of(path: str, name: str) -> list[str]:
    """The cases of an enum as they are spelled."""
    body = re.search(rf"enum {name}\b[^{{]*{{\n(.*?)\n *}}", read(path), re.S)[1]
    lines = [line.strip()[5:] for line in body.splitlines() if line.strip().startswith("case ")]
    return [re.sub(r'^\w+ = "(.*)"$', r"\1", word) for line in lines for word in line.split(", ")]


def limits() -> list[str]:
    """`Type.name` of each public property of a type of limits."""
    named = []
    for file in sorted(SOURCES.rglob("*.swift")):
        text = file.read_text() if "NIOProxy" not in file.parts else ""
        for match in re.finditer(r"^( *)public struct (\w*Limits)\b.*?\{\n(.*?)^\1\}", text, re.M | re.S):
            outer = re.search(r"^extension (\w+)", text, re.M) if match[1] else None
            owner = f"{outer[1]}.{match[2]}" if outer else match[2]
            named += [f"{owner}.{name}" for name in re.findall(rf"^{match[1]}    public (?:var|let) (\w+): Int\b", match[3], re.M)]
    return named


def javascript() -> list[str]:
    text = "".join(file.read_text() for file in sorted((SOURCES / "WebAssembly/javascript").glob("*.d.mts")))
    return sorted(set(re.findall(r"^(?:export function |  )(\w+)\(", text, re.M)))


@dataclass
class Kind:
    what: str
    names: Callable[[], list[str]]
    guide: str
    # How the name stands there.
    form: str = "`{}`"


TRACK_KEYS, KEYS, POLICIES = "Sideload/Tracks/TrackKey.swift", "Delivery/Configuration/ConfigurationKey.swift", "Delivery/Policies/RoutePolicies.swift"
REFERENCE, CONFIGURATION = "surtitle/surtitle.docc/Reference.md", "surtitle/surtitle.docc/Configuration.md"
KINDS = [
    Kind("limit", limits, "Sideload/Sideload.docc/Limits.md"),
    Kind("key of a track", lambda: found(TRACK_KEYS, r'Row\(\s*"([a-z-]+)"'), REFERENCE, r"`{}[`=]"),
    Kind("key of a configuration", lambda: words_of(KEYS, "ConfigurationKey"), CONFIGURATION),
    Kind("limit of a configuration", lambda: words_of(KEYS, "LimitKey"), CONFIGURATION, r"[`\"]{}[`\"]"),
    *(Kind(f"word of {name}", lambda name=name: words_of(POLICIES, name), CONFIGURATION, "`\"{}\"`")
      for name in ("Probe", "Segments", "Variants", "Keys", "MissingTrack", "AppHeaders")),
    Kind("exit status", lambda: found("surtitle/Failure.swift", r"\bcase [^:]*: (\d)$") + ["0", "128 + *n*"], REFERENCE, r"^\| {}"),
    Kind("option of surtitle-proxy", lambda: found("NIOProxy/Sources/SurtitleProxy/Command/Options.swift", r"^ +(--[a-z-]+)"), "NIOProxy/README.md",
         r"{}(?![\w-])"),
    Kind("directive of nginx", lambda: found("NginxModule/ngx_http_surtitle_module.c", r'^    \{ngx_string\("(surtitle\w*)"\), (?:ANYWHERE|NGX_)'),
         "NginxModule/README.md", r"^### {}$"),
    Kind("variable of nginx", lambda: found("NginxModule/ngx_http_surtitle_variables.c", r'\{ngx_string\("(surtitle_\w+)"\)'), "NginxModule/README.md",
         r"`\${}`"),
    Kind("function of JavaScript", javascript, "WebAssembly/README.md", r"\b{}\("),
]


def untold() -> list[str]:
    """The names that their guide has not."""
    faults = []
    for kind in KINDS:
        names, guide = kind.names(), read(kind.guide)
        if not names:
            faults.append(f"no {kind.what} was found in the sources")
        for name in names:
            if not re.search(kind.form.replace("{}", re.escape(name)), guide, re.M):
                faults.append(f"{kind.guide} has no {kind.what} {name}")
    return faults


if __name__ == "__main__":
    for kind in KINDS:
        print(f"{kind.what}: {', '.join(kind.names())}")
    print("\n".join(untold()))
