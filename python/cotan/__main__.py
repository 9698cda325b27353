"""python -m cotan PROGRAM.py [ARGS]: runs a program written for JAX, with `jax` meaning cotan. Also `-m MODULE`, `-c CODE`, and `-` for
standard input."""
import runpy
import sys

import cotan

_USAGE = "usage: python -m cotan [-m MODULE | -c CODE | PROGRAM.py | -] [ARGS...]"


def main():
    arguments = sys.argv[1:]
    if not arguments or arguments[0] in ("-h", "--help"):
        print(_USAGE, file=sys.stderr if not arguments else sys.stdout)
        return 0 if arguments else 2
    cotan.install_as_jax()
    first, rest = arguments[0], arguments[1:]
    if first in ("-m", "-c") and not rest:
        print(_USAGE, file=sys.stderr)
        return 2
    if first == "-m":
        sys.argv = rest
        sys.path.insert(0, "")
        runpy.run_module(rest[0], run_name="__main__", alter_sys=True)
    elif first in ("-c", "-"):
        code, sys.argv = (rest[0], ["-c"] + rest[1:]) if first == "-c" else (sys.stdin.read(), ["-"] + rest)
        sys.path.insert(0, "")
        exec(compile(code, "<string>" if first == "-c" else "<stdin>", "exec"), {"__name__": "__main__", "__builtins__": __builtins__})
    else:
        import os
        sys.argv = arguments
        sys.path[0] = os.path.dirname(os.path.abspath(first))
        runpy.run_path(first, run_name="__main__")
    return 0


def _main():
    """main(), with the traceback of an error that nobody catches as it is without this module."""
    try:
        return main()
    except Exception as error:
        trace = error.__traceback__
        while trace and (trace.tb_frame.f_code.co_filename == __file__ or trace.tb_frame.f_code.co_filename.startswith("<frozen runpy")):
            trace = trace.tb_next
        sys.excepthook(type(error), error.with_traceback(trace), trace)
        return 1


if __name__ == "__main__":
    sys.exit(_main())
