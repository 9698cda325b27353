#!/bin/bash
# The virtual environment .venv: what python/requirements-test.txt names, and the package as build/dev/python has it. Says nothing
# when it is there already.
set -euo pipefail
cd "$(dirname "$0")/.."
stamp=.venv/.requirements
if ! cmp -s <(cat python/requirements*.txt) "$stamp"; then
  echo "making .venv"
  [ -x .venv/bin/python ] || python3 -m venv .venv
  .venv/bin/python -m pip install -q --disable-pip-version-check -r python/requirements-test.txt
  .venv/bin/python - "$PWD/build/dev/python" <<'PY'
import pathlib, sys, sysconfig
pathlib.Path(sysconfig.get_paths()["purelib"], "cotan.pth").write_text(sys.argv[1] + "\n")
PY
  cat python/requirements*.txt >"$stamp"
fi
