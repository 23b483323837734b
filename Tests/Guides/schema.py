#!/usr/bin/env python3
"""Makes the JSON Schema of configurations from the tables of keys in the sources, and holds it to what the command reads.

The names of keys and the words of values are read from Swift; what a value is made of stands here, and a key without it is an error.
With `--surtitle` the command reads every configuration of Tests/DeliveryTests/Configuration and of the guide, and some rows of this
file: what it takes the schema must take, and where a row says so, both must refuse.

    schema.py --write              writes the schema
    schema.py --surtitle FILE      checks that it is the written one, and that the command agrees
"""

import argparse
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import jsonschema

ROOT = Path(__file__).resolve().parents[2]
SCHEMA = ROOT / "Sources/surtitle/surtitle.docc/configuration.schema.json"
GUIDE = ROOT / "Sources/surtitle/surtitle.docc/Configuration.md"
TESTS = ROOT / "Tests/DeliveryTests/Configuration"

TEXT = {"type": "string"}
TRUTH = {"type": "boolean"}
TIME = {"anyOf": [{"type": "number", "exclusiveMinimum": 0}, {"type": "string"}]}
SHIFT = {"type": ["number", "string"]}
LIMIT = {"type": "integer", "minimum": 0}
TEXTS = {"anyOf": [TEXT, {"type": "array", "items": TEXT}]}


def source(path: str) -> str:
    return (ROOT / "Sources" / path).read_text()


def words(path: str, name: str) -> list[str]:
    """The cases of an enum, as they are spelled."""
    start = re.search(rf"enum {name}\b[^{{]*{{\n", source(path))
    if start is None:
        sys.exit(f"{path} has no enum {name}")
    body = source(path)[start.end():]
    found: list[str] = []
    for line in body[:re.search(r"^ *(}|package |public |var )", body, re.M).start()].splitlines():
        if not line.strip().startswith("case "):
            continue
        for one in line.strip()[5:].split(", "):
            spelled = re.fullmatch(r"(\w+)(?: = \"(.*)\")?", one)
            found.append(spelled[2] or spelled[1])
    return found


def closed(properties: dict, **more: object) -> dict:
    return {"type": "object", "properties": properties, "additionalProperties": False, **more}


def one_of(path: str, name: str) -> dict:
    return {"enum": words(path, name)}


def track() -> dict:
    """A track: the rows of the table in TrackKey.swift."""
    formats = re.findall(r'case \.\w+:\s*\(\s*"(\w+)"', source("WebVTT/Formats/SubtitleFormat.swift"))
    properties: dict[str, dict] = {}
    rows = re.findall(r'Row\(\s*"([a-z-]+)",\s*\.(\w+)(.*?),\s*"((?:[^"\\]|\\.)*)"\s*\)', source("Sideload/Tracks/TrackKey.swift"), re.S)
    for name, form, rest, text in rows:
        value = {"text": TEXT, "flag": TRUTH, "time": TIME, "shift": SHIFT, "anchor": TEXT}.get(form)
        if form == "word":
            listed = re.match(r'\(\s*\[([^\]]*)\]', rest)
            value = {"enum": re.findall(r'"([a-z0-9]+)"', listed[1]) if listed else formats}
        properties[name] = {"description": text, **value}
    count = source("Sideload/Tracks/TrackKey.swift").count("        Row(\n")
    if len(properties) != count or not formats:
        sys.exit(f"{len(properties)} of {count} keys of a track were read, and {len(formats)} formats")
    return closed(properties, anyOf=[{"required": [name]} for name in ("uri", "file", "cues")])


def roles(value: dict) -> dict:
    """A value for all URIs, or one for each role."""
    names = re.findall(r'case (?:nil|\.\w+): "(\w+)"', source("Delivery/Configuration/ConfigurationKey.swift"))
    return {"anyOf": [*value.get("anyOf", [value]), closed({name: value for name in names})]}


def schema() -> dict:
    keys = "Delivery/Configuration/ConfigurationKey.swift"
    policies = "Delivery/Policies/RoutePolicies.swift"
    verbs = words("Delivery/Configuration/EditVerb.swift", "EditVerb")
    limits = {name: LIMIT for name in words(keys, "LimitKey")}
    limits["past-limit"] = one_of(keys, "LinePolicy")
    schemes = [*words("Delivery/Policies/RouteRole.swift", "RouteRole"), "track"]
    values = {
        "tracks": {"type": "array", "items": track(), "maxItems": 1000}, "replace-default": TRUTH,
        "edits": {"type": "array", "items": closed({verb: TEXT for verb in verbs}, minProperties=1, maxProperties=1)},
        "map-uri": TEXT, "scheme": roles(TEXT), "host": roles(TEXT), "append-query": roles(TEXTS), "keep-variants": TEXT,
        "limits": closed(limits), "map": TEXT, "segment": TRUTH, "target": TIME, "master": TEXT,
        "schemes": {"anyOf": [TEXT, closed({name: TEXT for name in schemes})]}, "base": TEXT,
        "headers": {"type": "object", "additionalProperties": TEXT, "propertyNames": {"minLength": 1}},
        "headers-to": one_of(policies, "AppHeaders"), "origins": {"anyOf": [{"const": "any"}, {"type": "array", "items": TEXT}]},
        "probe": one_of(policies, "Probe"), "variants": one_of(policies, "Variants"), "segments": one_of(policies, "Segments"),
        "keys": one_of(policies, "Keys"), "missing-track": one_of(policies, "MissingTrack"),
        "webvtt": {"anyOf": [one_of(keys, "WebVTTWord"), closed({"served": TEXT}, required=["served"])]},
    }
    names = words(keys, "ConfigurationKey")
    if set(names) != set(values):
        sys.exit(f"keys without a value here, or the reverse: {set(names) ^ set(values)}")
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema", "title": "A configuration of Surtitle",
        **closed({name: values[name] for name in names}), "not": {"required": ["base", "schemes"]},
    }


# A configuration, and whether it is one.
ROWS = [
    ({}, True), ({"tracks": []}, True), ({"trakcs": []}, False), ([], False),
    ({"tracks": [{"uri": "a.vtt", "language": "sv"}]}, True), ({"tracks": [{"language": "sv"}]}, False),
    ({"tracks": [{"uri": "a.vtt", "default": "yes"}]}, False), ({"tracks": [{"uri": "a.vtt", "type": "ttml"}]}, False),
    ({"tracks": [{"uri": "a.vtt", "shift": "-1:00"}]}, True), ({"tracks": [{"uri": "a.vtt", "kind": "captions"}]}, True),
    ({"tracks": [{"uri": "a.vtt", "at": "msn:5"}]}, True), ({"edits": [{"drop": "EXT-X-KEY"}]}, True),
    ({"edits": [{}]}, False), ({"edits": [{"drop": "EXT-X-KEY", "remove": "EXT-X-KEY:IV"}]}, False),
    ({"scheme": {"key": "skd:https", "all": "https"}}, True), ({"scheme": {"keys": "https"}}, False),
    ({"append-query": ["a=1", "b=2"]}, True), ({"host": ["a"]}, False), ({"limits": {"past-limit": "fail"}}, True),
    ({"limits": {"longest-line": -1}}, False), ({"target": 0}, False), ({"target": "1:30.5"}, True),
    ({"schemes": {"track": "t"}}, True), ({"schemes": "s", "base": "http://a/"}, False), ({"origins": "any"}, True),
    ({"origins": "some"}, False), ({"webvtt": {"served": "http://a/"}}, True), ({"webvtt": {}}, False),
    ({"keys": "fetch"}, True), ({"probe": "data"}, False), ({"headers": {"X-A": "b"}}, True), ({"headers": {"": "b"}}, False),
]


def documents() -> list[object]:
    """Every JSON object in the tests of configurations and in the guide."""
    found: list[object] = []
    for path in [*sorted(TESTS.glob("*.swift")), GUIDE]:
        text = path.read_text()
        escaped = [part.replace('\\"', '"').replace("\\\\", "\\") for part in re.findall(r'"(\{(?:[^"\\\n]|\\.)*\})"', text)]
        blocks = re.findall(r'"""\n(\s*\{.*?)"""', text, re.S) + re.findall(r"^    \{\n.*?^    \}\n", text, re.S | re.M)
        for part in escaped + [block.replace("\\\\", "\\") for block in blocks]:
            try:
                found.append(json.loads(part))
            except ValueError:
                continue
    return found


def takes(surtitle: str, folder: Path, document: object) -> bool:
    (folder / "c.json").write_text(json.dumps(document))
    (folder / "m.m3u8").write_text("#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nv.m3u8\n")
    ran = subprocess.run([surtitle, "edit", "m.m3u8", "--config", "c.json"], cwd=folder, capture_output=True, text=True, timeout=30)
    return not ran.stderr.startswith("surtitle: c.json") and "c.json: line" not in ran.stderr


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--surtitle")
    parser.add_argument("--write", action="store_true")
    arguments = parser.parse_args()
    made = schema()
    text = json.dumps(made, indent=2) + "\n"
    if arguments.write:
        SCHEMA.write_text(text)
    if SCHEMA.read_text() != text:
        sys.exit(f"{SCHEMA.name} is not what the tables say; schema.py --write writes it")
    jsonschema.Draft202012Validator.check_schema(made)
    validator = jsonschema.Draft202012Validator(made)
    if not arguments.surtitle:
        return
    surtitle, faults, read = str(Path(arguments.surtitle).resolve()), [], 0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for document, is_one in ROWS:
            answers = validator.is_valid(document), takes(surtitle, folder, document)
            if answers != (is_one, is_one):
                faults.append(f"{json.dumps(document)}: schema and command say {answers}, not {is_one}")
        for document in documents():
            if takes(surtitle, folder, document):
                read += 1
                faults += [f"{json.dumps(document)}: {error.message}" for error in validator.iter_errors(document)]
    if read < 15:
        faults.append(f"only {read} configurations were found that the command takes")
    for fault in faults:
        print(fault, file=sys.stderr)
    print(f"{len(ROWS)} rows and {read} configurations of the tests hold to the schema")
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
