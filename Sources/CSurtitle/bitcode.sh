#!/usr/bin/env bash
# Compiles the Swift modules under the C interface as Embedded Swift, small: bitcode.sh TARGET OUTDIR [CLANG-FLAG…]
#
#   OUTDIR/MODULE.bc   one for each module, to be optimized as one program when they are linked
#
# The flags are for both compilers, Swift's clang and the one inside swiftc. SMALLEST are the modules in which nothing is inlined before LLVM:
# those where it makes the code larger and nothing faster. INLINED is a regular expression: calls in M3U8 of functions whose
# mangled name goes on so after its prefix are inlined all the same, unless the source forbids it. SWIFTFLAGS are more options for the Swift compiler.
set -euo pipefail

target=$1
mkdir -p "$2"
output=$(cd "$2" && pwd)
shift 2
cd "$(dirname "$0")/../.."
tools=$(dirname "$(readlink -f "$(command -v swiftc)")")
read -ra more <<<"${SWIFTFLAGS:-}"

flags=("$@")
for module in CByteScan CSurtitle; do
  mkdir -p "$output/$module"
  printf 'module %s { umbrella "%s" export * }\n' "$module" "$PWD/Sources/$module/include" >"$output/$module/module.modulemap"
  flags+=("-I$PWD/Sources/$module/include" "-fmodule-map-file=$output/$module/module.modulemap")
done
imported=()
for flag in "${flags[@]}"; do imported+=(-Xcc "$flag"); done

small=(-Xfrontend -mergeable-traps)
for pass in closure-specialize capture-prop; do small+=(-Xllvm "-sil-disable-pass=$pass"); done
smaller=("${small[@]}" -Xfrontend -ignore-always-inline)
for pass in early-inline inline late-inline; do smaller+=(-Xllvm "-sil-disable-pass=$pass"); done

for module in ByteScan M3U8 WebVTT Sideload Delivery SurtitleC; do
  case " $SMALLEST " in
    *" $module "*) options=("${smaller[@]}") ;;
    *) options=("${small[@]}") ;;
  esac
  mapfile -t files < <(find "Sources/$module" -name '*.swift' | sort)
  swiftc -target "$target" -enable-experimental-feature Embedded -wmo -parse-as-library -Osize -swift-version 6 -strict-memory-safety \
    -enforce-exclusivity=unchecked -Xfrontend -disable-stack-protector "${options[@]}" "${more[@]}" -package-name surtitle \
    -I "$output" "${imported[@]}" -module-name $module -emit-module -emit-module-path "$output/$module.swiftmodule" \
    -emit-irgen -o "$output/$module.ll" "${files[@]}"
  # A call of swift_retain is short; the compiler would put its body in the place of each.
  sed -i -E '/^define .*@swift_[A-Za-z_]+\(/s/ (#[0-9]+ .*\{)$/ noinline \1/' "$output/$module.ll"
  # What goes over bytes keeps its loops whole, where the linker makes functions of what several others have in common.
  case $module in
    ByteScan | M3U8 | WebVTT) sed -i -E 's/^(attributes #.*) optsize /\1 "nooutline" optsize /' "$output/$module.ll" ;;
  esac
  if [ $module = M3U8 ] && [ -n "${INLINED:-}" ]; then
    awk -v names="@\"[$]e($INLINED)" '
      FNR == NR { if (/^attributes .* noinline /) never[$2]; next }
      /^define / && $0 ~ names && !/ noinline / {
        match($0, / #[0-9]+ /)
        if (!(substr($0, RSTART + 1, RLENGTH - 2) in never)) sub(/ #[0-9]+ /, " alwaysinline&")
      }
      { print }' "$output/$module.ll" "$output/$module.ll" >"$output/$module.inlined.ll"
    mv "$output/$module.inlined.ll" "$output/$module.ll"
  fi
  "$tools/clang" --target="$target" "$@" -Oz -flto -Wno-unused-command-line-argument -Wno-override-module -c "$output/$module.ll" \
    -o "$output/$module.bc"
done
