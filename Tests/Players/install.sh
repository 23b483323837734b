#!/usr/bin/env bash
# Installs the players that check.py and check_sync.py drive: distribution packages, and for what only the Python index has
# (a current ffmpeg, yt-dlp, hls.js) a virtual environment. It can be run again: what is there stays.
set -euo pipefail
environment=$(cd "$(dirname "$0")/../.." && pwd)/.build/players

fail() { printf 'install.sh: %s\n' "$*" >&2; exit 1; }

# Runs a command as root and shows what it said only if it failed.
quietly_as_root() {
  local log
  log=$(mktemp)
  if [ "$(id -u)" -eq 0 ]; then
    "$@" >"$log" 2>&1 </dev/null || { cat "$log" >&2; rm -f "$log"; return 1; }
  elif command -v sudo >/dev/null; then
    sudo -n "$@" >"$log" 2>&1 </dev/null || { cat "$log" >&2; rm -f "$log"; return 1; }
  else
    rm -f "$log"
    fail "neither root nor sudo: install by hand: $*"
  fi
  rm -f "$log"
}

is_installed() { [ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null)" = installed ]; }

command -v dpkg-query >/dev/null ||
  fail "this is not a Debian system: install Chromium, ffmpeg, GStreamer 1.22 or later, imageio-ffmpeg and yt-dlp by hand"

wanted=(chromium ffmpeg gstreamer1.0-tools gstreamer1.0-plugins-base gstreamer1.0-plugins-good gstreamer1.0-plugins-bad)
# A Python that is not the distribution's own brings `venv` with it.
python3 -c 'import ensurepip, venv' 2>/dev/null || wanted+=(python3 python3-venv)

missing=()
for package in "${wanted[@]}"; do
  is_installed "$package" || missing+=("$package")
done
if [ "${#missing[@]}" -gt 0 ]; then
  quietly_as_root apt-get update -qq || fail "apt-get update failed"
  quietly_as_root env DEBIAN_FRONTEND=noninteractive \
    apt-get install -y -qq --no-install-recommends "${missing[@]}" || fail "apt-get install ${missing[*]} failed"
fi

"$environment/bin/python" -m pip --version >/dev/null 2>&1 || python3 -m venv --clear "$environment"
"$environment/bin/python" -c 'import imageio_ffmpeg, jsonschema, yt_dlp' 2>/dev/null ||
  "$environment/bin/python" -m pip install --quiet --disable-pip-version-check imageio-ffmpeg jsonschema yt-dlp ||
  fail "pip could not install imageio-ffmpeg, jsonschema and yt-dlp"

# A current hls.js lies in the wheel of a package that shows videos, as a module that does not export the class: a line is put
# behind it that does. It is used in the tests and is no part of this project.
if [ ! -s "$environment/hls.mjs" ]; then
  folder=$(mktemp -d)
  trap 'rm -rf "$folder"' EXIT
  "$environment/bin/python" -m pip download --quiet --disable-pip-version-check --no-deps -d "$folder" gradio==6.31.0 ||
    fail "pip could not download the package with hls.js"
  "$environment/bin/python" - "$folder" "$environment/hls.mjs" <<'PYTHON' || fail "no hls.js in the package"
import pathlib, re, sys, zipfile
folder, target = map(pathlib.Path, sys.argv[1:])
with zipfile.ZipFile(next(folder.glob("*.whl"))) as wheel:
    name = next(name for name in wheel.namelist() if re.search(r"frontend/assets/hls-[^/]*\.js$", name))
    module = wheel.read(name).decode()
player = re.search(r"\b(\w+)=class \w+\{static get version\(\)", module)[1]
target.write_text(f"{module}\nexport {{ {player} as Hls }};\n")
PYTHON
fi
