#!/usr/bin/env bash
# Builds the module for the nginx that Debian has installed: build.sh PREFIX [OUTPUT]
#
# PREFIX is where Sources/CSurtitle/install.sh has put libsurtitle. OUTPUT is the file to be, ngx_http_surtitle_module.so in this folder
# unless given. Needs nginx-dev, whose version is nginx's own, and gcc. CFLAGS is added, as "-fsanitize=address".
#
# For an nginx of your own: SURTITLE_PREFIX=PREFIX ./configure … --add-dynamic-module=THIS_FOLDER in its sources.
set -euo pipefail

if [ $# -lt 1 ] || [ $# -gt 2 ] || [ "${1#-}" != "$1" ]; then
  echo "usage: ${0##*/} PREFIX [OUTPUT]" >&2
  exit 2
fi
SURTITLE_PREFIX=$(cd "$1" && pwd)
export SURTITLE_PREFIX
folder=$(cd "$(dirname "$0")" && pwd)
output=$(realpath -m "${2:-$folder/ngx_http_surtitle_module.so}")
sources=${NGINX_SOURCES:-/usr/share/nginx/src}
if [ ! -f "$sources/conf_flags" ]; then
  echo "${0##*/}: there is no $sources/conf_flags; install nginx-dev" >&2
  exit 1
fi

# configure writes into its own folder.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp -rL "$sources/." "$work"
# shellcheck source=/dev/null
. "$work/conf_flags"
cd "$work"
if ! ./configure "${NGX_CONF_FLAGS[@]}" --with-cc-opt="-O2 -g -fPIC -fstack-protector-strong ${CFLAGS:-}" \
  --with-ld-opt="-Wl,-z,relro -Wl,-z,now -fPIC ${CFLAGS:-}" --add-dynamic-module="$folder" >log 2>&1 ||
  ! make -s -j2 -f objs/Makefile modules >>log 2>&1; then
  cat log >&2
  exit 1
fi
install -m 644 objs/ngx_http_surtitle_module.so "$output"
echo "$output is for $(sed -n 's/.*NGINX_VERSION *"\(.*\)"/nginx \1/p' src/core/nginx.h)"
