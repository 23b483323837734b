#!/usr/bin/env bash
# Makes the Debian packages, for the release of Debian that this machine has: deb.sh FOLDER
#
#   surtitle                      the command, its manual page and completions
#   libsurtitle0, libsurtitle-dev the C library; header, static library and pkg-config
#   libnginx-mod-http-surtitle    the module for Debian's nginx, switched on where it is installed
#
# What each says of itself is in deb/NAME.control. DEBFULLNAME and DEBEMAIL are who maintains them. Needs dpkg-dev, nginx-dev and gcc.
# shellcheck source=.ci/packages/common.sh
. "$(dirname "$0")/common.sh"

command_binary
c_library
readonly controls=$PWD/.ci/packages/deb
architecture=$(dpkg --print-architecture)
multiarch=$(dpkg-architecture -qDEB_HOST_MULTIARCH)
maintainer="${DEBFULLNAME:-The Surtitle authors} <${DEBEMAIL:-surtitle@example.invalid}>"

# put MODE SOURCE DESTINATION: a file of the package in $tree.
put() { install -D -m "$1" "$2" "$tree/$3"; }

# package NAME FILLER: the package of what FILLER puts into $tree, which may set `fields`, a sed script for the control file.
package() {
  local name=$1 fields='' documents depends
  tree=$work/$name
  documents=usr/share/doc/$name
  mkdir -p "$tree/DEBIAN"
  "$2"
  put 644 "$controls/copyright" "$documents/copyright"
  printf 'surtitle (%s) unstable; urgency=medium\n\n  * What is new: CHANGELOG.md of the sources.\n\n -- %s  %s\n' \
    "$version" "$maintainer" "$(date -R -d "@$SOURCE_DATE_EPOCH")" | gzip -9n >"$work/changelog.gz"
  put 644 "$work/changelog.gz" "$documents/changelog.gz"

  # Which libraries its programs need, and from which version on.
  mapfile -t programs < <(find "$tree/usr" -type f \( -perm -u+x -o -name '*.so*' \))
  depends=''
  if [ "${#programs[@]}" -gt 0 ]; then
    mkdir -p "$work/shlibs/debian"
    touch "$work/shlibs/debian/control"
    depends=$(cd "$work/shlibs" && dpkg-shlibdeps -O "${programs[@]}" 2>/dev/null | sed -n 's/^shlibs:Depends=//p')
  fi
  {
    sed -e "s/@VERSION@/$version/g; s/@LIBRARIES@/$depends/" -e "$fields" "$controls/$name.control"
    printf 'Version: %s\nArchitecture: %s\nMaintainer: %s\nInstalled-Size: %s\n' "$version" "$architecture" "$maintainer" \
      "$(find "$tree/usr" -type f -printf '%s\n' | awk '{ size += int(($1 + 1023) / 1024) } END { print size }')"
  } >"$work/control"
  # Description is the last field, since it has several lines.
  { grep -vE '^(Description:| )' "$work/control" && grep -E '^(Description:| )' "$work/control"; } >"$tree/DEBIAN/control"
  (cd "$tree" && find usr -type f -print0 | sort -z | xargs -0 md5sum) >"$tree/DEBIAN/md5sums"
  for script in postinst prerm postrm; do
    [ ! -e "$controls/$name.$script" ] || install -m 755 "$controls/$name.$script" "$tree/DEBIAN/$script"
  done
  find "$tree" -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +
  silent dpkg-deb --root-owner-group -Zxz --build "$tree" "$output/${name}_${version}_$architecture.deb"
  made "$output/${name}_${version}_$architecture.deb"
}

the_command() {
  put 755 "$SURTITLE_STATIC" usr/bin/surtitle
  completions_and_page "$work"
  put 644 "$work/surtitle.bash" usr/share/bash-completion/completions/surtitle
  put 644 "$work/surtitle.zsh" usr/share/zsh/vendor-completions/_surtitle
  put 644 "$work/surtitle.fish" usr/share/fish/vendor_completions.d/surtitle.fish
  gzip -9n "$work/surtitle.1"
  put 644 "$work/surtitle.1.gz" usr/share/man/man1/surtitle.1.gz
}

the_library() {
  put 644 "$PREFIX/lib/libsurtitle.so.0" "usr/lib/$multiarch/libsurtitle.so.0"
  printf 'libsurtitle 0 libsurtitle0 (>= %s)\n' "$version" >"$tree/DEBIAN/shlibs"
  printf 'activate-noawait ldconfig\n' >"$tree/DEBIAN/triggers"
}

the_headers() {
  put 644 "$PREFIX/include/surtitle.h" usr/include/surtitle.h
  put 644 "$PREFIX/lib/libsurtitle.a" "usr/lib/$multiarch/libsurtitle.a"
  ln -s libsurtitle.so.0 "$tree/usr/lib/$multiarch/libsurtitle.so"
  sed "s|^prefix=.*|prefix=/usr|; s|^libdir=.*|libdir=\${prefix}/lib/$multiarch|" "$PREFIX/lib/pkgconfig/surtitle.pc" >"$work/surtitle.pc"
  put 644 "$work/surtitle.pc" "usr/lib/$multiarch/pkgconfig/surtitle.pc"
}

the_module() {
  # Without what debuggers read, which has the paths of this machine.
  CFLAGS=-g0 silent Sources/NginxModule/build.sh "$PREFIX" "$work/module.so"
  strip --strip-unneeded "$work/module.so"
  put 644 "$work/module.so" usr/lib/nginx/modules/ngx_http_surtitle_module.so
  printf 'load_module modules/ngx_http_surtitle_module.so;\n' >"$work/module.conf"
  put 644 "$work/module.conf" usr/share/nginx/modules-available/mod-http-surtitle.conf
  # It must be built for exactly the nginx that loads it: Debian's name for that.
  fields="s/@NGINX@/$(sed -n 's/^nginx:abi=//p' /usr/share/nginx/src/debian/libnginx-mod.abisubstvars)/"
}

package surtitle the_command
package libsurtitle0 the_library
package libsurtitle-dev the_headers
package libnginx-mod-http-surtitle the_module
