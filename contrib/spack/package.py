# A package for Spack. The checksum is that of `make sdist`, to be filled in with the address of a release.
from spack.package import *


class Sonde(CMakePackage):
    """What a probe sees of matter: powder patterns and diffraction pictures of nanostructures, electrostatic potentials, ions in
    matter, and light in structures, on CPUs and GPUs, whose drivers are opened at run time."""

    homepage = "https://example.org/sonde"
    url = "https://example.org/sonde-0.2.0.tar.gz"
    license("BSD-3-Clause")

    version("0.2.0", sha256="0000000000000000000000000000000000000000000000000000000000000000")

    variant("mpi", default=True, description="Several ranks under mpirun")
    variant("cif", default=True, description="Read CIF")
    variant("noncommercial", default=False, description="Tables of stopping powers that are not free for commercial use")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("cmake@3.18:", type="build")
    depends_on("ninja", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("eigen", type="build")
    depends_on("hdf5~mpi")
    depends_on("libyaml")
    depends_on("zlib-api")
    depends_on("libpng")
    depends_on("mpi", when="+mpi")
    depends_on("gemmi", when="+cif", type="build")

    generator("ninja")

    def cmake_args(self):
        arguments = [
            self.define_from_variant("SONDE_MPI", "mpi"),
            self.define_from_variant("SONDE_NONCOMMERCIAL_DATA", "noncommercial"),
        ]
        if self.spec.satisfies("~cif"):
            arguments.append(self.define("SONDE_GEMMI", False))
        return arguments
