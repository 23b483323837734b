#!/usr/bin/env bash
# Makes the archive of the command for Linux: binary.sh FOLDER
#
# In it are the command, its manual page and its completions. Swift's libraries are in the command, and those of C++ where `command_binary` finds
# them; it needs that of C, of which the oldest version is told. On a machine with an arm64 processor the same script makes the archive for arm64, which nobody has run yet.
# shellcheck source=.ci/packages/common.sh
. "$(dirname "$0")/common.sh"

command_binary
name=surtitle-$version-linux-$(uname -m)
mkdir "$work/$name"
install -m 755 "$SURTITLE_STATIC" "$work/$name/surtitle"
completions_and_page "$work/$name"
cp LICENSE "$work/$name"
tar --sort=name --mtime="@$SOURCE_DATE_EPOCH" --owner=0 --group=0 --numeric-owner --format=gnu -C "$work" -c "$name" |
  gzip -9n >"$output/$name.tar.gz"
made "$output/$name.tar.gz"
objdump -T "$SURTITLE_STATIC" | grep -oE '\bGLIBC(XX)?_[0-9.]+' | sort -V | awk -F_ '{ newest[$1] = $0 } END { for (library in newest) print "needs", newest[library] }'
