#!/usr/bin/env bash
# Compiles every module below the command line but the hosted ones, its C too, for other systems: as Embedded Swift, whose standard library the toolchain
# ships for all of them. The modules are those of Package.swift (modules.py), so that a new one needs no line here.
#
#   cross.sh [TARGET…]        all targets, two at a time, or only those named
set -euo pipefail
cd "$(dirname "$0")/../.."
root=$PWD
# The oldest iOS that the toolchain has an Embedded standard library for is 18; availability.py has the older ones.
targets=("$@")
[ $# -gt 0 ] || targets=(arm64-apple-ios18.0 arm64-apple-none-macho wasm32-unknown-none-wasm riscv64-none-none-eabi)
mapfile -t modules < <(python3 Tests/Portability/modules.py)
[ ${#modules[@]} -gt 0 ]
clang=$(dirname "$(readlink -f "$(command -v swiftc)")")/clang

# cross TARGET: fails at the first module that does not compile.
cross() {
  local target=$1 out=$root/.build/portability/cross/$1 module file started=$SECONDS includes=()
  rm -rf "$out"
  mkdir -p "$out"
  # -ffreestanding keeps clang on its own stdint.h.
  includes=(-ffreestanding)
  for module in "${modules[@]}"; do
    local sources=Sources/$module
    if [ -d "$sources/include" ]; then
      mkdir -p "$out/$module"
      printf 'module %s { umbrella "%s" export * }\n' "$module" "$root/$sources/include" >"$out/$module/module.modulemap"
      includes+=("-I$root/$sources/include" "-fmodule-map-file=$out/$module/module.modulemap")
    fi
    local swift=() c=() imported=()
    for file in "${includes[@]}"; do imported+=(-Xcc "$file"); done
    mapfile -t swift < <(find "$sources" -name '*.swift' | sort)
    mapfile -t c < <(find "$sources" -path '*/examples' -prune -o -name '*.c' -print | sort)
    for file in "${c[@]}"; do
      "$clang" -target "$target" -O2 -Wall -Wextra -Werror "${includes[@]}" -c -o "$out/$module-$(basename "$file").o" "$file" || return 1
    done
    if [ ${#swift[@]} -gt 0 ]; then
      swiftc -target "$target" -enable-experimental-feature Embedded -wmo -parse-as-library -Onone -swift-version 6 -strict-memory-safety \
        -warnings-as-errors -package-name surtitle -I "$out" "${imported[@]}" -module-name "$module" -emit-module \
        -emit-module-path "$out/$module.swiftmodule" -c -o "$out/$module.o" "${swift[@]}" || return 1
    fi
    [ ${#swift[@]} -gt 0 ] || [ ${#c[@]} -gt 0 ] || { echo "$module has nothing to compile" >&2; return 1; }
  done
  echo "$target: ${modules[*]}, $((SECONDS - started)) s"
}

failed=0
running=()
for target in "${targets[@]}"; do
  if [ ${#running[@]} -ge 2 ]; then
    wait "${running[0]}" || failed=1
    running=("${running[@]:1}")
  fi
  cross "$target" &
  running+=($!)
done
for job in "${running[@]}"; do wait "$job" || failed=1; done
exit "$failed"
