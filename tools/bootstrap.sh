#!/bin/bash
# Installs the Debian packages that a group of commands needs and that are absent. Says nothing when none is.
#   tools/bootstrap.sh build|python|lint|nightly
set -euo pipefail

case "${1:-build}" in
  build) packages=(g++ make cmake ninja-build python3 mold ccache
    libhwy-dev libblis-serial-dev libdw-dev libgtest-dev libbenchmark-dev libmpfr-dev) ;;
  python) packages=(python3-venv python3-dev) ;;
  lint) packages=(clang-format) ;;
  nightly) packages=(g++-aarch64-linux-gnu qemu-user googletest) ;;
  *) echo "usage: $0 build|python|lint|nightly" >&2; exit 2 ;;
esac

if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
  echo "tools/bootstrap.sh: no apt-get here; please see to it that these are installed: ${packages[*]}" >&2
  exit 0
fi
missing=()
for package in "${packages[@]}"; do
  status=$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null || true)
  [ "$status" = installed ] || missing+=("$package")
done
[ ${#missing[@]} -gt 0 ] || exit 0

echo "installing ${missing[*]}"
sudo=()
[ "$(id -u)" -eq 0 ] || sudo=(sudo)
export DEBIAN_FRONTEND=noninteractive
log=$(mktemp)
trap 'rm -f "$log"' EXIT
# `env` hands the variable through sudo.
install() {
  "${sudo[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends "${missing[@]}" \
    </dev/null >"$log" 2>&1
}
# The package lists may be absent or old: fetch them only when installing fails without.
install || { "${sudo[@]}" apt-get update -q </dev/null >"$log" 2>&1 && install; } || {
  cat "$log" >&2
  echo "tools/bootstrap.sh: could not install ${missing[*]}" >&2
  exit 1
}
