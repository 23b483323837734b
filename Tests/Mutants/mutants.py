"""Plants small faults in a copy of the sources, and tells which of them no test of their module notices.

All are planted in one copy, so that there is one build, and each is alive in runs of its own: places.py finds where,
planting.py plants and builds. What does not compile is taken out again, and the next one in the order of the seed takes its place;
so it does for what changes nothing, once equivalent.txt has it: --again tries the next one alone.
Swift's tests and programs of C run in turn, from quick to slow, and the first that fails ends them all. What becomes of each fault is
noted at once, so that --again goes on where a run was stopped.

    known.txt        faults that are planted besides in every run, and whether the tests must notice them
    equivalent.txt   faults that change nothing anybody could notice, each with its reason
    2026-11.md       what became of those of eight seeds, as far as they were tried
"""

import argparse
import collections
import concurrent.futures
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterable

from places import MODULES, ROOT, Fault, all_faults
from planting import BUILD, COPY, INSTALLED, KERNELS, LOGS, NGINX_MODULE, Building, culprits, plant

# Of each module the tests that must notice a fault in it, from quick to slow; `kernels` is the program of Tests/Kernels,
# `programs` are those of Tests/C.
TESTS = {
    "CByteScan": ["kernels", "ByteScanTests", "M3U8Tests"], "ByteScan": ["ByteScanTests"], "M3U8": ["M3U8Tests"],
    "WebVTT": ["WebVTTTests"], "Sideload": ["SideloadTests"], "Delivery": ["DeliveryTests"], "Encodings": ["EncodingsTests"],
    "surtitle": ["CommandTests"], "SurtitleC": ["programs"], "CSurtitle": ["programs"], "NginxModule": ["nginx"],
    "NIOProxy": ["ProxyTests", "SideloaderTests", "proxy", "live", "hostile"], "SideloadAVFoundation": ["SideloadAVFoundationTests"],
}
# Where the tests of Swift are, if they are not in the package of the library.
PACKAGES = {
    "ProxyTests": BUILD / "release/surtitle-nio-proxyPackageTests.xctest",
    "SideloaderTests": BUILD / "release/surtitle-nio-proxyPackageTests.xctest",
    "SideloadAVFoundationTests": BUILD / "stand-in/release/surtitle-apple-stand-inPackageTests.xctest",
}
SURTITLE = BUILD / "release/surtitle"
PROXY = ["--proxy", BUILD / "release/surtitle-proxy", "--surtitle", SURTITLE]
# Where those of Tests/C stay.
PROGRAMS = BUILD / "c-programs"
# Scripts that say FAILED of each check that does not hold.
SCRIPTS = {
    "programs": ["bash", "Tests/C/run.sh", "--glance"],
    "nginx": [sys.executable, "Tests/Nginx/check.py", "--module", NGINX_MODULE, "--surtitle", SURTITLE, "--without-valgrind"],
    "proxy": [sys.executable, "Tests/Proxies/check.py", *PROXY], "hostile": [sys.executable, "Tests/Proxies/hostile.py", *PROXY],
    "live": [sys.executable, "Tests/Proxies/live.py", *PROXY[:2]],
}
# Those that look at the clock: what fails there must do so twice, and one of them runs at a time, beside the others.
SERVERS = ("nginx", "proxy", "hostile", "live")
LEAST_A_MODULE = 4


def paragraphs(file: str) -> list[list[str]]:
    """The paragraphs of a file beside this one, in lines; comments are left out."""
    text = re.sub("^#.*\n", "", (pathlib.Path(__file__).parent / file).read_text(), flags=re.MULTILINE)
    return [[line.strip() for line in part.strip().split("\n")] for part in re.split("\n\n+", text) if part.strip()]


def known_faults() -> list[tuple[Fault, bool]]:
    """The faults of known.txt, and whether tests must notice each."""
    faults = []
    for file, old, new, outcome, *_ in paragraphs("known.txt"):
        lines = (ROOT / file).read_text().split("\n")
        places = [index for index, line in enumerate(lines) if line.strip() == old]
        if len(places) != 1 or outcome not in ("killed", "survives"):
            sys.exit(f"known.txt: {file} has {len(places)} lines that are\n  {old}\nor {outcome} is no outcome")
        line = lines[places[0]]
        planted = line.replace(old, new).replace("{", "{{").replace("}", "}}")
        planted = planted.replace("MUTANT", "mutant({0})" if file.endswith("swift") else "MUTANT({0})")
        fault = Fault(file, places[0] + 1, line, "known", f"becomes {new}", 0, len(line), planted)
        faults.append((fault, outcome == "killed"))
    return faults


def choose(faults: Iterable[Fault], count: int, seed: int, taken: set[tuple[str, int]]) -> list[Fault]:
    """The first `count` faults in the order of the seed: some of each module, of its kinds in turn, one a line at most."""
    by_module: dict[str, dict[str, list[Fault]]] = {}
    for fault in sorted(faults, key=lambda fault: fault.rank(seed)):
        by_module.setdefault(fault.module, {}).setdefault(fault.kind, []).append(fault)
    sizes = {module: sum(map(len, kinds.values())) for module, kinds in by_module.items()}
    least = min(LEAST_A_MODULE, count // len(sizes))
    shares = {module: least + (count - least * len(sizes)) * size // sum(sizes.values()) for module, size in sizes.items()}
    # What rounding leaves goes to the largest.
    shares[max(sizes, key=sizes.__getitem__)] += count - sum(shares.values())
    chosen: list[Fault] = []
    for module, wanted in shares.items():
        queues = [by_module[module][kind] for kind in sorted(by_module[module])]
        while wanted > 0 and any(queues):
            for queue in queues:
                while queue and (queue[0].file, queue[0].line) in taken:
                    queue.pop(0)
                if queue and wanted > 0:
                    taken.add((queue[0].file, queue[0].line))
                    chosen.append(queue.pop(0))
                    wanted -= 1
    return chosen


def tests_of(faults: Iterable[Fault]) -> list[str]:
    """The tests that must notice these faults."""
    modules = {fault.module for fault in faults}
    return list(dict.fromkeys(name for module in MODULES if module in modules for name in TESTS[module]))


def changed_since(revision: str, faults: list[Fault]) -> list[Fault]:
    """The faults in files that differ from `revision`, of the module that has most of them."""
    command = ["git", "diff", "--name-only", revision, "--", "Sources"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    if done.returncode != 0:
        print(f"nothing is planted: {done.stderr.strip().splitlines()[0]}")
        return []
    files = set(done.stdout.splitlines())
    faults = [fault for fault in faults if fault.file in files]
    if len({fault.module for fault in faults}) > 1:
        # What it stands on builds for longer than all that is to be tried.
        faults = [fault for fault in faults if fault.module != "NIOProxy"]
    if not faults:
        print(f"nothing is planted: no file in which faults could be differs from {revision}")
    sizes = collections.Counter(fault.module for fault in faults)
    return [fault for fault in faults if fault.module == sizes.most_common(1)[0][0]]


def plant_what_compiles(known: list[Fault], faults: list[Fault], count: int, seed: int, end: float) -> dict[int, Fault]:
    """Plants the known faults and `count` others, and builds them; in turns, without those that do not compile."""
    # What did not compile in an earlier run is not tried again.
    memory = LOGS / "unfit"
    remembered = set(memory.read_text().split("\n")) if memory.exists() else set()
    unfit = {fault for fault in faults if repr(fault.key) in remembered}
    numbers: dict[Fault, int] = {}
    while True:
        taken = {(fault.file, fault.line) for fault in known}
        chosen = known + choose((fault for fault in faults if fault not in unfit), count, seed, taken)
        # One that stays keeps its number, so that its file is not built again.
        for fault in chosen:
            numbers.setdefault(fault, len(numbers) + 1)
        planted = {numbers[fault]: fault for fault in chosen}
        plant(planted)
        tests = [name for name in tests_of(chosen) if name != "kernels" and name not in SCRIPTS and name not in PACKAGES]
        if not (output := Building({fault.module for fault in chosen}, tests, end).run()):
            return planted
        bad = culprits(output, planted)
        if not bad or any(planted[number].kind == "known" for number in bad):
            sys.exit(f"the copy does not build, for no fault that chance planted; see {LOGS}/build")
        unfit |= {planted[number] for number in bad}
        memory.write_text("\n".join(sorted(remembered | {repr(fault.key) for fault in unfit})))
        print(f"{len(bad)} faults do not compile, and give way to others", flush=True)


class Tests:
    """The tests of the copy, and how long each target may take."""

    def __init__(self) -> None:
        self._limits: dict[str, float] = {}
        self._kernel_answers: dict[str, bytes] = {}
        self._servers = threading.Lock()

    def notice(self, number: int, name: str) -> str | None:
        """How the tests `name` notice the fault; nil if they pass. The first failure ends them, and the clock."""
        if name == "kernels":
            return self._notice_by_kernels(number)
        if name == "programs" and number != 0:
            return self._notice_by_programs(number)
        if name in SERVERS:
            with self._servers:
                return self._notice_by_script(number, name) and self._notice_by_script(number, name)
        return self._notice_by_script(number, name) if name in SCRIPTS else self._notice_by_swift(number, name)

    def check_clean(self, names: list[str], jobs: int) -> None:
        """Runs the tests without a fault. They must pass, and tell how long they may take with one."""
        shutil.rmtree(PROGRAMS, ignore_errors=True)

        def run(name: str) -> None:
            started = time.monotonic()
            if noticed := self.notice(0, name):
                sys.exit(f"without a fault: {noticed}; see {LOGS}/0-{name}")
            spent = time.monotonic() - started
            self._limits[name] = 60 + 6 * spent
            print(f"without a fault {name} pass in {spent:.0f} s", flush=True)

        with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
            list(pool.map(run, names))

    @staticmethod
    def _environment(number: int) -> dict[str, str]:
        return {**os.environ, "SURTITLE_MUTANT": str(number), "SWIFT_BACKTRACE": "enable=no", "NO_COLOR": "1"}

    def _notice_by_kernels(self, number: int) -> str | None:
        for form in ("base", "avx2", "avx512"):
            try:
                run = subprocess.run(
                    [KERNELS, form], env=self._environment(number), capture_output=True, timeout=self._limits.get("kernels"))
            except subprocess.TimeoutExpired:
                return "kernels: no end"
            # 77: this processor has not that form.
            if run.returncode not in (0, 77):
                return f"kernels: {form}, status {run.returncode}"
            if self._kernel_answers.setdefault(form, run.stdout) != run.stdout:
                return f"kernels: {form}, other answers"
        return None

    def _notice_by_swift(self, number: int, name: str) -> str | None:
        binary = PACKAGES.get(name, BUILD / "release/surtitlePackageTests.xctest")
        command = [binary, "--testing-library", "swift-testing", "--filter", f"^{name}\\."]
        failure = re.compile(r'✘ Test (\S+|".*?") .*(?:recorded an issue|failed)')
        return self._run(number, name, command, failure, re.compile(r"Test run with [1-9]\d* tests?.* passed"))

    def _notice_by_programs(self, number: int) -> str | None:
        environment = {**self._environment(number), "LD_LIBRARY_PATH": str(PROGRAMS / "prefix/lib")}
        for run in (PROGRAMS / "runs").read_text().split("\0\n\0")[:-1]:
            expected, *command = run.split("\0")
            name = " ".join([pathlib.Path(command[0]).name, *command[1:2]])
            try:
                done = subprocess.run(command, cwd=COPY / "Tests/C", env=environment, capture_output=True, timeout=120)
            except subprocess.TimeoutExpired:
                return f"{name}: no end"
            if done.returncode != 0:
                said = done.stderr.decode(errors="replace").strip().splitlines()
                return f"{name}: status {done.returncode}{', ' + said[0] if said else ''}"
            if expected != "-" and done.stdout != pathlib.Path(expected).read_bytes():
                return f"{name}: another output"
        return None

    def _notice_by_script(self, number: int, name: str) -> str | None:
        return self._run(number, name, SCRIPTS[name], re.compile(r"^FAILED:? +(.*)"), re.compile(""))

    def _run(
        self, number: int, name: str, command: list[object], failure: re.Pattern[str], success: re.Pattern[str]
    ) -> str | None:
        """How the command fails; nil if it ends well, and has said that it did."""
        with tempfile.TemporaryDirectory(prefix="surtitle-mutant-") as scratch:
            environment = {
                **self._environment(number), "TMPDIR": scratch, "SURTITLE": str(SURTITLE), "PREFIX": str(INSTALLED),
                "KEPT": str(PROGRAMS)}
            process = subprocess.Popen(
                [str(word) for word in command], env=environment, cwd=COPY, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT, text=True, errors="replace", start_new_session=True)
            is_late = threading.Event()

            def end_late() -> None:
                is_late.set()
                self._end(process)

            timer = threading.Timer(self._limits.get(name, 1800), end_late)
            timer.start()
            noticed, has_passed = None, False
            with (LOGS / f"{number}-{name}").open("w") as log:
                for line in process.stdout or ():
                    line = re.sub(r"\x1b\[[0-9;]*m", "", line)
                    log.write(line)
                    has_passed = has_passed or bool(success.search(line))
                    if noticed is None and (failed := failure.search(line)):
                        noticed = f"{name}: {failed[1]}"
                        self._end(process)
            timer.cancel()
            status = process.wait()
            # What they have started may outlive them.
            self._end(process)
        if noticed is None and is_late.is_set():
            return f"{name}: no end"
        return noticed or (None if status == 0 and has_passed else f"{name}: status {status}")

    @staticmethod
    def _end(process: subprocess.Popen[str]) -> None:
        """Ends the tests, and the commands that they have started, which are in groups of their own."""
        for child in pathlib.Path("/proc").glob("[0-9]*"):
            try:
                parent = (child / "stat").read_text().rpartition(")")[2].split()[1]
                if int(parent) == process.pid:
                    os.kill(int(child.name), signal.SIGKILL)
            except (OSError, ValueError):
                continue
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass


def outcome_row(answer: tuple[Fault, str | None]) -> str:
    """A row of Markdown: where the fault is, the line, what became of it, and which test noticed."""
    fault, noticed = answer
    cells = [fault.file.removeprefix("Sources/"), f"`{fault.text.strip()}`", fault.change, noticed or "survives"]
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |\n"


def main() -> int:
    description = "Plants small faults, and lists those that no test of their module notices."
    parser = argparse.ArgumentParser(prog="Tests/Mutants/run.sh", description=description)
    parser.add_argument("count", nargs="?", type=int, default=100, metavar="N", help="so many besides the known ones (100)")
    parser.add_argument("--seed", type=int, default=1, help="another seed plants other faults (1)")
    parser.add_argument("--module", choices=MODULES, help="in this module alone")
    parser.add_argument("--jobs", type=int, default=2, help="so many faults are tried at a time (2)")
    parser.add_argument("--again", action="store_true", help="leaves out those that were noticed the last time: after a stop, or with new tests")
    parser.add_argument("--list", action="store_true", help="prints all faults that are chosen from, and plants none")
    parser.add_argument(
        "--since", metavar="REVISION",
        help="in files that differ from it, of one module, without the known faults; what survives is told, and is no failure")
    parser.add_argument("--minutes", type=float, default=1e9, metavar="M", help="tries no other fault after so long")
    arguments = parser.parse_args()
    started = time.monotonic()
    known = [(fault, is_killed) for fault, is_killed in known_faults() if arguments.module in (None, fault.module)]
    equivalent = {tuple(part[:3]) for part in paragraphs("equivalent.txt")}
    faults = [fault for fault in all_faults() if arguments.module in (None, fault.module) and fault.key not in equivalent]
    if arguments.since and not (faults := changed_since(arguments.since, faults)):
        return 0
    if arguments.list:
        print(*(f"{fault.file}:{fault.line}:{fault.start + 1}: {fault.change}" for fault in faults), sep="\n")
        return 0
    if arguments.since:
        known = []
    end = started + 60 * arguments.minutes
    planted = plant_what_compiles([fault for fault, _ in known], faults, arguments.count, arguments.seed, end)
    memory = LOGS / "noticed"
    lines = memory.read_text().splitlines() if arguments.again and memory.exists() else []
    before = dict(line.split("\t") for line in lines)
    memory.write_text("".join(f"{line}\n" for line in lines))
    tests = Tests()
    tests.check_clean(tests_of(fault for fault in planted.values() if repr(fault.key) not in before), arguments.jobs)
    built = time.monotonic()

    def run(number: int) -> str | None:
        fault = planted[number]
        if noticed := before.get(repr(fault.key)):
            return noticed
        noticed = None
        for name in TESTS[fault.module]:
            if time.monotonic() > end:
                return "not tried: the time is over"
            if noticed := tests.notice(number, name):
                break
        print(f"{number:4} {fault.file}:{fault.line}: {fault.change}: {noticed or 'SURVIVES'}", flush=True)
        if noticed:
            with memory.open("a") as log:
                log.write(f"{fault.key!r}\t{noticed}\n")
        return noticed

    waiting = [number for number, fault in planted.items() if not set(SERVERS).isdisjoint(TESTS[fault.module])]
    others = [number for number in planted if number not in waiting]
    pool_of_one = concurrent.futures.ThreadPoolExecutor(1)
    with pool_of_one, concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        slow, quick = pool_of_one.map(run, waiting), pool.map(run, others)
        noticed_by = dict(zip(waiting + others, [*slow, *quick]))
    answers = {fault: noticed_by[number] for number, fault in planted.items()}
    by_chance = {fault: answers[fault] for fault in planted.values() if fault.kind != "known"}
    wrong = [fault for fault, is_killed in known if (answers[fault] is not None) != is_killed]
    survivors = [fault for fault, noticed in by_chance.items() if noticed is None]
    for title, listed in (("known faults that are not as known.txt says", wrong), ("survivors", survivors)):
        print(f"\n{title}: {len(listed)}", *(f"{fault}\n" for fault in listed), sep="\n")
    (LOGS / "outcome").write_text("".join(map(outcome_row, by_chance.items())))
    late = sum((noticed or "").endswith("no end") for noticed in by_chance.values())
    print(
        f"{len(by_chance)} faults by seed {arguments.seed}: {len(by_chance) - len(survivors)} noticed ({late} by the clock), "
        f"{len(survivors)} surviving; {len(known) - len(wrong)} of {len(known)} known ones as they must be; "
        f"{(built - started) / 60:.0f} minutes to build, {(time.monotonic() - built) / 60:.0f} to test")
    return 1 if (survivors or wrong) and not arguments.since else 0


if __name__ == "__main__":
    sys.exit(main())
