"""Calls of numpy's products and einsum: see functions.py."""
import jax.numpy as jnp
import numpy as np
from functions import ramp, weak


def cases(c):
    names = "numpy.dot numpy.matmul numpy.vdot numpy.inner numpy.outer numpy.vecdot numpy.matvec numpy.vecmat numpy.kron numpy.tensordot numpy.cross numpy.einsum"
    c.tolerance(names, 8, 4)
    d = "float64" if c.x64 else "float32"
    some = ["int64", "float64", "complex128", "uint64"] if c.x64 else ["bool", "int8", "uint16", "bfloat16", "float16", "float32", "complex64"]
    pairs = [("int32", d), (d, "complex64"), ("int8", "float16"), ("bfloat16", "float16"), ("bool", "int32")]
    for name in ("numpy.dot", "numpy.matmul", "numpy.inner", "numpy.vecdot", "numpy.tensordot", "numpy.vdot"):
        for a, b in [(t, t) for t in some] + pairs:
            c.call(name, ramp(a, (2, 3)), ramp(b, (3, 2) if name in ("numpy.dot", "numpy.matmul") else (2, 3), 2))
            c.call(name, ramp(a, (3,)), ramp(b, (3,), 2), **({"axes": 1} if name == "numpy.tensordot" else {}))
        for kwargs in ({"precision": "highest"}, {"precision": ("high", "default")}, {"precision": "sloppy"}, {"preferred_element_type": d}):
            c.call(name, ramp("float16", (3, 3)), ramp("float16", (3, 3), 2), **kwargs)
        for t, p in (("int8", "int32"), ("int32", "int8"), (d, "float16"), ("int32", d), (d, "int32"), (d, "complex64")):
            c.call(name, ramp(t, (3, 3)), ramp(t, (3, 3), 2), preferred_element_type=p)
        c.call(name, 2.0, 3)
        c.call(name, 2.0, ramp("int32", (3,)))
        c.call(name, weak(ramp(d, (3,))), weak(ramp(d, (3,))), **({"axes": 1} if name == "numpy.tensordot" else {}))
    for name in ("numpy.dot", "numpy.matmul", "numpy.inner", "numpy.vecdot", "numpy.vdot", "numpy.outer", "numpy.matvec", "numpy.vecmat", "numpy.kron", "numpy.tensordot"):
        for a, b in (((), (3,)), ((3,), ()), ((3,), (3,)), ((3,), (2,)), ((2, 3), (3,)), ((3,), (2, 3)), ((3,), (3, 2)), ((2, 3), (3, 2)), ((2, 3), (2, 3)),
                     ((2, 2, 3), (3, 2)), ((2, 3), (2, 3, 2)), ((2, 1, 2, 3), (3, 3, 2)), ((2, 1, 2, 3), (3, 2, 3)), ((2, 2, 3), (2, 3, 2)), ((1, 2, 3), (4, 3, 2)),
                     ((2, 2, 3), (3, 3, 2)), ((0, 3), (3, 2)), ((2, 0), (0, 3)), ((0,), (0,)), ((2, 3), (3, 0)), ((1, 1), (1, 1)), ((3, 3), (3, 3)), ((2, 3, 3), (3,)), ((2, 3, 3), (2, 3))):
            c.call(name, ramp(d, a), ramp(d, b, 2))
    for name in ("numpy.outer", "numpy.matvec", "numpy.vecmat", "numpy.kron"):
        for a, b in [(t, t) for t in some] + pairs:
            c.call(name, ramp(a, (3, 3) if name != "numpy.vecmat" else (3,)), ramp(b, (3,) if name != "numpy.vecmat" else (3, 3), 2))
    for args in ((0,), (1,), (2,), (3,), (-1,), (((0,), (0,)),), (((0, 1), (0, 1)),), (((1, 0), (1, 0)),), (((-1,), (-1,)),), ((1, 1),), (((0,), (1,)),), (((0,), (0, 1)),), (((5,), (0,)),), ((0, 1, 2),), ((1, (1,)),), (((0, 0), (0, 0)),)):
        c.call("numpy.tensordot", ramp(d, (2, 3)), ramp(d, (2, 3), 2), *args)
    x = ramp(d, (2, 3, 4))
    c.call("numpy.tensordot", x, ramp(d, (4, 3, 2), 2), ([0, 1], [2, 1]))
    for axis in (0, 1, -3, 3):
        c.call("numpy.vecdot", x, ramp(d, (2, 3, 4), 2), axis=axis)
    crosses(c, d, some)
    einsums(c, d, some)
    for name, a, b in (("numpy.dot", (2, 3), (3, 2)), ("numpy.matmul", (2, 1, 2, 3), (3, 3, 2)), ("numpy.vdot", (2, 2), (2, 2)), ("numpy.inner", (2, 3), (3,)),
                       ("numpy.outer", (2,), (3,)), ("numpy.vecdot", (2, 3), (3,)), ("numpy.matvec", (2, 3), (2, 1, 3)), ("numpy.vecmat", (3,), (2, 3, 2)),
                       ("numpy.kron", (2, 2), (2,)), ("numpy.tensordot", (2, 2), (2, 2)), ("numpy.cross", (2, 3), (3,))):
        for t in (d, "complex64"):
            c.vjp(name, c.draw(t, a), c.draw(t, b), argnums=(0, 1))
        c.vjp(name, c.draw(d, a), c.draw(d, b), argnums=(0, 1), order=2)


def crosses(c, d, some):
    for t in some:
        c.call("numpy.cross", ramp(t, (2, 3)), ramp(t, (2, 3), 2))
        c.call("numpy.cross", ramp(t, (2,)), ramp(t, (2,), 2))
    for a, b, kwargs in (((3,), (2,), {}), ((2,), (3,), {}), ((2, 3), (3,), {}), ((3, 2), (3, 2), {"axis": 0}), ((3, 2), (2, 3), {"axisa": 0}), ((3, 2), (3, 4), {"axisa": 0, "axisb": 0}),
                         ((2, 4, 3), (4, 3), {"axisc": 0}), ((2, 4, 3), (4, 3), {"axisc": 1}), ((2, 3), (2, 3), {"axisc": 5}), ((2, 2), (2, 2), {"axisc": 5}), ((4,), (4,), {}), ((1,), (3,), {}),
                         ((), (3,), {}), ((3,), (3,), {"axis": 1}), ((0, 3), (0, 3), {}), ((2, 3), (4, 3), {}), ((2, 2), (2, 3), {}), ((1, 3), (4, 2), {})):
        c.call("numpy.cross", ramp(d, a), ramp(d, b, 2), **kwargs)


def einsums(c, d, some):
    def call(text, *shapes, **kwargs):
        c.call("numpy.einsum", text, *(ramp(d, s, i + 1) for i, s in enumerate(shapes)), **kwargs)

    for t in some:
        for text, shapes in (("ij,jk", ((2, 3), (3, 2))), ("ij->j", ((2, 3),)), ("ii->i", ((3, 3),)), ("i,i,i->", ((3,), (3,), (3,)))):
            c.call("numpy.einsum", text, *(ramp(t, s, i + 1) for i, s in enumerate(shapes)))
    for text, *shapes in (("ij,kj->ki", (2, 3), (4, 3)), ("bij,bjk->bik", (2, 2, 3), (2, 3, 2)), ("bij,bjk,kl->bil", (2, 2, 3), (2, 3, 2), (2, 4)), ("ii", (3, 3)), ("ii->", (3, 3)),
                          ("bii->bi", (2, 3, 3)), ("iii->i", (3, 3, 3)), ("iijj->ji", (2, 2, 3, 3)), ("aab->a", (2, 2, 3)), ("ij->ji", (2, 3)), ("ij->", (2, 3)), ("ij", (2, 3)), ("ji", (2, 3)),
                          ("i,j->ij", (2,), (3,)), ("i,j->ji", (2,), (3,)), ("ij,ij->ij", (2, 3), (2, 3)), ("ij,ij", (2, 3), (2, 3)), ("ij,k->j", (2, 3), (4,)), (",ij->ij", (), (2, 3)), (",", (), ()),
                          ("...ij,...jk->...ik", (2, 2, 3), (3, 2)), ("...ij,...jk->...ik", (4, 1, 2, 3), (2, 3, 2)), ("...ij->ij", (2, 2, 3)), ("...ij,jk", (2, 2, 3), (3, 2)), ("i...j->...", (2, 3, 4)),
                          ("...->...", (2, 3)), ("...", (2, 3)), ("i...,i...->...", (2, 3, 4), (2, 1, 4)), ("i...,i->...i", (2, 3), (2,)), ("ij,ij->ij", (2, 3), (1, 3)), ("ij,jk->ik", (2, 1), (3, 2)),
                          ("ij,jk->ik", (2, 3), (1, 2)), ("ij,jk->ik", (2, 1), (1, 2)), ("ii,ij->j", (3, 3), (3, 2)), ("aab,bc->ac", (2, 2, 3), (3, 2)), ("i,ij,j->", (2,), (2, 3), (3,)), ("i,j,k->ijk", (2,), (3,), (2,)),
                          ("i,i,i->i", (3,), (3,), (3,)), ("ij,jk,kl,lm->im", (2, 3), (3, 4), (4, 2), (2, 3)), ("ab,bc,cd,de,ef->af", (2, 3), (3, 2), (2, 4), (4, 2), (2, 3)),
                          ("ab,bc,cd,de,ef,fg,gh->ah", (2, 2), (2, 2), (2, 2), (2, 2), (2, 2), (2, 2), (2, 2)), ("abc,bad->abcd", (2, 3, 4), (3, 2, 2)), ("abc,bad->cd", (2, 3, 4), (3, 2, 2)), ("kbj,jbi,kl->ibl", (2, 3, 4), (4, 3, 5), (2, 2)),
                          ("ij,jk->ik", (0, 3), (3, 2)), ("ij,jk->ik", (2, 0), (0, 2)), ("ij->i", (2, 0)), (" i j , j k -> i k ", (2, 3), (3, 2)), ("Ab,bA->A", (2, 3), (3, 2)), ("ba,Ba", (2, 3), (4, 3)), ("ij,kl->il", (2, 3), (3, 2))):
        call(text, *shapes)
    for text, *shapes in (("ij,jk->ik", (2, 3), (2, 3)), ("ij,jk->ik", (2, 3)), ("ij", (2, 3), (3, 2)), ("ijk->ik", (2, 3)), ("i->i", (2, 3)), ("ij->ii", (2, 3)), ("ij->ik", (2, 3)), ("i..->i", (2, 3)), ("......->...", (2, 3)),
                          ("ij->i->j", (2, 3)), ("ij-", (2, 3)), ("ij>i", (2, 3)), ("ij->...i", (2, 3)), ("ii", (2, 3)), ("->", (2,)), ("", ()), ("->", ()), ("ij,jk,ik", (2, 3), (3, 2), (3, 2))):
        call(text, *shapes)
    chain = ((2, 3), (3, 4), (4, 2))
    for optimize in (True, False, "optimal", "greedy", "auto", "dp", [(0, 1), (0, 1)], [(1, 2), (0, 1)], [(0, 1, 2)], [(0, 5), (0, 1)]):
        if optimize != [(0, 5), (0, 1)]:
            call("ij,jk,kl->il", *chain, optimize=optimize)
    for kwargs in ({"precision": "highest"}, {"preferred_element_type": "float32"}, {"preferred_element_type": "int32"}):
        for text, shapes in (("ij,jk", ((2, 3), (3, 2))), ("ij->j", ((2, 3),)), ("ij,jk,kl", chain)):
            if kwargs.get("preferred_element_type") != "int32":
                c.call("numpy.einsum", text, *(ramp("float16", s, i + 1) for i, s in enumerate(shapes)), **kwargs)
            c.call("numpy.einsum", text, *(ramp("int8", s, i + 1) for i, s in enumerate(shapes)), **kwargs)
    x = ramp(d, (2, 3))
    c.call("numpy.einsum", ",ij->ij", 2.0, ramp("bfloat16", (2, 3)))
    c.call("numpy.einsum", ",", 2.0, 3)
    c.call("numpy.einsum", "", 2.0)
    c.call("numpy.einsum", "ij,jk", ramp("int8", (2, 3)), ramp("float16", (3, 2)))
    c.call("numpy.einsum", x, [0, 1], x, [2, 1], [0, 2])
    c.call("numpy.einsum", x, [..., 1], x, [..., 1])
    c.call("numpy.einsum", x, [1, 0])
    c.call("numpy.einsum", x, [0, 1], [1, 0])
    nan = x.at[0, 1].set(np.nan)
    for text, *args in (("ii", nan[:, :2]), ("ij,jk", nan, x.T), ("ij->i", nan), ("ii->i", nan[:, :2])):
        c.call("numpy.einsum", text, *args)
    for text, *shapes in (("ij,jk", (2, 3), (3, 2)), ("ii->i", (3, 3)), ("i,ij,j->", (2,), (2, 3), (3,)), ("...ij,...j->...i", (2, 2, 3), (3,)), ("ij,ij->ij", (2, 3), (1, 3))):
        args = [c.draw(d, s) for s in shapes]
        c.vjp("numpy.einsum", text, *args, argnums=tuple(range(1, len(args) + 1)))
        c.vjp("numpy.einsum", text, *args, argnums=tuple(range(1, len(args) + 1)), order=2)
    c.without("numpy.einsum_path", "its text is ours; tests/api/einsum_test.cc")
