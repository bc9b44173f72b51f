# make package: .deb packages, which name their dependencies, and .tar.gz archives, which carry them.
#
#   sonde                      program, manual pages, shared library
#   libsonde-dev               headers, static library, sonde.pc, find_package(sonde)
#   sonde-mpi                  the component mpi, if there is one: the module for the MPI of the build (docs/parallel.md)
#   sonde-noncommercial-data   the component noncommercial-data, if there is one: tables whose owners set terms
#
# The components `carried` and `carried-development` are installed only on request: the libraries that the program needs, except
# those of the C library, and the licenses of all third-party parts (carry.cmake).
get_filename_component(eigen "${EIGEN_INCLUDE_DIRS}/Eigen/Core" ABSOLUTE)
set(headers ${eigen})
if(SONDE_GEMMI AND SONDE_GEMMI_WORKS)
  list(APPEND headers ${SONDE_GEMMI}/gemmi/cif.hpp)
  if(EXISTS ${SONDE_GEMMI}/tao/pegtl.hpp)
    list(APPEND headers ${SONDE_GEMMI}/tao/pegtl.hpp)
  endif()
endif()
set(CPACK_SONDE_COMPILED_IN ${headers} ${SONDE_HDF5_ARCHIVES} ${SONDE_CAIRO_ARCHIVES})
set(CPACK_SONDE_COMPILED_IN_LIBRARY ${headers})
set(CPACK_SONDE_HDF5_SOURCE ${SONDE_HDF5_SOURCE})
foreach(component carried carried-development)
  set(program)
  set(compiled_in ${CPACK_SONDE_COMPILED_IN_LIBRARY})
  if(component STREQUAL "carried")
    set(program "$<TARGET_FILE:sonde>")
    set(compiled_in ${CPACK_SONDE_COMPILED_IN})
  endif()
  install(CODE "set(program \"${program}\")
set(bindir \"${CMAKE_INSTALL_BINDIR}\")
set(docdir \"${CMAKE_INSTALL_DOCDIR}\")
set(compiled_in \"${compiled_in}\")
set(hdf5_source \"${SONDE_HDF5_SOURCE}\")
set(objdump \"${CMAKE_OBJDUMP}\")" COMPONENT ${component} EXCLUDE_FROM_ALL)
  install(SCRIPT cmake/carry.cmake COMPONENT ${component} EXCLUDE_FROM_ALL)
endforeach()
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT carried-development EXCLUDE_FROM_ALL)

get_cmake_property(SONDE_COMPONENTS COMPONENTS)
list(REMOVE_ITEM SONDE_COMPONENTS carried carried-development Unspecified)
set(CPACK_COMPONENTS_ALL ${SONDE_COMPONENTS})
foreach(component PROGRAM LIBRARY CARRIED)
  set(CPACK_COMPONENT_${component}_GROUP sonde)
endforeach()
set(CPACK_COMPONENT_CARRIED-DEVELOPMENT_GROUP development)
set(CPACK_COMPONENT_DEVELOPMENT_GROUP development)
# libsonde.so needs the machine's HDF5 even if the program contains its own
if(SONDE_HDF5_ARCHIVES)
  set(CPACK_SONDE_LIBRARY_NEEDS_HDF5 ON)
endif()
set(CPACK_COMPONENTS_GROUPING ONE_PER_GROUP)
set(CPACK_GENERATOR DEB TGZ)
set(CPACK_PROJECT_CONFIG_FILE ${PROJECT_SOURCE_DIR}/cmake/package_kinds.cmake)
set(CPACK_PACKAGE_NAME sonde)
set(CPACK_PACKAGE_VENDOR "Sonde's authors")
# Debian requires an address. The project has none: this one is unreachable, and publishers of packages set their own.
set(SONDE_PACKAGE_CONTACT "Sonde's authors <sonde@localhost>" CACHE STRING "Maintainer of the packages: Name <address>")
set(CPACK_PACKAGE_CONTACT "${SONDE_PACKAGE_CONTACT}")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_STRIP_FILES ON)
set(CPACK_THREADS 0)

set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_SONDE_PACKAGE_NAME sonde)
set(CPACK_DEBIAN_SONDE_PACKAGE_SUGGESTS "sonde-mpi, sonde-noncommercial-data, pocl-opencl-icd")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libsonde-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
# even for the shared library, pkg-config succeeds only if it finds the modules that the static one needs; -lstdc++ is not
# found with only a C compiler
set(needs "sonde (= ${PROJECT_VERSION}), libyaml-dev, libpng-dev, zlib1g-dev, g++")
if(NOT SONDE_HDF5_SOURCE)
  string(APPEND needs ", libhdf5-dev")
endif()
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS "${needs}")
# its library of MPI is found as those of programs are
set(CPACK_DEBIAN_MPI_PACKAGE_NAME sonde-mpi)
set(CPACK_DEBIAN_MPI_PACKAGE_DEPENDS "sonde (= ${PROJECT_VERSION})")
set(CPACK_DEBIAN_MPI_PACKAGE_RECOMMENDS mpi-default-bin)
set(CPACK_DEBIAN_NONCOMMERCIAL-DATA_PACKAGE_NAME sonde-noncommercial-data)
set(CPACK_DEBIAN_NONCOMMERCIAL-DATA_PACKAGE_SECTION non-free/science)
set(CPACK_DEBIAN_NONCOMMERCIAL-DATA_PACKAGE_ARCHITECTURE all)
# the first line is the summary
set(CPACK_DEBIAN_SONDE_DESCRIPTION "${PROJECT_DESCRIPTION}
Sonde predicts what a probe sees of matter, with an error for every number: the
powder patterns of nanostructures by the Debye equation, the electrostatic
potential of charges, where ions stop in matter and what they break, and light
passing through structures by Maxwell's equations. It computes on CPUs and, by
CUDA and OpenCL, on GPUs.

This package has the program, its manual pages and completion, and the shared
library.")
set(CPACK_DEBIAN_DEVELOPMENT_DESCRIPTION "headers and static library of Sonde
Sonde predicts what a probe sees of matter: powder patterns, electrostatic
potentials, ions in matter, light passing through structures.

This package is for programs in C that call it: headers, static library, and
files for pkg-config and CMake.")
set(CPACK_DEBIAN_MPI_DESCRIPTION "Sonde as several processes of a job of MPI
Sonde predicts what a probe sees of matter: powder patterns, electrostatic
potentials, ions in matter, light passing through structures.

This package has the module by which 'mpirun -n 8 sonde ...' shares the work of
one command among processes and machines. It belongs to the MPI of this
distribution.")
set(CPACK_DEBIAN_NONCOMMERCIAL-DATA_DESCRIPTION "tables of stopping powers that are not free for commercial use
Electronic stopping of ions in matter as SRIM-2013 and DPASS 21.06 compute it.
Sonde works without them; with them, 'sonde ions' and 'sonde stopping' offer
'--stopping srim13' and '--stopping dpass21'. Their terms are in the file
copyright of this package.")
# the dependency of programs linked with libsonde.so, and the loader's list of libraries
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_SONDE_PACKAGE_CONTROL_EXTRA ${PROJECT_SOURCE_DIR}/cmake/triggers)
set(CPACK_SONDE_DATE ${SONDE_DATE})
set(CPACK_SONDE_CHANGES ${PROJECT_SOURCE_DIR}/CHANGELOG.md)
set(CPACK_SONDE_DEBIAN ${PROJECT_SOURCE_DIR}/cmake/debian.cmake)

set(CPACK_ARCHIVE_COMPONENT_INSTALL ON)
set(end ${PROJECT_VERSION}-${CMAKE_SYSTEM_NAME}-${CMAKE_SYSTEM_PROCESSOR})
set(CPACK_ARCHIVE_SONDE_FILE_NAME sonde-${end})
set(CPACK_ARCHIVE_DEVELOPMENT_FILE_NAME libsonde-dev-${end})
set(CPACK_ARCHIVE_NONCOMMERCIAL-DATA_FILE_NAME sonde-noncommercial-data-${PROJECT_VERSION})
include(CPack)
