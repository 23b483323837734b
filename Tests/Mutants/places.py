"""Where small faults may be planted in the sources, found by tokens, without parsing an expression.

    a < b                     a ∑ b                           an operator of its own, as strong as the one it stands for
    a..<b                     a∑b                             the same
    64                        mutant(17, 64, 65)
    if a, b {                 if !mutant(17), a, b {          or its last part the other way round: if a, b ∑ true {
    a ? b : c                 a ∑ true ? b : c                ∑ is weaker than || and stronger than ?:
    total += 1                if !mutant(17) { total += 1 }

Declarations, patterns, comments, strings and attributes are left out. What is found may still not compile: planting.py takes
that out. To add a kind of fault: a few lines in `_swift` or `_c`; an operator: a line in OPERATORS.
"""

import dataclasses
import hashlib
import pathlib
import re
import subprocess
from collections.abc import Iterator

ROOT = pathlib.Path(__file__).resolve().parents[2]
# Those that are built upon come first. Of WebAssembly nothing: it is JavaScript.
MODULES = (
    "CByteScan", "ByteScan", "M3U8", "WebVTT", "Encodings", "Sideload", "Delivery", "surtitle", "SurtitleC", "CSurtitle",
    "SideloadAVFoundation", "NIOProxy", "NginxModule")
# No sources of a module: manifests, tests and checks of a package inside, C for other processors, what is declared for C, examples to copy.
_ELSEWHERE = re.compile(r"/(?:Package\.swift|Tests/|Fuzz/|arch/|CSurtitle/include/|examples/)")
# What is done where nginx has no memory left: no test brings it there.
_NO_MEMORY = re.compile(r"== NULL\) return (?:NULL|NGX_(?:CONF_)?ERROR|NGX_HTTP_INTERNAL_SERVER_ERROR);$")
# What a release build, in which faults are planted, leaves out.
_DEBUG_ONLY = re.compile(r"^\s*assert\(")
# What is not compiled here.
_NOT_HERE = re.compile(
    r"^\s*#if(?:def __wasm__| (?:canImport\((?:ObjectiveC|Darwin|CommonCrypto)\)|hasFeature\(Embedded\)|\(NGX_DARWIN\)))\s*$")
# What has all that is tested, and nothing in its other branch.
_ALL_OF_IT = re.compile(r"^\s*#(?:ifdef SURTITLE_HOOKS|if !hasFeature\(Embedded\)|if BYTESCAN_X86)\s*$")
# A bit field, whose width is no expression.
_BIT_FIELD = re.compile(r"\w:\d+;")

# An operator, the one it becomes, what its operands are, and how strong it is.
OPERATORS = {
    "<": ("<=", "Comparable", "Comparison"), "<=": ("<", "Comparable", "Comparison"),
    ">": (">=", "Comparable", "Comparison"), ">=": (">", "Comparable", "Comparison"),
    "==": ("!=", "Equatable", "Comparison"), "!=": ("==", "Equatable", "Comparison"),
    "&&": ("||", "Bool", "LogicalConjunction"), "||": ("&&", "Bool", "LogicalDisjunction"),
    "+": ("-", "AdditiveArithmetic", "Addition"), "-": ("+", "AdditiveArithmetic", "Addition"),
    "&+": ("&-", "FixedWidthInteger", "Addition"), "&-": ("&+", "FixedWidthInteger", "Addition"),
    "|": ("&", "BinaryInteger", "Addition"), "&": ("|", "BinaryInteger", "Multiplication"),
    "*": ("+", "BinaryInteger", "Multiplication"), "/": ("*", "BinaryInteger", "Multiplication"),
    "%": ("/", "BinaryInteger", "Multiplication"),
    "<<": (">>", "BinaryInteger", "BitwiseShift"), ">>": ("<<", "BinaryInteger", "BitwiseShift"),
    "+=": ("-=", "AdditiveArithmetic", "Assignment"), "-=": ("+=", "AdditiveArithmetic", "Assignment"),
    "&+=": ("&-=", "FixedWidthInteger", "Assignment"), "&-=": ("&+=", "FixedWidthInteger", "Assignment"),
    "|=": ("&=", "BinaryInteger", "Assignment"), "&=": ("|=", "BinaryInteger", "Assignment"),
}
_OPERATOR = re.compile(
    "(?<= )(" + "|".join(re.escape(sign) for sign in sorted(OPERATORS, key=len, reverse=True)) + r")(?= \S)")
_RANGE = re.compile(r"(?<=[\w)\]])(\.\.[<.])(?=[\w(])")
# One from something to the same has no other end.
_EMPTY_RANGE = re.compile(r"(?<![-\w.)\]])(\([^()]*\)|\w+(?:\.\w+)*)\.\.[<.]\1(?![\w.(\[])")
_NUMBER = re.compile(r"(?<![\w.$])(0x[0-9A-Fa-f_]+|\d[\d_]*)(?!\w|\.\d)")
_DECLARATION = re.compile(
    r"\s*(?:@\w+(?:\([^)]*\))? |(?:public|package|private|fileprivate|static|mutating|override|final|convenience|"
    r"private\(set\)|nonisolated\(unsafe\)) )*"
    r"(?:func|init\??|subscript|struct|enum|class|extension|protocol|typealias|import)\b")
_CALL_OR_ASSIGNMENT = re.compile(
    r"(?:try )?(?:unsafe )?[a-zA-Z_*][\w.>-]*(?:\[[^\]]*\]|\([^()]*(?:\([^()]*\)[^()]*)*\)|[?.\w])*"
    r"(?: (?:[-+|&]|&[-+])?= .+)?")
_NO_STATEMENT = re.compile(
    "(?:let|var|if|guard|while|for|switch|case|default|return|throw|import|func|init|struct|enum|extension|repeat|do|else|"
    r"public|package|private|fileprivate|internal|static|typedef|const|mutating|typealias|defer|indirect|self\.init)\b"
    r"(?![.(])")


@dataclasses.dataclass(frozen=True)
class Fault:
    """A fault that may be planted, and where."""

    file: str
    line: int
    text: str
    kind: str
    # What happens, and to which of several such tokens of the line.
    change: str
    start: int
    end: int
    # What takes the place of the columns from `start` to `end`: {0} is the fault's number, {1} its operator.
    planted: str
    # The operator that its own stands for; `?` turns a condition round.
    operator: str = ""

    @property
    def key(self) -> tuple[str, str, str]:
        """What it is known by, which small edits elsewhere in the file do not change."""
        return (self.file, self.text.strip(), self.change)

    @property
    def module(self) -> str:
        return self.file.split("/")[1]

    @property
    def target(self) -> str:
        return target_of(self.file)

    def rank(self, seed: int) -> str:
        """Its place in the order of the seed. A hash of the key, so that a small edit moves few faults."""
        return hashlib.sha256(f"{seed}\n{self.key}".encode()).hexdigest()

    def __str__(self) -> str:
        return "\n".join(self.key)


def listed_files() -> list[str]:
    """The files of the tree that git knows or would."""
    command = ["git", "ls-files", "-co", "--exclude-standard", "-z"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, check=True).stdout.decode().split("\0")
    return sorted(name for name in listed if name and ((ROOT / name).is_file() or (ROOT / name).is_symlink()))


def target_of(file: str) -> str:
    """The folder of what is compiled as one with it."""
    parts = file.split("/")
    return "/".join(parts[: 4 if parts[1] == "NIOProxy" else 2])


def is_source(file: str) -> bool:
    """Whether faults may be planted in it."""
    is_code = file.startswith("Sources/") and file.endswith((".swift", ".c", ".h"))
    return is_code and file.split("/")[1] in MODULES and not _ELSEWHERE.search(file)


def all_faults() -> list[Fault]:
    """All faults that may be planted; none in what is not compiled here."""
    found: list[Fault] = []
    for file in filter(is_source, listed_files()):
        is_c = not file.endswith(".swift")
        source = (ROOT / file).read_text()
        find = _c if is_c else _swift
        found += find(file, source.split("\n"), _without_scarce(_compiled_here(_without_text(source, is_c).split("\n"))))
    return found


def _without_scarce(code: list[str]) -> list[str]:
    """The lines, blank where they are for builds alone that have to be small."""
    out, end = [], None
    for line in code:
        if end is None and (match := re.match(r"( *)if CodeSize\.isScarce \{", line)):
            end = match[1] + "}"
        out.append(line if end is None else "")
        if end is not None and (line.startswith(end) or line.rstrip().endswith("}") and "isScarce" in line):
            end = None
    return out


def _compiled_here(code: list[str]) -> list[str]:
    """The lines, blank where they are for another system."""
    out, open_conditions, open_lines = [], [], []
    for line in code:
        if re.match(r"\s*#if", line):
            open_conditions.append(bool(_NOT_HERE.match(line)))
            open_lines.append(line)
        elif re.match(r"\s*#el", line) and open_conditions:
            open_conditions[-1] = bool(_ALL_OF_IT.match(open_lines[-1]))
        elif re.match(r"\s*#endif", line) and open_conditions:
            open_conditions.pop()
            open_lines.pop()
        out.append("" if any(open_conditions) else line)
    return out


def _without_text(source: str, is_c: bool) -> str:
    """The source with comments blank, and `_` for everything inside of string and character literals."""
    interpolation = r"\\\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)"
    literal = rf'"""(?:\\.|.)*?"""|"(?:{interpolation}|\\.|[^"\\\n])*"' + (r"|'(?:\\.|[^'\\])+'" if is_c else "")
    out = list(source)
    for match in re.finditer(rf"//[^\n]*|/\*.*?\*/|{literal}", source, re.DOTALL):
        is_comment = match[0].startswith("/")
        for place in range(*match.span()):
            if out[place] != "\n" and (is_comment or match.start() < place < match.end() - 1):
                out[place] = " " if is_comment else "_"
    return "".join(out)


def _number_of(code: str, match: re.Match[str], pattern: re.Pattern[str]) -> str:
    """Which of the equal tokens of the line it is, unless it is the first."""
    count = sum(other[1] == match[1] for other in pattern.finditer(code, 0, match.start()))
    return f", number {count + 1}" if count else ""


def _is_statement(code: str, before: str, after: str, ending: str) -> bool:
    """Whether the line is one whole statement, an assignment or a call, as far as it and its neighbours show."""
    line, before, after = code.strip(), before.strip(), after.strip()
    if not line.endswith(ending):
        return False
    line = line.removesuffix(ending)
    if line in ("continue", "break"):
        return True
    if _NO_STATEMENT.match(line) or not _CALL_OR_ASSIGNMENT.fullmatch(line) or not re.search("[(=]", line):
        return False
    if line[-1] in "{,(:=" or re.match(r"\w+:", line) or any(line.count(a) != line.count(b) for a, b in ("()", "[]", "{}")):
        return False
    if ending:
        return not before or before[-1] in "{};:"
    goes_on = re.search(r"(?:^|[ (])(?:return|in|try|[-+*/&|<>=?:]+)$|[,(\[=]$", before)
    return not (before and goes_on and not before.endswith("{")) and not re.match(r"[.?:&|+*/=<>)\]{-]", after)


def _swift(file: str, lines: list[str], code: list[str]) -> Iterator[Fault]:
    for index, masked in enumerate(code):
        if not masked.strip() or re.match(r"\s*[#@]", masked) or _DEBUG_ONLY.match(masked):
            continue
        first = 0
        if _DECLARATION.match(masked):
            first = masked.find("{") + 1 or len(masked)
        elif re.match(r"\s*(?:case|default)\b", masked):
            flat = re.sub(r"\([^()]*\)|\[[^\]]*\]", lambda part: "_" * len(part[0]), masked)
            colon = re.search(":(?: |$)", flat)
            first = colon.end() if colon else len(masked)
        here = (file, index + 1, lines[index])
        for match in _OPERATOR.finditer(masked, first):
            change = f"{match[1]} becomes {OPERATORS[match[1]][0]}{_number_of(masked, match, _OPERATOR)}"
            yield Fault(*here, "operator", change, *match.span(), "{1}", match[1])
        empty = [range(*match.span()) for match in _EMPTY_RANGE.finditer(masked)]
        for match in _RANGE.finditer(masked, first):
            if any(match.start() in place for place in empty):
                continue
            change = f"{match[1]} ends one earlier{_number_of(masked, match, _RANGE)}"
            yield Fault(*here, "range", change, *match.span(), "{1}", match[1])
        for match in _NUMBER.finditer(masked, first):
            value = int(match[1].replace("_", ""), 0)
            other = value - 1 if value > 0 and len(lines[index]) % 2 else value + 1
            change = f"{match[1]} becomes {other}{_number_of(masked, match, _NUMBER)}"
            yield Fault(*here, "constant", change, *match.span(), f"mutant({{0}}, {match[1]}, {other})")
        ternary = re.compile(r" (\?) ")
        for match in ternary.finditer(masked, first):
            change = f"? is asked the other way round{_number_of(masked, match, ternary)}"
            yield Fault(*here, "condition", change, *match.span(), " {1} true ? ", "?")
        yield from _condition(here, masked)
        if _is_statement(masked, code[index - 1], code[index + 1] if index + 1 < len(code) else "", ""):
            indent = len(masked) - len(masked.lstrip())
            text = lines[index][indent:].replace("{", "{{").replace("}", "}}")
            planted = f"if !mutant({{0}}) {{{{ {text} }}}}"
            yield Fault(*here, "statement", "is left out", indent, len(lines[index]), planted)


def _condition(here: tuple[str, int, str], masked: str) -> Iterator[Fault]:
    """The conditions of an if, a while or a guard that begins the line: all of them, and the last one."""
    head = re.match(r"\s*(?:\} else )?(if|while|guard) ", masked)
    tail = re.search(r" (?:else )?\{", masked)
    if not head or not tail:
        return
    yield Fault(*here, "condition", f"{head[1]} is always false", head.end(), head.end(), "!mutant({0}), ")
    last = re.split(r", (?![^(\[]*[)\]])", masked[head.end() : tail.start()])[-1]
    if last and not re.match("(?:let|var|case|unsafe let) ", last):
        change = f"{head[1]} has its last part the other way round"
        yield Fault(*here, "condition", change, tail.start(), tail.start(), " {1} true", "?")


def _closing(code: str, start: int) -> int:
    """Where the parenthesis is closed that was opened before `start`; `start` if that is on another line."""
    depth = 1
    for place in range(start, len(code)):
        depth += {"(": 1, ")": -1}.get(code[place], 0)
        if depth == 0:
            return place
    return start


def _c(file: str, lines: list[str], code: list[str]) -> Iterator[Fault]:
    operator = re.compile(r"(?<= )(<=?|>=?|==|!=|\+|-|&&|\|\|)(?= )")
    # What stands between the operator and its right side, so that without the fault nothing has changed.
    inserted = {"&&": ("!MUTANT({0}) &&", "false &&"), "||": ("MUTANT({0}) ||", "true ||"), "-": ("MUTANT({0}) -", "1 -")}
    condition = re.compile(r"\b(if|while) \((?=.*\))")
    for index, masked in enumerate(code):
        is_macro = lines[index].endswith("\\") or lines[index - 1].endswith("\\")
        if is_macro or _NO_MEMORY.search(masked) or _BIT_FIELD.search(masked) or re.match(r"\s*(?:#|enum|typedef|BYTESCAN_INLINE|extern)", masked):
            continue
        here = (file, index + 1, lines[index])
        for match in operator.finditer(masked):
            planted, words = inserted.get(match[1], ("MUTANT({0}) +", "1 +"))
            change = f"{match[1]} becomes {match[1]} {words}{_number_of(masked, match, operator)}"
            yield Fault(*here, "operator", change, match.end(), match.end(), " " + planted)
        for match in _NUMBER.finditer(masked):
            change = f"{match[1]} becomes {match[1]} + 1{_number_of(masked, match, _NUMBER)}"
            yield Fault(*here, "constant", change, *match.span(), f"({match[1]} + MUTANT({{0}}))")
        for match in condition.finditer(masked):
            change, end = f"{match[1]} is always false", _closing(masked, match.end())
            text = lines[index][match.end() : end].replace("{", "{{").replace("}", "}}")
            planted = "!MUTANT({0}) && " + (f"({text})" if end > match.end() else "")
            yield Fault(*here, "condition", change, match.end(), end, planted)
        if _is_statement(masked, code[index - 1], "", ";"):
            indent = len(masked) - len(masked.lstrip())
            yield Fault(*here, "statement", "is left out", indent, indent, "if (!MUTANT({0})) ")
