#!/usr/bin/env bash
# Packs the WebAssembly module with its JavaScript and types for npm: npm.sh FOLDER. Needs npm, and what Sources/WebAssembly/build.sh needs.
# shellcheck source=.ci/packages/common.sh
. "$(dirname "$0")/common.sh"

SCRATCH=$PWD/.build/packages/wasm silent Sources/WebAssembly/build.sh "$work/package"
cp LICENSE "$work/package"
(cd "$work/package" && silent npm pack --pack-destination "$output")
made "$output/surtitle-$version.tgz"
