# For scripts that source it: need PACKAGE… is true if Debian's packages are installed. In CI, as root on Debian, it installs what is missing,
# for one script at a time.
# shellcheck shell=bash

installed() {
  dpkg-query -W -f '${db:Status-Status}\n' "$@" 2>&1 | awk '$0 != "installed" { exit 1 }'
}

need() {
  if installed "$@"; then return; fi
  if [ "${CI:-}" != true ] || [ "$(id -u)" -ne 0 ] || ! command -v apt-get >/dev/null; then
    echo "skipped: $* are not all installed"
    return 1
  fi
  (
    flock 9
    # Debian starts servers once they are installed. Nobody has asked for that.
    policy=/usr/sbin/policy-rc.d own=''
    if [ ! -e "$policy" ]; then
      printf '#!/bin/sh\nexit 101\n' >"$policy"
      chmod +x "$policy"
      own=yes
    fi
    apt-get update -qq
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@" >/dev/null </dev/null
    [ -z "$own" ] || rm -f "$policy"
  ) 9>/run/lock/surtitle-need
  installed "$@"
}
