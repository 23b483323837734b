#!/usr/bin/env bash
# Checks every form of the kernels of Sources/CByteScan against naive answers and against each other: run.sh
# What this machine cannot run itself is cross-compiled and run by qemu-user: NEON, and the portable form for words that are
# laid out the other way (s390x) and for words of 32 bits (armhf). WebAssembly runs under node. AVX-512, which qemu has not, runs
# where the processor has it, and everywhere by SIMDe, which computes what the instructions would. See kernels.c.
#
# In CI, as root on Debian, what is missing is installed and nothing is skipped. Elsewhere a form whose tools are missing is
# skipped, and said to be.
set -euo pipefail
cd "$(dirname "$0")"

readonly packages=(gcc libc6-dev qemu-user-static gcc-aarch64-linux-gnu libc6-dev-arm64-cross
  gcc-s390x-linux-gnu libc6-dev-s390x-cross gcc-arm-linux-gnueabihf libc6-dev-armhf-cross libsimde-dev wasi-libc nodejs)
is_ci=false
if [ "${CI:-}" = true ] && [ "$(id -u)" -eq 0 ] && command -v apt-get >/dev/null; then
  is_ci=true
  if ! dpkg-query -W -f '${db:Status-Status}\n' "${packages[@]}" 2>&1 | awk '$0 != "installed" { exit 1 }'; then
    apt-get update -qq
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${packages[@]}" >/dev/null </dev/null
  fi
fi

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
readonly source=../../Sources/CByteScan
readonly flags=(-std=gnu11 -O2 -Wall -Wextra -Werror "-I$source/include")
readonly files=(kernels.c "$source/dispatch.c" "$source"/forms/*.c)
failed=0
skipped=0
first=''

skip() {
  printf '%-34s skipped: %s\n' "$1" "$2"
  skipped=$((skipped + 1))
  if "$is_ci"; then failed=1; fi
}

# form NAME MACHINE ARGUMENT COMPILER FLAG…: builds the kernels and runs one form of them, by qemu-MACHINE-static unless
# MACHINE is `native`, or `wasm`. All forms must answer as the first one does.
form() {
  local name=$1 machine=$2 argument=$3 compiler=$4
  shift 4
  local runner=() status=0
  case $machine in
    native) ;;
    wasm) runner=(node --no-warnings run_wasm.mjs) ;;
    *) runner=("qemu-$machine-static") ;;
  esac
  for tool in "$compiler" "${runner[@]:0:1}"; do
    command -v "$tool" >/dev/null || { skip "$name" "there is no $tool"; return; }
  done
  if ! "$compiler" "${flags[@]}" "$@" "${files[@]}" -o "$scratch/kernels"; then
    printf '%-34s cannot be built\n' "$name"
    failed=1
    return
  fi
  "${runner[@]}" "$scratch/kernels" "$argument" >"$scratch/digests" 2>"$scratch/complaint" || status=$?
  if [ "$status" -eq 77 ]; then
    printf '%-34s skipped: %s\n' "$name" "$(cat "$scratch/complaint")"
    skipped=$((skipped + 1))
  elif [ "$status" -ne 0 ]; then
    printf '%-34s FAILED with status %d\n' "$name" "$status"
    head -c 4000 "$scratch/complaint"
    failed=1
  elif [ -z "$first" ]; then
    first=$name
    cp "$scratch/digests" "$scratch/expected"
    printf '%-34s ok, %d answers\n' "$name" "$(awk '{ sum += $2 } END { print sum }' "$scratch/digests")"
  elif ! diff "$scratch/expected" "$scratch/digests" >"$scratch/difference"; then
    printf '%-34s FAILED: answers other than "%s"; lay `kernels -v` of both side by side\n' "$name" "$first"
    cat "$scratch/difference"
    failed=1
  else
    printf '%-34s ok\n' "$name"
  fi
}

form 'gcc, this machine' native base gcc
form 'gcc, this machine, as chosen' native best gcc
form 'gcc, portable' native best gcc -DBYTESCAN_PORTABLE
form 'gcc, checked by sanitizers' native best gcc -fsanitize=address,undefined -fno-sanitize-recover=all
form 'gcc, portable, by sanitizers' native best gcc -DBYTESCAN_PORTABLE -fsanitize=address,undefined -fno-sanitize-recover=all
if [ "$(uname -m)" = x86_64 ]; then
  form 'gcc, AVX2' native avx2 gcc
  form 'gcc, AVX-512' native avx512 gcc
  QEMU_CPU=qemu64 form 'gcc, a processor without AVX2' x86_64 best gcc -static
fi
form 'gcc, arm64, NEON' aarch64 best aarch64-linux-gnu-gcc -static
form 'gcc, arm64, portable' aarch64 best aarch64-linux-gnu-gcc -static -DBYTESCAN_PORTABLE
form 'gcc, s390x, portable, big-endian' s390x best s390x-linux-gnu-gcc -static
form 'gcc, armhf, portable, 32 bits' arm best arm-linux-gnueabihf-gcc -static

# Without AVX-512, gcc notes that it passes 64 bytes in memory: -Wno-psabi.
if [ -e /usr/include/simde/x86/avx512.h ]; then
  form 'gcc, AVX-512 in emulation' native avx512 gcc -Wno-psabi -I. '-DBYTESCAN_EMULATES_AVX512=<avx512_by_simde.h>'
  form 'gcc, the same, by sanitizers' native avx512 gcc -Wno-psabi -I. '-DBYTESCAN_EMULATES_AVX512=<avx512_by_simde.h>' \
    -fsanitize=address,undefined -fno-sanitize-recover=all
else
  skip 'gcc, AVX-512 in emulation' 'there is no SIMDe'
fi

# The clang that Swift compiles the kernels with: another one in the path need not have a linker for WebAssembly.
if command -v swiftc >/dev/null; then
  clang=$(dirname "$(readlink -f "$(command -v swiftc)")")/clang
else
  clang=clang
fi
if command -v "$clang" >/dev/null; then
  form 'clang, this machine' native base "$clang"
  form 'clang, portable' native best "$clang" -DBYTESCAN_PORTABLE
  if [ "$(uname -m)" = x86_64 ]; then
    form 'clang, AVX2' native avx2 "$clang"
    form 'clang, AVX-512' native avx512 "$clang"
  fi
  # What else it needs for the other machine it finds beside that machine's gcc.
  if command -v aarch64-linux-gnu-gcc >/dev/null; then
    form 'clang, arm64, NEON' aarch64 best "$clang" --target=aarch64-linux-gnu -static
  fi
  # The toolchain has no runtime library for WebAssembly, and the kernels need none.
  if [ -e /usr/lib/wasm32-wasi/libc.a ]; then
    readonly wasm=(--target=wasm32-wasi --sysroot=/usr -nodefaultlibs -Wl,-lc)
    form 'clang, WebAssembly, simd128' wasm best "$clang" "${wasm[@]}" -msimd128
    form 'clang, WebAssembly, portable' wasm best "$clang" "${wasm[@]}"
  else
    skip 'clang, WebAssembly' 'there is no wasi-libc'
  fi
fi

if [ "$failed" -ne 0 ]; then
  echo 'run.sh: not all forms of the kernels are as they must be' >&2
  exit 1
fi
if [ "$skipped" -gt 0 ]; then printf '%d skipped; on Debian: apt-get install %s\n' "$skipped" "${packages[*]}"; fi
