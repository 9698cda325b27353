"""Writes tests/acceptance/tour.cc without the sections whose parts of Cotan have not landed: tour_sections.py IN OUT.

Lines keep their numbers. When WAITING is empty, this script goes and the program itself is the test.
"""
import sys

WAITING = ("structured control flow", "custom derivatives")
MARK = "  // --- "


def main(source, target):
    out, skipping, seen = [], False, set()
    for line in open(source):
        if line.startswith(MARK):
            title = next((w for w in WAITING if line[len(MARK):].startswith(w)), None)
            skipping = title is not None
            seen.add(title)
        out.append("\n" if skipping else line)
    missing = set(WAITING) - seen
    if missing:
        sys.exit(f"{source}: no section starts with {sorted(missing)}")
    open(target, "w").writelines(out)


if __name__ == "__main__":
    main(*sys.argv[1:])
