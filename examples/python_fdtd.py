"""Transmission of a plate of glass, compared with Airy's formula; the geometry is drawn before the run."""
import numpy

import sonde

INDEX, THICKNESS = 2.0, 1e-6
job = sonde.fdtd.Job(
    size=(0, 0, 3e-6), cell=12.5e-9, time="500 fs", until=1e-5,
    materials=[sonde.fdtd.Material(name="glass", index=INDEX)],
    bodies=[sonde.fdtd.Body(material="glass", shape="box", size=(0, 0, THICKNESS))],
    sources=[sonde.fdtd.Source(kind="plane-wave", direction=(0, 0, 1), polarization=(1, 0, 0), frequency="180 THz", bandwidth="100 THz")],
    monitors=[sonde.fdtd.Monitor(name="behind", kind="flux", center=(0, 0, 1e-6), frequencies="120 THz:240 THz:121", normalize="reference")],
)
print(job.to_yaml())
print(f"{job.plan()['seconds']:.2g} s expected")
try:
    job.show().figure.savefig("plate.png")
except ImportError:
    print("no picture: matplotlib is not installed")

result = sonde.fdtd(job)
transmission = result.monitor("behind").transmission
r = (1 - INDEX) / (1 + INDEX)
phase = 2 * numpy.pi * INDEX * THICKNESS * transmission.frequency / 299792458.0
airy = (1 - r**2) ** 2 / ((1 - r**2) ** 2 + 4 * r**2 * numpy.sin(phase) ** 2)
print(f"largest difference from Airy's formula: {float(abs(transmission - airy).max()):.1e}")
assert float(abs(transmission - airy).max()) < 0.01
