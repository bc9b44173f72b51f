"""Geometries and results in the forms of pyFAI, compared with its own positions and integrations."""
import numpy
import pytest

import sonde

pytest.importorskip("pyFAI")
from pyFAI.detectors import Detector  # noqa: E402
from pyFAI.integrator.azimuthal import AzimuthalIntegrator  # noqa: E402

from sonde.bridges import pyfai  # noqa: E402

PIXELS = ("no", "histogram", "cython")  # each pixel belongs to one bin


def calibrated(orientation=3):
    device = Detector(3e-4, 2e-4, max_shape=(40, 50), orientation=orientation)
    return AzimuthalIntegrator(0.05, 0.0031, 0.0052, 0.08, -0.17, 0.05, detector=device, wavelength=0.8e-10)


@pytest.mark.parametrize("orientation", [1, 2, 3, 4])
def test_geometry_there_and_back(cluster, orientation):
    given = calibrated(orientation)
    back = pyfai.integrator(sonde.pattern(cluster, device="cpu", **pyfai.detector(given)))
    for name in ("dist", "poni1", "poni2", "rot1", "rot2", "rot3", "wavelength"):
        assert getattr(back, name) == pytest.approx(getattr(given, name), rel=1e-12), name
    assert numpy.allclose(back.center_array(unit="q_A^-1"), given.center_array(unit="q_A^-1"), rtol=1e-10)


def test_integration_is_that_of_the_rings(cluster, tmp_path):
    given = calibrated()
    result = sonde.pattern(cluster, beam_stop=1, radial=tmp_path / "rings.csv", radial_bins=30, output=tmp_path / "a.h5", device="cpu",
                           **pyfai.detector(given))
    found = given.integrate1d(pyfai.image(result), 30, unit="q_A^-1", mask=pyfai.mask(result), correctSolidAngle=False, method=PIXELS)
    rows = numpy.genfromtxt(tmp_path / "rings.csv", delimiter=",", comments="#")
    rows = rows[~numpy.isnan(rows[:, 0])]
    assert numpy.allclose(rows[:, 0], found.radial, rtol=1e-5) and numpy.allclose(rows[:, 1], found.intensity, rtol=1e-5)


def test_axes_and_containers(cluster):
    given = calibrated()
    first, last, points = pyfai.axis(given, 30, method=PIXELS)
    curve = sonde.debye(cluster, q=(first, last, points), device="cpu")
    made = pyfai.curve(curve, "I_per_atom")
    assert numpy.allclose(made.radial, given.integrate1d(numpy.ones((40, 50)), 30, unit="q_A^-1", method=PIXELS).radial, rtol=1e-12)
    assert numpy.array_equal(made.intensity, curve["I_per_atom"]) and numpy.array_equal(made.sigma, curve.error_of("I_per_atom"))
    assert str(made.unit) == "q_A^-1"
    # the powder on the detector, and its means again
    picture = given.calcfrom1d(made.radial, made.intensity, dim1_unit=made.unit, correctSolidAngle=False)
    again = given.integrate1d(picture, 30, unit="q_A^-1", correctSolidAngle=False, method=PIXELS)
    assert numpy.allclose(again.intensity[1:-1], made.intensity[1:-1], rtol=0.02)
    circles = sonde.pattern(cluster, q=(0.5, 5, 10), phi=36, wavelength=0.8, device="cpu")
    picture = pyfai.polar(circles)
    assert picture.intensity.shape == (36, 10) and numpy.array_equal(picture.intensity, circles["I"].values.T)


def test_what_is_not_of_a_detector_is_refused(cluster):
    circles = sonde.pattern(cluster, q=(0.5, 5, 10), phi=36, wavelength=0.8, device="cpu")
    with pytest.raises(ValueError, match="^result: it is not of a detector"):
        pyfai.integrator(circles)
    with pytest.raises(ValueError, match="^name: "):
        pyfai.curve(circles)
    with pytest.raises(ValueError, match="^integrator: "):
        pyfai.detector(AzimuthalIntegrator(0.1, detector=Detector(1e-4, 1e-4)))
