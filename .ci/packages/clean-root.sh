# Folders with nothing in them but Debian as it comes, to try packages in. Sourced by .ci/release; needs debootstrap and root.
# shellcheck shell=bash
readonly roots=$PWD/.build/clean-roots
root=

# Debian's packages change, and what apt knows of them grows old.
forget_base() { rm -rf --one-file-system "$roots"; }

# Makes the folder that the others are copies of, of the release of Debian that this machine has.
make_base() {
  [ ! -e "$roots/base/made" ] || return 0
  local codename proxy site sources
  codename=$(. /etc/os-release && echo "$VERSION_CODENAME")
  # Packages come from where this machine's apt has Debian's from, and by its proxy.
  sources=$(apt-get indextargets --format 'deb $(SITE) $(RELEASE) $(COMPONENT)' 'Created-By: Packages' 'Origin: Debian')
  proxy=$(apt-config dump --format '%v' Acquire::http::Proxy)
  site=$(awk -v codename="$codename" '$3 == codename && $4 == "main" { print $2; exit }' <<<"$sources")
  [ -n "$site" ] || { echo "apt knows no source of $codename" >&2; return 1; }
  forget_base
  mkdir -p "$roots"
  http_proxy=${proxy:-${http_proxy:-}} debootstrap --variant=minbase "$codename" "$roots/base" "$site" >"$roots/log" 2>&1 ||
    { tail -n 20 "$roots/log" >&2; return 1; }
  printf '%s\n' "$sources" >"$roots/base/etc/apt/sources.list"
  apt-config dump | grep -E '^Acquire::(https?|ftp)::' >"$roots/base/etc/apt/apt.conf.d/90here" || true
  cp /etc/resolv.conf /etc/hosts "$roots/base/etc/"
  # Nothing begins to serve because it is installed.
  printf '#!/bin/sh\nexit 101\n' >"$roots/base/usr/sbin/policy-rc.d"
  chmod +x "$roots/base/usr/sbin/policy-rc.d"
  # Nobody minds if a root is lost in a loss of power.
  echo force-unsafe-io >"$roots/base/etc/dpkg/dpkg.cfg.d/unsafe-io"
  chroot "$roots/base" apt-get -qq update
  touch "$roots/base/made"
}

# new_root NAME: a clean root in $root, without what an earlier one of that name had.
new_root() {
  root=$roots/$1
  leave_root
  rm -rf --one-file-system "$root"
  cp -a --reflink=auto "$roots/base" "$root"
  mount -t proc proc "$root/proc"
}

# Lets go of what is mounted in the root.
leave_root() {
  if [ -n "$root" ] && mountpoint -q "$root/proc"; then umount "$root/proc"; fi
}

# inside COMMAND…: runs it in the root, as if somebody had just logged in.
inside() {
  chroot "$root" /usr/bin/env -i HOME=/root PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 \
    DEBIAN_FRONTEND=noninteractive "$@"
}

