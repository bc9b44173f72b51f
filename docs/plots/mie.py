#!/usr/bin/env python3
"""Mie's series (Bohren and Huffman, Absorption and Scattering of Light by Small Particles, 1983, chapter 4) for the examples and plots:
    docs/plots/mie.py         writes examples/mie_sphere/mie.csv and examples/gold_nanosphere/mie.csv
Nothing but Python itself is needed."""
import cmath
import csv
import math
import os

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
SPEED_OF_LIGHT = 299792458.0
ELECTRONVOLT = 2.417989242e14  # Hz


def efficiencies(x, permittivity):
    """Scattering and extinction over the cross-section of a sphere with size parameter x."""
    index = cmath.sqrt(permittivity)
    orders = int(x + 4.0 * x ** (1.0 / 3.0) + 6)
    mx = index * x
    # logarithmic derivatives of psi_n(mx), downwards; psi and chi of x upwards
    derivative = [0j] * (orders + 17)
    for n in range(orders + 16, 0, -1):
        derivative[n - 1] = n / mx - 1.0 / (derivative[n] + n / mx)
    psi, psi_next, chi, chi_next = math.cos(x), math.sin(x), -math.sin(x), math.cos(x)
    scattering = extinction = 0.0
    for n in range(1, orders + 1):
        psi, psi_next = psi_next, (2 * n - 1) / x * psi_next - psi
        chi, chi_next = chi_next, (2 * n - 1) / x * chi_next - chi
        xi, xi_next = complex(psi, -chi), complex(psi_next, -chi_next)
        electric, magnetic = derivative[n] / index + n / x, derivative[n] * index + n / x
        a = (electric * psi_next - psi) / (electric * xi_next - xi)
        b = (magnetic * psi_next - psi) / (magnetic * xi_next - xi)
        scattering += (2 * n + 1) * (abs(a) ** 2 + abs(b) ** 2)
        extinction += (2 * n + 1) * (a + b).real
    return 2.0 / x**2 * scattering, 2.0 / x**2 * extinction


def table(name):
    with open(os.path.join(ROOT, "data", name), encoding="utf-8") as file:
        return list(csv.DictReader(line for line in file if not line.startswith("#")))


def permittivity_of(material, frequency):
    """Of a material of the library, at a frequency in Hz; poles are in eV."""
    energy = frequency / ELECTRONVOLT
    value = complex(next(float(row["eps_inf"]) for row in table("optical_materials.csv") if row["name"] == material))
    for row in table("optical_poles.csv"):
        if row["material"] != material:
            continue
        damping, strength = float(row["damping"]), float(row["strength"] or 1.0)
        if row["kind"] == "drude":
            value -= strength * float(row["plasma"]) ** 2 / (energy**2 + 1j * energy * damping)
        elif row["kind"] == "lorentz":
            resonance = float(row["resonance"])
            value += strength * float(row["plasma"] or resonance) ** 2 / (resonance**2 - energy**2 - 1j * energy * damping)
        else:
            raise ValueError("%s has poles of a kind that is not known here: %s" % (material, row["kind"]))
    return value


def main():
    with open(os.path.join(ROOT, "examples", "mie_sphere", "mie.csv"), "w", encoding="utf-8") as file:
        file.write("# sphere of permittivity 4: size parameter, scattering efficiency; docs/plots/mie.py\n")
        for k in range(0, 1001):
            x = 1.0 + 0.005 * k
            file.write("%.3f, %.6f\n" % (x, efficiencies(x, 4.0)[0]))
    with open(os.path.join(ROOT, "examples", "gold_nanosphere", "mie.csv"), "w", encoding="utf-8") as file:
        file.write("# gold (Au-JC), radius 30 nm: wavelength (nm), absorption and scattering efficiencies; docs/plots/mie.py\n")
        for wavelength in range(400, 701, 2):
            frequency = SPEED_OF_LIGHT / (1e-9 * wavelength)
            scattering, extinction = efficiencies(2.0 * math.pi * 30.0 / wavelength, permittivity_of("Au-JC", frequency))
            file.write("%d, %.6f, %.6f\n" % (wavelength, extinction - scattering, scattering))


if __name__ == "__main__":
    main()
