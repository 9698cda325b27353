#!/usr/bin/env python3
"""Asserts that no fused multiply-add stands in the object code of tile files whose rules use none.

usage: check_contraction.py OBJECTS_FOLDER [OBJDUMP]     looks for *.o below the folder, by the names of their sources

Rules round a product before it is added. GCC fuses the two in spite of -ffp-contract=off in vectorised complex products
(kernel::unfused prevents it), and without the flag everywhere.
"""
import pathlib
import re
import subprocess
import sys

# Families whose rules call no fma. convert_float is left out: there GCC converts uint32 by an exact multiply-add.
FAMILIES = ["arith", "arith_int", "argmax", "bits", "compare", "convert_int", "random", "reduce", "select"]
# arith_complex uses fma by name; the alternating form is what must not occur there.
ALTERNATING = ["arith_complex"]

FUSED = re.compile(r"\t(vfn?m(add|sub)\w*|fn?m(add|sub)\b|fml[as]\b|fcmla\b)")
FUSED_ALTERNATING = re.compile(r"\t(vfm(addsub|subadd)\w*|fcmla\b)")


def objects(folder, family):
    return [p for p in pathlib.Path(folder).rglob("*.o") if p.name.split(".")[0] == family + "_tiles"]


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    folder, objdump = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else "objdump"
    failed = False
    for family, pattern in [(f, FUSED) for f in FAMILIES] + [(f, FUSED_ALTERNATING) for f in ALTERNATING]:
        found = objects(folder, family)
        if not found:
            print(f"{family}_tiles: no object file below {folder}")
            failed = True
        for path in found:
            text = subprocess.run([objdump, "-dC", "--no-show-raw-insn", str(path)], check=True, capture_output=True, text=True).stdout
            function, hits = "?", []
            for line in text.splitlines():
                if line.endswith(">:"):
                    function = line
                elif pattern.search(line):
                    hits.append(f"  {function}\n   {line.strip()}")
            if hits:
                failed = True
                print(f"{path}: {len(hits)} fused multiply-adds in rules without fma\n" + "\n".join(hits[:5]))
    if failed:
        sys.exit(1)
    print(f"no contraction in {len(FAMILIES) + len(ALTERNATING)} families")


if __name__ == "__main__":
    main()
