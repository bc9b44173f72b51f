#!/usr/bin/env python3
"""Rigorous coupled-wave analysis of a lamellar grating in air: a reference for sonde fdtd.

    tests/oracles/rcwa.py > tests/data/fdtd_grating.csv

A plane wave falls at right angles on bars of index 2, half of a period of 600 nm wide and 250 nm high, with nothing below; E along the bars ("s") or
across them ("p", with the inverse rule). M. G. Moharam, D. A. Pommet, E. B. Grann and T. K. Gaylord, J. Opt. Soc. Am. A 12 (1995) 1077; for p L. Li,
J. Opt. Soc. Am. A 13 (1996) 1870. Reflected and transmitted power, all orders together; R + T = 1 is checked.
"""
import numpy

PERIOD, WIDTH, HEIGHT, INDEX, SPEED = 600e-9, 300e-9, 250e-9, 2.0, 299792458.0


def fourier(inside, outside, orders):
    """Toeplitz matrix of a function that is `inside` in the bar, which is in the middle of the period."""
    h = numpy.arange(-2 * orders, 2 * orders + 1)
    c = (inside - outside) * numpy.sinc(h * WIDTH / PERIOD) * WIDTH / PERIOD + 0j
    c[2 * orders] += outside
    n = numpy.arange(2 * orders + 1)
    return c[n[:, None] - n[None, :] + 2 * orders]


def grating(wavelength, polarization, orders=60):
    k = 2 * numpy.pi / wavelength
    size = 2 * orders + 1
    kx = numpy.diag(numpy.arange(-orders, orders + 1) * wavelength / PERIOD + 0j)
    kz = numpy.sqrt(1 - numpy.diag(kx) ** 2 + 0j)  # of the orders in air
    permittivity, inverse = fourier(INDEX**2, 1.0, orders), fourier(INDEX**-2, 1.0, orders)
    if polarization == "s":
        matrix, weight = kx @ kx - permittivity, numpy.eye(size)
    else:
        normal = numpy.linalg.inv(inverse)
        matrix = normal @ (kx @ numpy.linalg.inv(permittivity) @ kx - numpy.eye(size))
        weight = inverse
    squares, modes = numpy.linalg.eig(matrix)
    decay = numpy.sqrt(squares + 0j)
    decay = numpy.where(decay.real < -1e-12, -decay, decay)
    other = weight @ modes @ numpy.diag(decay)  # the other field along the layer
    fade = numpy.diag(numpy.exp(-decay * k * HEIGHT))
    air = numpy.diag(-1j * kz)
    # modes that fade downwards (a) and upwards (b): continuity above with the incident wave and the reflected ones, below with the transmitted ones
    first = numpy.zeros(size, complex)
    first[orders] = 1.0
    zero = numpy.zeros((size, size))
    eye = numpy.eye(size)
    system = numpy.block(
        [
            [modes, modes @ fade, -eye, zero],
            [other, -other @ fade, air, zero],
            [modes @ fade, modes, zero, -eye],
            [other @ fade, -other, zero, -air],
        ]
    )
    right = numpy.concatenate([first, air @ first, numpy.zeros(2 * size)])
    a = numpy.linalg.solve(system, right)
    reflected, transmitted = a[2 * size : 3 * size], a[3 * size :]
    power = kz.real / kz[orders].real
    return (power * abs(reflected) ** 2).sum(), (power * abs(transmitted) ** 2).sum()


def main():
    print("# tests/oracles/rcwa.py: bars of index 2, 300 nm of 600 nm wide, 250 nm high, in air; a plane wave at right angles")
    print("frequency_THz,R_s,T_s,R_p,T_p")
    for terahertz in range(320, 481, 10):
        line = [terahertz]
        for polarization in "sp":
            reflected, transmitted = grating(SPEED / (terahertz * 1e12), polarization)
            assert abs(reflected + transmitted - 1) < 1e-9, (terahertz, polarization, reflected + transmitted)
            line += [f"{reflected:.7f}", f"{transmitted:.7f}"]
        print(*line, sep=",")


main()
