# Libraries that Sonde links. Each is looked for by pkg-config, HDF5 under its several names.
find_package(PkgConfig REQUIRED)
find_package(OpenMP REQUIRED COMPONENTS C)
pkg_check_modules(YAML REQUIRED IMPORTED_TARGET yaml-0.1)
pkg_check_modules(ZLIB REQUIRED IMPORTED_TARGET zlib)
pkg_search_module(HDF5 REQUIRED IMPORTED_TARGET hdf5 hdf5-serial)

find_program(SONDE_GNUPLOT gnuplot)
if(NOT SONDE_GNUPLOT)
  message(STATUS "gnuplot is not here: sonde works, but --plot needs it at run time")
endif()
