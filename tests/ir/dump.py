"""cotan-dump, and COTAN_DUMP while a program runs.

    dump.py COTAN_DUMP_PROGRAM PROGRAM_THAT_RUNS_PASSES
"""
import os
import pathlib
import subprocess
import sys

dump, runner = sys.argv[1:]
source = pathlib.Path(__file__).with_name("dump.txt").read_text()


def run(command, text="", **environment):
    return subprocess.run(command, input=text, capture_output=True, text=True, env={**os.environ, **environment})


def expect(got, want, what):
    if got != want:
        sys.exit(f"{what}: got\n{got}\nexpected\n{want}")


def program(*equations):
    return "{ lambda ; %0:f32[3] . let\n" + "".join(f"    {e};\n" for e in equations[:-1]) + f"  in ({equations[-1]}) }}\n"


r = run([dump, "-", "--to", "simplify"], source)
expect(r.stdout, program("%1:f32[3] = sin %0", "%2:f32[3] = mul %0 1.0:f32[]", "%3:f32[3] = sin %0", "%4:f32[3] = mul %1 %3", "%4"), "--to")
r = run([dump, "-", "--times"], source)
expect(r.stdout, program("%1:f32[3] = sin %0", "%2:f32[3] = mul %1 %1", "%2"), "all passes")
expect([line.split()[0] for line in r.stderr.splitlines()], ["inline", "prune", "fold", "simplify", "cse", "dce"], "--times")

r = run([dump, "-", "--to", "fuse"], source)
expect((r.stdout.splitlines()[0], r.stdout.count("program [3]")), ("plan", 1), "--to a pass over plans")

r = run([dump, "-", "--to", "loop"], source)
expect((r.returncode, r.stderr.splitlines()[0]),
       (1, "cotan-dump: there is no pass 'loop', the passes are inline, prune, fold, simplify, cse, dce"), "no such pass")
r = run([dump, "-"], "{ lambda")
expect((r.returncode, r.stderr.startswith("cotan-dump: parse_jaxpr: line 1")), (1, True), "no program")
expect(run([dump]).returncode, 2, "no file")

case = [runner, "--gtest_filter=Passes.TheSwitchChoosesTheForm"]
expect([line for line in run(case, COTAN_DUMP="cse, dce").stderr.splitlines() if line.startswith("---")],
       ["--- after cse", "--- after dce"], "COTAN_DUMP")
r = run(case, COTAN_DUMP="loop")
expect((r.returncode != 0, "COTAN_DUMP: there is no pass 'loop'" in r.stdout), (True, True), "COTAN_DUMP of no pass")
