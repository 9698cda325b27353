"""Calls of lax's products: see functions.py."""
import jax.numpy as jnp
from functions import ramp

MIXED = [("int8", "uint8"), ("int32", "float32"), ("bfloat16", "float16"), ("float32", "bfloat16"), ("bool", "int32"), ("float32", "complex64"),
         ("uint8", "float32"), ("int8", "float16"), ("uint32", "int32")]
NUMBERS = [((2, 3), (3, 4), (((1,), (0,)), ((), ()))), ((3, 2), (4, 3), (((0,), (1,)), ((), ()))), ((3,), (3,), (((0,), (0,)), ((), ()))),
           ((2, 3, 4), (2, 4, 3), (((2,), (1,)), ((0,), (0,)))), ((3, 4, 2), (2, 5, 3), (((0,), (2,)), ((2,), (0,)))),
           ((2, 3), (3, 2), (((0, 1), (1, 0)), ((), ()))), ((2,), (3,), (((), ()), ((), ()))), ((3,), (3,), (((), ()), ((0,), (0,)))),
           ((2, 0), (0, 3), (((1,), (0,)), ((), ()))), ((0, 2), (2, 3), (((1,), (0,)), ((), ()))), ((), (), (((), ()), ((), ())))]
WRONG = [((2, 3), (4, 3), (((1,), (0,)), ((), ()))), ((2, 3), (3, 4), (((2,), (0,)), ((), ()))), ((2, 3), (3, 4), (((-1,), (0,)), ((), ()))),
         ((2, 3), (3, 2), (((0, 0), (1, 0)), ((), ()))), ((2, 3), (2, 3), (((1,), (1,)), ((1,), (1,)))), ((2, 3), (4, 3), (((1,), (1,)), ((0,), (0,)))),
         ((2, 3), (3, 4), (((1,), (0,)), ((0,), ())))]


def cases(c):
    c.tolerance("lax.dot_general lax.dot lax.batch_matmul", 8, 8)
    name = "lax.dot_general"
    for d in c.dtypes:
        for x, y, n in NUMBERS:
            c.call(name, ramp(d, x), ramp(d, y, 2), n)
        for p in c.dtypes:
            if not (d.startswith("complex") and (p == "bool" or p.startswith("uint"))):
                c.call(name, ramp(d, (2, 3)), ramp(d, (3, 2), 2), NUMBERS[0][2], preferred_element_type=p)
        if d in c.inexact:
            x, y, n = NUMBERS[4]
            c.vjp(name, c.draw(d, x), c.draw(d, y), n, argnums=(0, 1))
            c.vjp(name, c.draw(d, (2, 3)), c.draw(d, (3, 2)), NUMBERS[0][2], argnums=(0, 1), order=2)
    f, wide = ("float64", "complex128") if c.x64 else ("float32", "complex64")
    pairs = [("int64", "float32"), ("uint64", "int64"), ("float64", "complex64"), ("int32", "int64")] if c.x64 else MIXED
    for a, b in pairs:
        for p in (None, f, "int32", "bfloat16"):
            c.call(name, ramp(a, (2, 3)), ramp(b, (3, 2), 2), NUMBERS[0][2], preferred_element_type=p)
    for x, y, n in WRONG:
        c.call(name, ramp(f, x), ramp(f, y), n)
    for p in ("default", "high", "highest", "float32", "bfloat16", "tensorfloat32", "F32_F32_F32", "low", ("high", "default"), None):
        c.call(name, ramp(f, (2, 3)), ramp(f, (3, 2)), NUMBERS[0][2], precision=p)
    c.call(name, 2.0, 3, NUMBERS[-1][2])
    c.call(name, None, 3, NUMBERS[-1][2])
    for a, b in (((3,), (3,)), ((2, 3), (3,)), ((3,), (3, 2)), ((2, 3), (3, 4)), ((2, 3), (2, 3)), ((), (3,)), ((2, 3, 4), (4,))):
        c.call("lax.dot", ramp(f, a), ramp(f, b, 2))
        c.call("lax.dot", ramp("int32", a), ramp("int32", b, 2), preferred_element_type="int32", precision="high")
    c.call("lax.dot", ramp(f, (2, 3)), ramp(f, (2, 3)), dimension_numbers=(((1,), (1,)), ((0,), (0,))))
    c.vjp("lax.dot", c.draw(f, (2, 3)), c.draw(f, (3,)), argnums=(0, 1))
    for a, b in (((2, 3), (3, 4)), ((5, 2, 3), (5, 3, 4)), ((2, 2, 2, 3), (2, 2, 3, 1)), ((5, 2, 3), (4, 3, 2)), ((3,), (3,)), ((2, 3), (2, 3, 4)), ((0, 2, 3), (0, 3, 2))):
        for d in (f, wide, "int32"):
            c.call("lax.batch_matmul", ramp(d, a), ramp(d, b, 2))
    c.vjp("lax.batch_matmul", c.draw(f, (2, 2, 3)), c.draw(f, (2, 3, 2)), argnums=(0, 1))
