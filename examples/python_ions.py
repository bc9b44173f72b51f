"""Helium in silicon: the mean depth from histories, and from the transport equation."""
import numpy

import sonde

histories = sonde.ions(ion="He", energy="20keV", target="Si", number=300, seed=1)
table = sonde.stopping(ion="He", target="Si", energies="10keV:30keV")
depth = float(histories["range"])
error = float(histories.error_of("range"))
transport = float(numpy.interp(20e3, table["energy"], table["range"]))
print(f"mean depth: {depth:.0f} +- {error:.0f} Angstrom from {int(histories.ions)} histories, {transport:.0f} by the transport equation")
assert abs(depth - transport) < 0.1 * transport + 4 * error
