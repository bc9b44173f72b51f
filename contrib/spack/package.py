# Copyright Spack Project Developers. See COPYRIGHT file for details.
#
# SPDX-License-Identifier: (Apache-2.0 OR MIT)

# For Spack 1.0 and later: repos/spack_repo/builtin/packages/sonde/package.py. Addresses, checksum,
# and maintainer are filled in by scripts/recipes.py.
from spack_repo.builtin.build_systems.cmake import CMakePackage

from spack.package import *


class Sonde(CMakePackage):
    """What a probe sees of matter: powder patterns and diffraction pictures of
    nanostructures, electrostatic potentials, ions in matter, and the propagation
    of light, on processors and GPUs."""

    homepage = "https://example.org/sonde"
    url = "https://example.org/sonde-0.2.0.tar.gz"

    maintainers("your-name-on-github")

    license("BSD-3-Clause AND MIT AND Bitstream-Vera", checked_by="your-name-on-github")

    version("0.2.0", sha256="0000000000000000000000000000000000000000000000000000000000000000")

    variant("mpi", default=True, description="Build the module for jobs of MPI")
    variant("cif", default=True, description="Read unit cells from CIF, by headers of gemmi")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("cmake@3.18:", type="build")
    depends_on("ninja", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("hdf5 ~mpi")
    depends_on("libyaml")
    depends_on("zlib-api")
    depends_on("libpng")
    depends_on("cairo +fc+ft+pdf+png+svg")
    depends_on("freetype")
    depends_on("eigen", type="build")
    depends_on("mpi", when="+mpi")

    # Spack has the Python module of gemmi, but not its headers
    resource(
        name="gemmi",
        url="https://files.pythonhosted.org/packages/source/g/gemmi/gemmi-0.7.1.tar.gz",
        sha256="73bb4a2c574ef7586efdf0161aae22bb75c0301af5e9cc22252877e707facdd2",
        placement="gemmi",
        when="+cif",
    )

    generator("ninja")

    def cmake_args(self):
        arguments = [
            self.define_from_variant("SONDE_MPI", "mpi"),
            self.define("SONDE_NONCOMMERCIAL_DATA", False),
            # the package for Python is another one
            self.define("SONDE_PYTHON", False),
        ]
        # the folder with gemmi/cif.hpp
        if self.spec.satisfies("+cif"):
            arguments.append(
                self.define("SONDE_GEMMI", join_path(self.stage.source_path, "gemmi", "include"))
            )
        else:
            arguments.append(self.define("SONDE_GEMMI", False))
        return arguments

    def test_program(self):
        """a cluster of gold and its powder pattern"""
        sonde = Executable(self.prefix.bin.sonde)
        gold = ["--cell", "fcc", "--species", "Au", "--a", "4.0782", "--sphere", "8"]
        sonde("build", *gold, "-o", "au.xyz")
        sonde("debye", "au.xyz", "--q", "0.5:20:50", "--device", "cpu", "-o", "au.h5")
        assert "sonde debye" in sonde("info", "au.h5", output=str)
