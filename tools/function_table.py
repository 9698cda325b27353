"""The table of public functions, read from the sources: for docs.py and api_coverage.py."""
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
STRING = r'"(?:[^"\\]|\\.)*"'
LINE = re.compile(rf'>\(\s*((?:{STRING}\s*)+),\s*((?:{STRING}\s*)+)[,)]', re.S)


def literal(text):
    """Adjacent literals as one string."""
    return "".join(re.sub(r"\\(.)", r"\1", part[1:-1]) for part in re.findall(STRING, text))


def functions():
    """(module, signature, doc) of each line, by module and name."""
    found = []
    for path in sorted((ROOT / "src").rglob("*.cc")):
        text = path.read_text()
        for table in re.finditer(r'FunctionTable\s+\w+\{\s*"([\w.]+)",', text):
            end = re.search(r"\}\};\n", text[table.end():])
            body = text[table.end():table.end() + end.start()] if end else ""
            for line in LINE.finditer(body):
                signature = literal(line[1])
                if re.fullmatch(r"\w+\(.*\)", signature):
                    found.append((table[1], signature, literal(line[2])))
    return sorted(found)
