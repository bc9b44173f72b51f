# Recipe for Spack: var/spack/repos/builtin/packages/sonde/package.py. Set url and sha256 to those of a release.
from spack.package import *


class Sonde(CMakePackage):
    """What a probe sees of matter: powder patterns and diffraction pictures of nanostructures, electrostatic
    potentials, ions in matter, and the propagation of light, on processors and GPUs."""

    homepage = "https://example.org/sonde"
    url = "https://example.org/sonde-0.2.0.tar.gz"

    license("BSD-3-Clause")

    version("0.2.0", sha256="0000000000000000000000000000000000000000000000000000000000000000")

    variant("mpi", default=True, description="Build the module for jobs of MPI")
    variant("cif", default=True, description="Read unit cells from CIF, by gemmi")
    variant("noncommercial", default=False, description="Install tables that are not free for commercial use")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("cmake@3.18:", type="build")
    depends_on("ninja", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("hdf5 ~mpi")
    depends_on("libyaml")
    depends_on("zlib-api")
    depends_on("libpng")
    depends_on("cairo +ft+pdf+png+svg")
    depends_on("freetype")
    depends_on("eigen", type="build")
    depends_on("gemmi", when="+cif", type="build")
    depends_on("mpi", when="+mpi")

    generator("ninja")

    def cmake_args(self):
        arguments = [
            self.define_from_variant("SONDE_MPI", "mpi"),
            self.define_from_variant("SONDE_NONCOMMERCIAL_DATA", "noncommercial"),
        ]
        # with it, the variable is the folder that CMake finds
        if self.spec.satisfies("~cif"):
            arguments.append(self.define("SONDE_GEMMI", False))
        return arguments
