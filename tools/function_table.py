"""The table of public functions, as the library is built: for docs.py and api_coverage.py."""
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BUILD = ROOT / "build" / "dev"


def functions():
    """(module, signature, doc) of each line, by module and name. Builds what is needed."""
    if not (BUILD / "build.ninja").exists():
        subprocess.run(["cmake", "--preset", "dev"], cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    subprocess.run(["cmake", "--build", "--preset", "dev", "--target", "function_lines"], cwd=ROOT, check=True,
                   stdout=subprocess.DEVNULL)
    text = subprocess.run([BUILD / "tests" / "function_lines"], check=True, capture_output=True, text=True).stdout
    return sorted(tuple(line.split("\t")) for line in text.splitlines())
