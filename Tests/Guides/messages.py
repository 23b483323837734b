"""The messages of the command, the library and the proxy, read from the sources: what Messages.md lists.

A message is a string literal in a call that tells or throws one, or in a property `message` or `words` of an error. Literals that `+` joins are one;
what is put into them is `…`.
"""

import re
from pathlib import Path

SOURCES = Path(__file__).resolve().parents[2] / "Sources"
# Fewer words than these are names and units, no messages.
LEAST_WORDS = 3
LIBRARY = ["ByteScan", "Encodings", "M3U8", "WebVTT", "Sideload", "Delivery"]


def parts(source: str, start: int) -> tuple[list[str], int]:
    """The texts of the literals from `start`, which is behind an opening bracket, to the bracket that closes it, and where that is."""
    found: list[str] = []
    depth, at, end_of_last = 1, start, -1
    while at < len(source) and depth > 0:
        if source.startswith("//", at):
            at = source.index("\n", at)
        elif source[at] == '"':
            text, at_end = literal(source, at)
            between = source[end_of_last:at].strip() if end_of_last >= 0 else ""
            if between == "+":
                found[-1] += text
            elif between.startswith("+") and between.endswith("+"):
                found[-1] += "…" + text
            else:
                found.append(text)
            at = end_of_last = at_end
        else:
            depth += {"(": 1, "{": 1, "[": 1, ")": -1, "}": -1, "]": -1}.get(source[at], 0)
            at += 1
    return found, at


def literal(source: str, start: int) -> tuple[str, int]:
    """The text of the literal whose quote is at `start`, and where it ends."""
    quote = '"""' if source.startswith('"""', start) else '"'
    at, text = start + len(quote), ""
    while not source.startswith(quote, at):
        if source.startswith("\\(", at):
            _, at = parts(source, at + 2)
            text += "…"
        elif source[at] == "\\":
            text += {"n": " ", "t": " "}.get(source[at + 1], source[at + 1])
            at += 2
        else:
            text += source[at]
            at += 1
    return text, at + len(quote)


def in_calls(folder: str, *calls: str) -> set[str]:
    """The messages in calls of these names, each a pattern with its opening bracket."""
    found: set[str] = set()
    for file in sorted((SOURCES / folder).rglob("*.swift")):
        source = file.read_text()
        for call in re.finditer("|".join(calls), source):
            if re.search(r"func \w*$", source[:call.end() - 1].rsplit("\n", 1)[-1]):
                continue
            found |= set(parts(source, call.end())[0])
    return told(found)


def of_errors(folder: str) -> set[str]:
    found: set[str] = set()
    for file in sorted((SOURCES / folder).rglob("*.swift")):
        source = file.read_text()
        for body in re.finditer(r"var (?:message|words|text): (?:Message|StaticString|String) \{", source):
            found |= set(parts(source, body.end())[0])
    return told(found)


def told(found: set[str]) -> set[str]:
    tidy = {re.sub(r"(?:…[\s]*)+", lambda run: "… " if run[0].endswith(" ") else "…", re.sub(r"\s+", " ", text)).strip() for text in found}
    # What names a place or begins a sentence is no message by itself.
    whole = {re.sub(r"^(?:…: )+", "", text) for text in tidy}
    fragment = re.compile(r",|and |.*:$")
    return {text for text in whole if len(re.findall(r"[A-Za-z]{2,}", text)) >= LEAST_WORDS and not fragment.match(text)}


def sections() -> list[tuple[str, str, set[str]]]:
    """A heading, what stands below it, and messages."""
    usage = in_calls("surtitle", r"\.usage\(")
    refused = in_calls("surtitle", r"\.refused\(")
    notes = in_calls("surtitle", r"Console\.note\(", r"Console\.tell\(")
    broken = in_calls("surtitle/Checks", r"\bbroken\(")
    doubtful = in_calls("surtitle/Checks", r"\bdoubtful\(") | in_calls("surtitle/Commands", r"\bdoubtful\(")
    library = set().union(*(of_errors(module) for module in LIBRARY))
    proxy = in_calls("NIOProxy/Sources", r"CommandError\(", r"\bsay\(")
    return [
        ("Status 2: what was asked for", "", usage),
        ("Status 1: what was read", "Behind `…` may stand what the library says, below.", refused),
        ("Notes", "All is done, and the status is 0.", notes),
        ("What check calls broken", "Its status is then 1. The clause stands in the message.", broken),
        ("What check notes", "", doubtful),
        ("What the library says", "The command, the C library, nginx, JavaScript and the proxy say it in these words, behind the place.",
         library),
        ("What surtitle-proxy says when it starts", "", proxy),
    ]


def guide() -> str:
    """Messages.md."""
    lines = ["# Every message", "", "The messages of `surtitle`, of the library and of `surtitle-proxy`, as their sources have them.", "",
             "`…` stands for what differs from case to case. Behind a semicolon stands what to do. [Troubleshooting](Troubleshooting.md) explains those",
             "that need more words. This list is made from the sources by `Tests/Guides/check.py --write`."]
    for heading, text, messages in sections():
        lines += ["", f"## {heading}", ""]
        if text:
            lines += [text, ""]
        lines += [f"- `{message.replace('`', '')}`" for message in sorted(messages, key=lambda message: (message.lstrip("… ").lower(), message))]
    return "\n".join(lines) + "\n"


def proxy_help() -> str:
    """What `surtitle-proxy --help` prints."""
    source = (SOURCES / "NIOProxy/Sources/SurtitleProxy/Command/Options.swift").read_text()
    return re.sub(r"^        ", "", re.search(r'usage = """\n(.*?)\n *"""', source, re.S)[1], flags=re.M)


if __name__ == "__main__":
    print(guide(), end="")
