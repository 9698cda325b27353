"""Writes index_values.txt: reads x[...] and updates x.at[...] of drawn index expressions, as JAX answers them.

A line: the method of x.at, (x, index) or (x, index, value), the keywords, the result; in the form of functions.py.
"""
import pathlib
import random
import sys

import functions
import jax
import jax.numpy as jnp

R = random.Random(5)
UPDATES = ["set", "add", "subtract", "multiply", "divide", "power", "min", "max"]
MODES = [None, None, None, "fill", "drop", "clip", "promise_in_bounds"]


def draw_slice(n):
    bound = lambda: R.choice([None, None, R.randint(-n - 2, n + 2)])
    return slice(bound(), bound(), R.choice([None, None, 1, 2, 3, -1, -2]))


def draw_array(n, shape, dtype, outside):
    low, high = (-n - 3, n + 2) if outside else (-n, n - 1)
    if dtype.startswith("u"):
        low = 0
    size = 1
    for s in shape:
        size *= s
    return jnp.array([R.randint(low, max(low, high)) for _ in range(size)], dtype).reshape(shape)


def draw_index(shape, static):
    """A tuple that indexes an array of the shape."""
    out, axis, arrays, dots = [], 0, R.choice([(), (2,), (3,), (2, 2), (1, 3), (0,)]), False
    while axis < len(shape):
        kind = R.choice(["int", "slice", "slice", "none", "end", "dots"] if static else
                        ["int", "slice", "slice", "none", "array", "array", "scalar", "mask", "truth", "end", "dots"])
        n = shape[axis]
        if kind == "none":
            out.append(None)
            if len(out) > 5:
                break
        elif kind == "end":
            break
        elif kind == "dots":
            if not dots:
                dots = True
                out.append(...)
                axis += R.randint(0, len(shape) - axis)
        elif kind == "truth":
            if R.random() < 0.2:
                out.append(R.random() < 0.7)
        elif kind == "int":
            out.append(R.randint(-n, n - 1) if n and R.random() < 0.85 else R.randint(-n - 3, n + 2))
            axis += 1
        elif kind == "slice":
            out.append(draw_slice(n))
            axis += 1
        elif kind == "scalar":
            out.append(draw_array(n, (), R.choice(["int32", "int8", "uint8"]), R.random() < 0.3))
            axis += 1
        elif kind == "array":
            s = R.choice([arrays, arrays, arrays[1:], (1,) + arrays[1:]])
            out.append(draw_array(n, s, R.choice(["int32", "int32", "int16", "uint8"]), R.random() < 0.3))
            axis += 1
        elif kind == "mask":
            k = R.choice([1, 1, 2]) if axis + 1 < len(shape) else 1
            if arrays in ((), (2,), (3,)) and R.random() < 0.5:
                out.append(jnp.array([R.random() < 0.5 for _ in range(int(jnp.prod(jnp.array(shape[axis:axis + k]))))],
                                     bool).reshape(shape[axis:axis + k]))
                axis += k
    return tuple(out)


def value_for(shape, dtype):
    keep = R.randint(0, len(shape))
    s = tuple(n if R.random() < 0.8 else 1 for n in shape[len(shape) - keep:])
    return functions.ramp(dtype, s, R.randint(1, 3)) if R.random() < 0.8 else R.choice([2, 1.5, jnp.float32(3), jnp.int32(2)])


def answer(f):
    try:
        return functions.text(f())
    except Exception as e:
        return "!" + functions.class_name(e)


def main(target):
    lines = []
    for k in range(240):
        shape = R.choice([(5,), (3, 4), (4, 3), (2, 3, 4), (3, 1, 2), (2, 2, 2, 3), (0, 3), (2, 0), ()])
        dtype = R.choice(["float32", "float32", "int32", "uint8", "bool", "float16", "complex64"])
        x = functions.ramp(dtype, shape, R.randint(1, 3))
        index = draw_index(shape, k % 3 == 0)
        mode = R.choice(MODES)
        keywords = {} if mode is None else {"mode": mode}
        if R.random() < 0.1:
            keywords["wrap_negative_indices"] = False
        if k % 2 == 0:
            if mode == "fill" and R.random() < 0.5:
                keywords["fill_value"] = R.choice([0, 1, -1, 2.5])
            result = answer(lambda: x.at[index].get(**keywords))
            arguments, op = (x, index), "get"
        else:
            op = R.choice(UPDATES)
            try:
                inner = x[index].shape
            except Exception:
                inner = ()
            v = value_for(inner, R.choice([dtype, dtype, "int32", "float32"]))
            if op == "power":
                v = R.choice([1, 2, 0])
            result = answer(lambda: getattr(x.at[index], op)(v, **keywords))
            arguments = (x, index, v)
        lines.append("\t".join([op, functions.text(arguments), functions.text(keywords), result]))
    pathlib.Path(target).write_text("\n".join(lines) + "\n")
    print(len(lines), "lines", sum(l.rsplit("\t", 1)[1].startswith("!") for l in lines), "errors")


if __name__ == "__main__":
    main(sys.argv[1])
