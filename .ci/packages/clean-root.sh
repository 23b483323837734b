# Folders with nothing in them but Debian as it comes, to try packages in. Sourced by .ci/release; needs debootstrap and root.
# shellcheck shell=bash
readonly roots=$PWD/.build/clean-roots
root=

# Makes the folder that the others are copies of, of the release of Debian that this machine has.
make_base() {
  [ ! -e "$roots/base/made" ] || return 0
  local codename site proxy
  codename=$(. /etc/os-release && echo "$VERSION_CODENAME")
  # Packages come from where this machine's apt has its own from, and by its proxy.
  site=$(apt-get indextargets --format '$(SITE) $(RELEASE) $(COMPONENT)' 'Created-By: Packages' |
    awk -v codename="$codename" '$2 == codename && $3 == "main" { print $1; exit }')
  [ -n "$site" ] || { echo "apt knows no source of $codename" >&2; return 1; }
  proxy=$(apt-config dump --format '%v' Acquire::http::Proxy)
  rm -rf "$roots"
  mkdir -p "$roots"
  http_proxy=${proxy:-${http_proxy:-}} debootstrap --variant=minbase "$codename" "$roots/base" "$site" >"$roots/log" 2>&1 ||
    { tail -n 20 "$roots/log" >&2; return 1; }
  rm -f "$roots/base/etc/apt/sources.list"
  cp -r /etc/apt/sources.list /etc/apt/sources.list.d "$roots/base/etc/apt/" 2>/dev/null || true
  apt-config dump | grep -E '^Acquire::(https?|ftp)::' >"$roots/base/etc/apt/apt.conf.d/90here" || true
  cp /usr/share/keyrings/*.gpg "$roots/base/usr/share/keyrings/" 2>/dev/null || true
  cp /etc/resolv.conf /etc/hosts "$roots/base/etc/"
  # Nothing begins to serve because it is installed.
  printf '#!/bin/sh\nexit 101\n' >"$roots/base/usr/sbin/policy-rc.d"
  chmod +x "$roots/base/usr/sbin/policy-rc.d"
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

