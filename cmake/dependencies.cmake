# Libraries that Sonde links. Each is searched by pkg-config, HDF5 also without (hdf5.cmake).
find_package(PkgConfig REQUIRED)
set(THREADS_PREFER_PTHREAD_FLAG ON)
find_package(Threads REQUIRED)
pkg_check_modules(YAML REQUIRED IMPORTED_TARGET yaml-0.1)
pkg_check_modules(ZLIB REQUIRED IMPORTED_TARGET zlib)
pkg_check_modules(PNG REQUIRED IMPORTED_TARGET libpng)
pkg_check_modules(EIGEN REQUIRED IMPORTED_TARGET eigen3)
include(${CMAKE_CURRENT_LIST_DIR}/hdf5.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/cairo.cmake)

# For the module of ranks (src/parallel/mpi_module.c), which alone is linked to it. -DSONDE_MPI=OFF builds without;
# -DMPI_C_COMPILER=/path/to/mpicc chooses one of several.
option(SONDE_MPI "Build the module for ranks of MPI, if MPI is found" ON)
if(SONDE_MPI)
  find_package(MPI QUIET COMPONENTS C)
endif()
if(NOT SONDE_MPI OR NOT MPI_C_FOUND)
  message(STATUS "MPI was not found: sonde works, but not as several ranks under mpirun")
endif()

# Reads CIF (src/matter/crystal/cif.cpp): headers that need C++17, also for the version of PEGTL in Debian. -DSONDE_GEMMI=OFF builds without it.
find_path(SONDE_GEMMI gemmi/cif.hpp)
if(SONDE_GEMMI)
  include(CheckCXXSourceCompiles)
  set(standard ${CMAKE_CXX_STANDARD})
  set(CMAKE_CXX_STANDARD 17)
  set(CMAKE_REQUIRED_INCLUDES ${SONDE_GEMMI})
  check_cxx_source_compiles("#include <gemmi/cif.hpp>
#include <gemmi/symmetry.hpp>
int main() { return gemmi::symops_from_hall(gemmi::cif::read_string(\"data_\").blocks[0].name.c_str()).order(); }"
                            SONDE_GEMMI_WORKS)
  set(CMAKE_CXX_STANDARD ${standard})
  unset(CMAKE_REQUIRED_INCLUDES)
endif()
if(NOT SONDE_GEMMI OR NOT SONDE_GEMMI_WORKS)
  message(STATUS "gemmi was not found: sonde works, but does not read CIF")
endif()
