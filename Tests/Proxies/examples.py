#!/usr/bin/env python3
"""Checks the container file and the unit file of surtitle-proxy without a container and without a running systemd.

Both may use no option that the proxy does not have. Of the container file: instructions that are known, stages that are there, files that are in the
repository, a user other than root. Of the unit file: what `systemd-analyze verify` says, and that `systemd-analyze security` finds an exposure of at
most 1.5 of 10; without that program both are left out, and it says so.
"""

import json
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "Sources/NIOProxy/examples"
OPTIONS = ROOT / "Sources/NIOProxy/Sources/SurtitleProxy/Command/Options.swift"
INSTRUCTIONS = {"FROM", "WORKDIR", "COPY", "RUN", "USER", "EXPOSE", "STOPSIGNAL", "ENTRYPOINT"}
MOST_EXPOSED = 15  # tenths


def container_faults(text: str) -> list[str]:
    faults, stages, user = [], set(), None
    lines = [line for line in re.sub(r"\\\n\s*", "", text).splitlines() if line and not line.startswith("#")]
    for line in lines:
        word, _, rest = line.partition(" ")
        if word not in INSTRUCTIONS:
            faults.append(f"{line}: no known instruction")
        if word == "FROM":
            user = None
            stages.update(re.findall(r" AS (\w+)$", rest))
        elif word == "COPY" and (stage := re.match(r"--from=(\w+) ", rest)):
            if stage[1] not in stages:
                faults.append(f"{line}: there is no such stage")
        elif word == "COPY":
            faults += [f"{line}: {name} is not in the repository" for name in rest.split()[:-1] if not (ROOT / name).exists()]
        elif word == "USER":
            user = rest
        elif word == "ENTRYPOINT" and not all(isinstance(part, str) for part in json.loads(rest)):
            faults.append(f"{line}: no list of words")
    if user is None or user.startswith(("0", "root")):
        faults.append("the last stage runs as root")
    return faults


def unit_faults(text: str) -> list[str]:
    if shutil.which("systemd-analyze") is None:
        print("skipped: the unit file, for there is no systemd-analyze")
        return []
    faults = []
    with tempfile.TemporaryDirectory() as folder:
        unit = Path(folder, "surtitle-proxy.service")
        # What ExecStart names has to be there.
        unit.write_text(text.replace("/usr/local/bin/surtitle-proxy", "/bin/true"))
        for words in (["verify", "--man=no"], ["security", "--offline=yes", f"--threshold={MOST_EXPOSED}"]):
            ran = subprocess.run(["systemd-analyze", *words, unit], text=True, capture_output=True)
            if ran.returncode != 0 or ran.stderr:
                faults.append(f"systemd-analyze {words[0]}: {ran.stdout if words[0] == 'security' else ''}{ran.stderr}")
    return faults


def main() -> int:
    known = set(re.findall(r"^ +(--[a-z-]+)", OPTIONS.read_text(), re.M))
    faults = [] if known else ["the proxy's options were not found"]
    for name, check in (("Containerfile", container_faults), ("surtitle-proxy.service", unit_faults)):
        text = (EXAMPLES / name).read_text()
        started = "".join(re.findall(r"^(?:ENTRYPOINT|ExecStart=).*", text, re.M))
        used = re.findall(r"--[a-z-]+", started)
        if not used:
            faults.append(f"{name}: the proxy gets no option")
        faults += [f"{name}: the proxy has no option {option}" for option in used if option not in known]
        faults += [f"{name}: {fault}" for fault in check(text)]
    print("\n".join(faults) or "the container file and the unit file of surtitle-proxy: done", file=sys.stderr if faults else sys.stdout)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
