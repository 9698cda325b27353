#!/usr/bin/env python3
"""Fits the polynomials of the elementary functions and writes src/ops/coefficients.h.

Usage: coefficients.py [output]      (needs mpmath; about a minute)

Every fit is a weighted Remez exchange: the weight turns the error of the polynomial into the relative error of the
function that is built from it. The leading terms of each function are exact in the rules, so that plain rounding of the
coefficients costs nothing that can be seen.
"""
import struct
import sys

import mpmath
from mpmath import mp, mpf

mp.prec = 240


def round_to(x, width):
    """x rounded to a float32 or float64 number."""
    x = float(x)
    return mpf(struct.unpack("f", struct.pack("f", x))[0]) if width == 32 else mpf(x)


def horner(coefficients, x):
    y = mpf(0)
    for c in reversed(coefficients):
        y = y * x + c
    return y


def extrema(errors):
    """Indices of the alternating extrema of a list of errors, largest of each run of equal signs."""
    runs = []
    for i, e in enumerate(errors):
        if runs and errors[runs[-1]] * e > 0:
            if abs(e) > abs(errors[runs[-1]]):
                runs[-1] = i
        else:
            runs.append(i)
    return runs


def remez(f, weight, lo, hi, terms):
    """The polynomial of `terms` coefficients that minimises max |weight(x) (p(x) - f(x))| over [lo, hi]."""
    lo, hi = mpf(lo), mpf(hi)
    size, points = 40 * (terms + 2), terms + 1
    grid = [(lo + hi) / 2 - (hi - lo) / 2 * mp.cos(mp.pi * i / size) for i in range(size + 1)]
    values, weights = [f(x) for x in grid], [weight(x) for x in grid]
    reference = [round(i * size / (points - 1)) for i in range(points)]
    for _ in range(30):
        matrix, right = mp.matrix(points, points), mp.matrix(points, 1)
        for row, g in enumerate(reference):
            for column in range(terms):
                matrix[row, column] = grid[g] ** column
            matrix[row, terms] = (-1) ** row / weights[g]
            right[row] = values[g]
        solution = mp.lu_solve(matrix, right)
        coefficients = [solution[i] for i in range(terms)]
        errors = [w * (horner(coefficients, x) - v) for x, v, w in zip(grid, values, weights)]
        found = extrema(errors)
        while len(found) > points:
            found.pop(0 if abs(errors[found[0]]) < abs(errors[found[-1]]) else -1)
        if len(found) < points:
            break
        reference = found
        sizes = [abs(errors[i]) for i in found]
        if max(sizes) < mpf("1.02") * min(sizes):
            break
    return coefficients, grid, values, weights


def fit(name, width, terms, f, weight, lo, hi):
    coefficients, grid, values, weights = remez(f, weight, lo, hi, terms)
    rounded = [round_to(c, width) for c in coefficients]
    error = max(abs(w * (horner(rounded, x) - v)) for x, v, w in zip(grid, values, weights))
    print(f"{name}{width}: {terms} terms, 2^{float(mp.log(error, 2)):.1f}", flush=True)
    return f"  static constexpr double {name}[] = {{", rounded, float(mp.log(error, 2))


def fit_split(name, width, terms, f, weight, lo, hi):
    """As fit, for a leading coefficient carried as two numbers: also what rounding it lost."""
    coefficients, grid, values, weights = remez(f, weight, lo, hi, terms)
    rounded = [round_to(c, width) for c in coefficients]
    lost = round_to(coefficients[0] - rounded[0], width)
    error = max(abs(w * (horner([rounded[0] + lost] + rounded[1:], x) - v)) for x, v, w in zip(grid, values, weights))
    print(f"{name}{width}: {terms} terms, 2^{float(mp.log(error, 2)):.1f}", flush=True)
    return f"  static constexpr double {name}[] = {{", rounded, float(mp.log(error, 2)), lost


def split(x, width, bits):
    """x as a sum of numbers: those of `bits` significant bits (0: all), in turn, each what the earlier leave over."""
    parts = []
    for b in bits:
        if b:
            mantissa, exponent = mp.frexp(x)
            part = mp.nint(mantissa * 2**b) / mpf(2) ** b * mpf(2) ** exponent
        else:
            part = round_to(x, width)
        parts.append(part)
        x = x - part
    return parts


def even_tail(f, order):
    """(f(s) / s - 1) / z for an odd f, as a function of z = s^2; order 2 takes z / 3 off as well, and divides by z^2."""
    def g(z):
        s = mp.sqrt(z)
        value = (f(s) / s - 1) / z
        return value if order == 1 else (value - mpf(1) / 3) / z
    return g


def trig(width):
    top = (mp.pi / 4 * mpf("1.02")) ** 2
    f32 = width == 32
    yield fit("sin", width, 4 if f32 else 7, even_tail(mp.sin, 1), lambda z: z, "1e-12", top)
    yield fit("cos", width, 3 if f32 else 6, lambda z: (mp.cos(mp.sqrt(z)) - 1 + z / 2) / z**2, lambda z: z**2, "1e-8", top)
    atan_top = mp.tan(mp.pi / 8) ** 2 * mpf("1.001")
    yield fit("atan", width, 6 if f32 else 13, even_tail(mp.atan, 1), lambda z: z, "1e-12", atan_top)
    yield fit("asin", width, 6 if f32 else 13, even_tail(mp.asin, 1), lambda z: z, "1e-12", mpf("0.2501"))


def exp_log(width):
    f32 = width == 32
    half = mp.log(2) / 2 * mpf("1.01")
    def exp_tail(r):
        return (mp.expm1(r) - r) / r**2 if abs(r) > mpf("1e-20") else mpf(1) / 2 + r / 6
    # Relative to e^r - 1, so that expm1 may use it too.
    yield fit("exp", width, 5 if f32 else 11, exp_tail, lambda r: abs(r) + mpf("1e-3"), -half, half)
    def exp2_tail(r):
        l = mp.log(2)
        return (mp.expm1(r * l) - r * l) / r**2 if abs(r) > mpf("1e-20") else l**2 / 2 + r * l**3 / 6
    yield fit("exp2", width, 5 if f32 else 11, exp2_tail, lambda r: r * r + mpf("1e-4"), mpf("-0.502"), mpf("0.502"))
    root = mp.sqrt(2)
    if f32:
        def log_tail(f):
            return (mp.log1p(f) - f + f * f / 2) / f**3 if abs(f) > mpf("1e-20") else mpf(1) / 3 - f / 4
        yield fit("log", width, 8, log_tail, lambda f: f * f + mpf("1e-3"), 1 / root - 1 - mpf("1e-4"), root - 1 + mpf("1e-4"))
    else:
        top = ((root - 1) / (root + 1)) ** 2 * mpf("1.002")
        yield fit("log", width, 7, lambda z: 2 * even_tail(mp.atanh, 1)(z), lambda z: z, "1e-12", top)
    top = ((root - 1) / (root + 1)) ** 2 * mpf("1.002")
    yield fit("atanh", width, 4 if f32 else 9, even_tail(mp.atanh, 2), lambda z: z**2, "1e-8", top)
    if f32:
        yield fit("tanh", width, 7, even_tail(mp.tanh, 1), lambda z: z, "1e-12", mpf("0.7"))
    yield fit("rcbrt", width, 5, lambda m: mp.cbrt(1 / m), lambda m: mp.cbrt(m), 1 / root - mpf("1e-4"), root + mpf("1e-4"))


def erf_inv_of(w):
    """erf_inv(x) / x for w = -log(1 - x^2)."""
    if w < mpf("1e-20"):
        return mp.sqrt(mp.pi) / 2
    x = mp.sqrt(-mp.expm1(-w))
    tail = mp.exp(-w) / (1 + x)                       # 1 - x
    # Newton on log erfc from the asymptotic value; mp.erfinv loses 1 - x near 1.
    y = mp.erfinv(x) if w < 20 else mp.sqrt(-mp.log(tail * mp.sqrt(mp.pi) * mp.sqrt(-mp.log(tail))))
    for _ in range(7):
        e = mp.erfc(y)
        y += (e - tail) / (2 / mp.sqrt(mp.pi) * mp.exp(-y * y)) * (1 if abs(e / tail - 1) < 0.1 else mpf("0.7"))
    return y / x


def erf_inv(width):
    """Three pieces; w below the first bound, then powers of sqrt(w) about the middle of each piece."""
    f32 = width == 32
    bounds = [mpf("3.0"), mpf("8.0"), mpf(17)] if f32 else [mpf("4.0"), mpf(14), mpf("37.5")]
    terms = [9, 9, 8] if f32 else [23, 23, 21]
    pieces = []
    def relative(f):
        return lambda t: 1 / f(t)
    middle = bounds[0] / 2
    g = lambda t: erf_inv_of(t + middle)
    pieces.append((fit_split("erf_inv_low", width, terms[0], g, relative(g), -middle, bounds[0] - middle), middle))
    for i, name in ((1, "erf_inv_mid"), (2, "erf_inv_top")):
        lo, hi = mp.sqrt(bounds[i - 1]), mp.sqrt(bounds[i])
        centre = mp.nint((lo + hi) / 2 * 16) / 16
        h = lambda t, centre=centre: erf_inv_of((t + centre) ** 2)
        pieces.append((fit_split(name, width, terms[i], h, relative(h), lo - centre, hi - centre), centre))
    return bounds, pieces


def array_text(head, numbers):
    lines, line = [], head
    for i, x in enumerate(numbers):
        text = float(x).hex() + ("," if i + 1 < len(numbers) else "};")
        if len(line) + len(text) > 136:
            lines.append(line)
            line = "     "
        line += (" " if not line.endswith("{") else "") + text
    return "\n".join(lines + [line])


def constants(width):
    f32 = width == 32
    yield "half_pi", split(mp.pi / 2, width, [0, 0, 0]), "pi / 2 in three full numbers"
    yield "quarter_pi", split(mp.pi / 4, width, [20 if f32 else 50, 0]), "the first times 1..4 is exact"
    yield "ln2", split(mp.log(2), width, [15 if f32 else 41, 0]), "the first times any exponent is exact"
    yield "ln2_full", split(mp.log(2), width, [0, 0]), "ln 2"
    yield "two_log2_e", split(2 / mp.log(2), width, [0, 0]), "2 / ln 2"
    yield "third", split(mpf(1) / 3, width, [0, 0]), "1 / 3"
    yield "cbrt2", [round_to(mp.cbrt(2), width), round_to(1 / mp.cbrt(2), width)], "2^(1/3), 2^(-1/3)"


def structure(width):
    out = [f"template <>\nstruct Coefficients<{'float' if width == 32 else 'double'}> {{"]
    for family in (trig, exp_log):
        for head, numbers, error in family(width):
            out.append(f"  // weighted error 2^{error:.1f}\n" + array_text(head, numbers))
    bounds, pieces = erf_inv(width)
    out.append(array_text("  static constexpr double erf_inv_bound[] = {", bounds))
    out.append(array_text("  static constexpr double erf_inv_centre[] = {", [centre for _, centre in pieces]))
    out.append(array_text("  static constexpr double erf_inv_lost[] = {", [piece[3] for piece, _ in pieces]))
    for (head, numbers, error, _), _ in pieces:
        out.append(f"  // relative error 2^{error:.1f}\n" + array_text(head, numbers))
    for name, numbers, comment in constants(width):
        out.append(f"  // {comment}\n" + array_text(f"  static constexpr double {name}[] = {{", numbers))
    return "\n".join(out) + "\n};\n"


def two_over_pi():
    with mpmath.workprec(1600):
        bits = int(mp.floor(2 / mp.pi * mpf(2) ** 1280))
    words = [bits >> (1280 - 64 * (i + 1)) & (2**64 - 1) for i in range(20)]
    lines = ["  " + ", ".join(f"0x{w:016x}" for w in words[i:i + 5]) for i in range(0, 20, 5)]
    return "inline constexpr std::uint64_t two_over_pi[20] = {\n" + ",\n".join(lines) + "};\n"


def main():
    output = sys.argv[1] if len(sys.argv) > 1 else "src/ops/coefficients.h"
    text = ("// Written by tools/coefficients.py. Polynomials are lowest order first; the rules say what each approximates.\n"
            "// clang-format off\n#pragma once\n#include <cstdint>\n\nnamespace cotan::ops {\n\n"
            "template <class T>\nstruct Coefficients;\n\n" + structure(32) + "\n" + structure(64) +
            "\n// The first 1280 bits of 2 / pi.\n" + two_over_pi() + "\n}  // namespace cotan::ops\n")
    with open(output, "w", encoding="ascii") as f:
        f.write(text)


if __name__ == "__main__":
    main()
