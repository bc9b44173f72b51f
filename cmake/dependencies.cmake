# Libraries that Sonde links. Each is searched by pkg-config, HDF5 also without (hdf5.cmake).
find_package(PkgConfig REQUIRED)
set(THREADS_PREFER_PTHREAD_FLAG ON)
find_package(Threads REQUIRED)
pkg_check_modules(YAML REQUIRED IMPORTED_TARGET yaml-0.1)
pkg_check_modules(ZLIB REQUIRED IMPORTED_TARGET zlib)
pkg_check_modules(PNG REQUIRED IMPORTED_TARGET libpng)
pkg_check_modules(EIGEN REQUIRED IMPORTED_TARGET eigen3)
include(${CMAKE_CURRENT_LIST_DIR}/hdf5.cmake)

find_program(SONDE_GNUPLOT gnuplot)
if(NOT SONDE_GNUPLOT)
  message(STATUS "gnuplot was not found: sonde works, but --plot needs it at run time")
endif()

# Needed by future parts: this version loses nothing without them.
pkg_check_modules(MPI_C QUIET ompi-c)
if(NOT MPI_C_FOUND)
  message(STATUS "MPI was not found: this version has no ranks and does not need it")
endif()
find_path(SONDE_GEMMI gemmi/cif.hpp)
if(NOT SONDE_GEMMI)
  message(STATUS "gemmi was not found: this version reads no CIF and does not need it")
endif()
