# What the scripts of this folder share; they run in a clean root: SCRIPT PACKAGES SOURCES VERSION
#
#   PACKAGES  the packages that were made
#   SOURCES   of the repository what a script says it takes
# shellcheck shell=bash
set -euo pipefail
packages=$1
sources=$2
export DEBIAN_FRONTEND=noninteractive
version=$3
# Nothing else listens in a clean root, but it has the net of its machine.
port=$((20000 + RANDOM % 20000))
server=

# needs PACKAGE…: of Debian.
needs() { quiet apt-get -qq install -y --no-install-recommends "$@"; }

# debian PACKAGE…: ours, by dpkg as a stranger would.
debian() {
  local name files=()
  for name; do files+=("$packages/${name}_${version}_$(dpkg --print-architecture).deb"); done
  quiet dpkg -i "${files[@]}"
}

quiet() {
  "$@" >/tmp/said 2>&1 || { tail -n 20 /tmp/said >&2; return 1; }
}

same() {
  [ "$1" = "$2" ] || { printf 'wanted: %s\nfound:  %s\n' "$1" "$2" >&2; exit 1; }
}

same_number() { same "$2 $1" "$3 $1"; }

# serve COMMAND…: until unserve or the end; it has come up once $port answers.
serve() {
  setsid "$@" >/tmp/served 2>&1 &
  server=$!
  local tries
  for ((tries = 0; tries < 100; tries++)); do
    if (: <"/dev/tcp/127.0.0.1/$port") 2>/dev/null; then return 0; fi
    sleep 0.1
  done
  cat /tmp/served >&2
  return 1
}

unserve() {
  [ -z "$server" ] || kill -- "-$server" 2>/dev/null || true
  server=
}
trap unserve EXIT
