#!/usr/bin/env python3
"""Fits the polynomials of the special functions and writes src/ops/special_coefficients.h.

Usage: special_coefficients.py [output]      (needs mpmath; about a minute)

As tools/coefficients.py, whose Remez exchange it uses.
"""
import sys

import mpmath
from coefficients import fit, fit_split
from mpmath import mp, mpf

mp.prec = 200


def erfcx(x):
    return mp.exp(x * x) * mp.erfc(x)


def error_functions(width):
    f32 = width == 32
    def erf_rest(z):
        s = mp.sqrt(z)
        return mp.erf(s) / s - 1
    yield fit("erf", width, 9 if f32 else 15, erf_rest, lambda z: 1, "1e-20", 1)
    centre = mpf(3)
    def mapped(t):  # x = centre (1 + t) / (1 - t)
        x = centre * (1 + t) / (1 - t)
        return (1 + 2 * x) * erfcx(x)
    lo, hi = mpf("0.49"), mpf(11 if f32 else 28)
    yield fit_split("erfcx", width, 13 if f32 else 25, mapped, lambda t: 1, (lo - centre) / (lo + centre), (hi - centre) / (hi + centre))


def bessel(width):
    f32 = width == 32
    top = mpf(8)
    def low(order):  # of z = (x / top)^2
        def f(z):
            x = top * mp.sqrt(z)
            return mp.besseli(order, x) / x**order if z > mpf("1e-30") else mpf(1) / 2**order
        return f
    for order in (0, 1):
        f = low(order)
        yield fit(f"i{order}_low", width, 13 if f32 else 20, f, lambda z: 1 / f(z), 0, 1)
    def high(order):
        def f(u):  # 1 / x = (1 + u) / (2 top)
            x = 2 * top / (1 + u)
            return mp.sqrt(x) * mp.exp(-x) * mp.besseli(order, x)
        return f
    for order in (0, 1):
        yield fit(f"i{order}e_high", width, 9 if f32 else 30, high(order), lambda u: mpf("2.5"), mpf("-0.9999999"), 1)


def gamma(width):
    yield fit_split("lgamma_two", width, 22, lambda f: mp.loggamma(2 + f) / f if abs(f) > mpf("1e-20") else mp.psi(0, 2), lambda f: f and 2, mpf("-0.5001"), mpf("0.5001"))
    yield fit_split("lgamma_one", width, 24, lambda f: mp.loggamma(1 + f) / f if abs(f) > mpf("1e-20") else mp.psi(0, 1), lambda f: 2, mpf("-0.2501"), mpf("0.5001"))
    def stirling(z):
        x = 1 / mp.sqrt(z)
        return (mp.loggamma(x) - (x - mpf(1) / 2) * mp.log(x) + x - mp.log(2 * mp.pi) / 2) * x
    yield fit("stirling", width, 8, stirling, lambda z: mpf("0.02"), "1e-8", mpf(1) / 64)
    def psi_tail(z):
        x = 1 / mp.sqrt(z)
        return (mp.log(x) - mp.psi(0, x) - 1 / (2 * x)) * x * x
    yield fit("digamma_tail", width, 9, psi_tail, lambda z: mpf("0.02"), "1e-8", mpf(1) / 64)
    root = mp.findroot(lambda x: mp.psi(0, x), mpf("1.4616321449683623"))
    def near(u):
        x = mpf(3) / 2 + u
        return mp.psi(0, x) / (x - root) if abs(x - root) > mpf("1e-25") else mp.psi(1, root)
    yield fit("digamma_near", width, 25, near, lambda u: 1 / near(u), mpf("-0.5"), mpf("0.5"))


def gauss_legendre(half):
    """Nodes in (0, 1) and weights of the rule of 2 half points on [-1, 1]."""
    n = 2 * half
    nodes, weights = [], []
    for i in range(half, n):
        x = mp.cos(mp.pi * (n - i - mpf(1) / 4) / (n + mpf(1) / 2))
        for _ in range(8):
            slope = n * (x * mp.legendre(n, x) - mp.legendre(n - 1, x)) / (x * x - 1)
            x -= mp.legendre(n, x) / slope
        nodes.append(x)
        weights.append(2 / ((1 - x * x) * slope**2))
    def text(name, values):
        rows = [", ".join(float(v).hex() for v in values[i:i + 4]) for i in range(0, half, 4)]
        return f"inline constexpr double {name}[] = {{" + ",\n    ".join(rows) + "};"
    return ["", f"// The Gauss-Legendre rule of {n} points on [-1, 1]: nodes above 0, which stand for their mirror images too.",
            text("legendre_node", nodes), text("legendre_weight", weights)]


def main():
    out = sys.argv[1] if len(sys.argv) > 1 else "src/ops/special_coefficients.h"
    lines = ["// Written by tools/special_coefficients.py. Polynomials are lowest order first; the rules say what each approximates.",
             "// clang-format off", "#pragma once", "", "namespace cotan::ops {", "", "template <class T>", "struct SpecialCoefficients;"]
    for width, name in ((32, "float"), (64, "double")):
        lines += ["", "template <>", f"struct SpecialCoefficients<{name}> {{"]
        for source in (error_functions, bessel) + ((gamma,) if width == 64 else ()):
            for head, values, error, *lost in source(width):
                lines.append(f"  // weighted error 2^{error:.1f}")
                text, row = [], head
                for v in values:
                    piece = float(v).hex() + ", "
                    if len(row) + len(piece) > 136:
                        text.append(row.rstrip())
                        row = "      "
                    row += piece
                text.append(row.rstrip(", ") + "};")
                lines += text
                if lost:
                    lines.append(f"  static constexpr double {head.split()[3][:-2]}_lost = {float(lost[0]).hex()};")
        lines.append("};")
    root = mp.findroot(lambda x: mp.psi(0, x), mpf("1.4616321449683623"))
    hi = mpf(float(root))
    lines += ["", "// The positive zero of digamma, as a pair.", f"inline constexpr double digamma_root[] = {{{float(hi).hex()}, {float(root - hi).hex()}}};"]
    lines += gauss_legendre(24)
    lines += ["", "}  // namespace cotan::ops", ""]
    open(out, "w").write("\n".join(lines))


if __name__ == "__main__":
    main()
