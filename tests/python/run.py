"""Runs pytest on this folder, with the report where tools/run_tests.py looks for it."""
import os
import sys
from pathlib import Path

import pytest

report = os.environ.get("COTAN_PYTEST_REPORT")
sys.exit(pytest.main(["-q", "-p", "no:cacheprovider", str(Path(__file__).parent), *([f"--junitxml={report}"] if report else []), *sys.argv[1:]]))
