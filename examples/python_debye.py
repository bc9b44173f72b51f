"""The neutron powder pattern of a CoO sphere, and its mean over thermal snapshots, from arrays."""
import numpy

import sonde

atoms = sonde.build(cell="rocksalt", species=["Co", "O"], a=4.2614, sphere=12)
print(atoms)

result = sonde.debye(atoms, q=(0.5, 20, 400), radiation="neutron")
peak = float(result.q[result.S.argmax()])
print(f"{result.attrs['sample_composition']}: S(q) is largest at q = {peak:.2f} 1/Angstrom, "
      f"error of I/N at most {float(result.error_of('I_per_atom').max()):.1e} fm^2")

# snapshots of atoms that move: any array of positions
generator = numpy.random.default_rng(1)
snapshots = [sonde.debye((atoms.symbols, atoms.positions + generator.normal(0, 0.1, (len(atoms), 3))), q=(0.5, 20, 400),
                         radiation="neutron").S for _ in range(5)]
mean = sum(snapshots) / len(snapshots)
print(f"with u = 0.1 Angstrom the peak falls from {float(result.S.max()):.2f} to {float(mean.max()):.2f}")

# Debye and Waller: exp(-q^2 u^2) of the coherent part
expected = 1 + (float(result.S.max()) - 1) * numpy.exp(-(peak * 0.1) ** 2)
assert abs(float(mean.max()) - expected) < 0.1 * expected

result.to_nexus("coo.h5", overwrite=True)
assert sonde.read("coo.h5").equals(result)
try:
    result.plot("S").figure.savefig("coo.png")
except ImportError:
    print("no picture: matplotlib is not installed")
