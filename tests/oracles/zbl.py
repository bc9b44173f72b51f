#!/usr/bin/env python3
"""Electronic stopping by Ziegler, Biersack and Littmark (1985), written from the book's formulas and not from src/ions.

    tests/oracles/zbl.py > tests/data/ions/zbl_stopping_reference.csv

Reads data/stopping_zbl.csv. Rows: ion, target, energy in keV/u, S in eV/(10^15 atoms/cm^2). Only where the book's formulas
hold: protons from 25 keV/u to 10 MeV/u and their powers below.
"""
import csv
import math
import os

data = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "data", "stopping_zbl.csv")
with open(data) as file:
    elements = {int(row["Z"]): {key: float(value) for key, value in row.items()}
                for row in csv.DictReader(line for line in file if not line.startswith("#"))}


def proton(z2, e):
    if e < 25:
        return proton(z2, 25) * (e / 25) ** (0.25 if z2 <= 6 else 0.45)
    p1, p2, p3, p4, p5, p6, p7, p8 = (elements[z2][f"P{k}"] for k in range(1, 9))
    low = p1 * e**p2 + p3 * e**p4
    high = p5 / e**p6 * math.log(p7 / e + p8 * e)
    return 1 / (1 / low + 1 / high)


def helium(z2, e):
    if e < 1:
        return helium(z2, 1) * math.sqrt(e)
    c = (0.2865, 0.1266, -0.001429, 0.02402, -0.01135, 0.001475)
    a = sum(c[k] * math.log(e) ** k for k in range(6))
    gamma2 = 1 - math.exp(-min(a, 30))
    return 4 * proton(z2, e) * gamma2 * (1 + (0.007 + 0.00005 * z2) * math.exp(-(7.6 - math.log(e)) ** 2)) ** 2


def relative_velocity(v, vf):
    """Kreussler, Varelas and Brandt: mean velocity relative to a Fermi gas."""
    if v >= vf:
        return v * (1 + vf**2 / (5 * v**2))
    return 3 * vf / 4 * (1 + 2 * v**2 / (3 * vf**2) - v**4 / (15 * vf**4))


def heavy_at(z1, z2, e):
    """Above the velocity at which the charge becomes that of slow ions."""
    vf, factor = elements[z2]["fermi_velocity"], elements[z1]["screening_factor"]
    yr = max(relative_velocity(math.sqrt(e / 25), vf) / z1 ** (2 / 3), 1 / z1 ** (2 / 3), 0.13)
    q = 1 - math.exp(-min(50, -0.803 * yr**0.3 + 1.3167 * yr**0.6 + 0.38157 * yr + 0.008983 * yr**2))
    q = min(1, max(0, q))
    b = min(0.43, max(0.32, 0.12 + 0.025 * z1)) / z1 ** (1 / 3)
    l0 = (0.8 - q * min(1.2, 0.6 + z1 / 30)) / z1 ** (1 / 3)
    top = max(0, 0.9 - 0.025 * z1)
    if q < 0.2:
        l1 = 0
    elif q < top:
        l1 = b * (q - 0.2) / (top - 0.2)
    elif q < max(0, 1 - 0.025 * min(16, z1)):
        l1 = b
    else:
        l1 = b * (1 - q) / (0.025 * min(16, z1))
    length = max(l1, l0 * factor)
    zeta = q + (1 - q) / (2 * vf**2) * math.log(1 + (4 * length * vf / 1.919) ** 2)
    zeta *= 1 + (0.18 + 0.0015 * z2) / z1**2 * math.exp(-(7.6 - max(0, math.log(e))) ** 2)
    return (zeta * z1) ** 2 * proton(z2, e)


def heavy(z1, z2, e):
    vf = elements[z2]["fermi_velocity"]
    least = max(1, 0.13 * z1 ** (2 / 3))
    # the velocity at which the relative velocity is that of slow ions, by bisection
    low, high = 0.0, 10.0
    for _ in range(200):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if relative_velocity(middle, vf) < least else (low, middle)
    slow = 25 * high**2
    if e >= slow:
        return heavy_at(z1, z2, e)
    power = 0.375 if z2 == 6 or (z2 in (14, 32) and z1 <= 19) else 0.5
    return heavy_at(z1, z2, slow) * (e / slow) ** power


print("# Electronic stopping by Ziegler, Biersack and Littmark's formulas: tests/oracles/zbl.py")
print("# ion, target, keV/u, eV/(10^15 atoms/cm^2)")
for z1 in (1, 2, 3, 5, 8, 14, 18, 26, 33, 54, 79, 92):
    for z2 in (1, 4, 6, 14, 32, 79, 91):
        for e in (0.1, 3, 30, 100, 1000, 9000):
            s = proton(z2, e) if z1 == 1 else helium(z2, e) if z1 == 2 else heavy(z1, z2, e)
            print(f"{z1},{z2},{e},{s:.9g}")
