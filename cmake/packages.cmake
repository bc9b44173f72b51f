# make package: .deb packages, which name what they depend on, and .tar.gz archives, which carry it.
#
#   sonde                      program, manual pages, shared library
#   libsonde-dev               headers, static library, sonde.pc, find_package(sonde)
#   sonde-noncommercial-data   the component noncommercial-data, where there is one: tables whose owners set terms
#
# The component `carried` is installed only when it is asked for: the libraries that the program needs, but those of the C
# library, and the licences of all that is not Sonde's (carry.cmake).
get_filename_component(eigen "${EIGEN_INCLUDE_DIRS}/Eigen/Core" ABSOLUTE)
install(CODE "set(program \"$<TARGET_FILE:sonde>\")
set(bindir \"${CMAKE_INSTALL_BINDIR}\")
set(docdir \"${CMAKE_INSTALL_DOCDIR}\")
set(compiled_in \"${eigen};${SONDE_HDF5_ARCHIVES}\")
set(hdf5_source \"${SONDE_HDF5_SOURCE}\")
set(objdump \"${CMAKE_OBJDUMP}\")" COMPONENT carried EXCLUDE_FROM_ALL)
install(SCRIPT cmake/carry.cmake COMPONENT carried EXCLUDE_FROM_ALL)

get_cmake_property(SONDE_COMPONENTS COMPONENTS)
list(REMOVE_ITEM SONDE_COMPONENTS carried Unspecified)
set(CPACK_COMPONENTS_ALL ${SONDE_COMPONENTS})
foreach(component PROGRAM LIBRARY CARRIED)
  set(CPACK_COMPONENT_${component}_GROUP sonde)
endforeach()
# libsonde.so needs the machine's HDF5 where the program has its own
if(SONDE_HDF5_ARCHIVES)
  set(CPACK_SONDE_LIBRARY_NEEDS_HDF5 ON)
endif()
set(CPACK_COMPONENTS_GROUPING ONE_PER_GROUP)
set(CPACK_GENERATOR DEB TGZ)
set(CPACK_PROJECT_CONFIG_FILE ${PROJECT_SOURCE_DIR}/cmake/package_kinds.cmake)
set(CPACK_PACKAGE_NAME sonde)
set(CPACK_PACKAGE_VENDOR "Sonde's authors")
set(CPACK_PACKAGE_CONTACT "Sonde's authors <sonde@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_STRIP_FILES ON)
set(CPACK_THREADS 0)

set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_SONDE_PACKAGE_NAME sonde)
set(CPACK_DEBIAN_SONDE_PACKAGE_RECOMMENDS gnuplot-nox)
set(CPACK_DEBIAN_SONDE_PACKAGE_SUGGESTS "sonde-noncommercial-data, pocl-opencl-icd")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libsonde-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS "sonde (= ${PROJECT_VERSION})")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SUGGESTS "libhdf5-dev, libyaml-dev, libpng-dev, zlib1g-dev")
set(CPACK_DEBIAN_NONCOMMERCIAL-DATA_PACKAGE_NAME sonde-noncommercial-data)
set(CPACK_DEBIAN_NONCOMMERCIAL-DATA_PACKAGE_SECTION non-free/science)
set(CPACK_DEBIAN_NONCOMMERCIAL-DATA_PACKAGE_ARCHITECTURE all)
set(CPACK_COMPONENT_DEVELOPMENT_DESCRIPTION "Headers and static library of Sonde")
set(CPACK_COMPONENT_NONCOMMERCIAL-DATA_DESCRIPTION
    "Tables of stopping powers for Sonde that are not free for commercial use")

set(CPACK_ARCHIVE_COMPONENT_INSTALL ON)
set(end ${PROJECT_VERSION}-${CMAKE_SYSTEM_NAME}-${CMAKE_SYSTEM_PROCESSOR})
set(CPACK_ARCHIVE_SONDE_FILE_NAME sonde-${end})
set(CPACK_ARCHIVE_DEVELOPMENT_FILE_NAME libsonde-dev-${end})
set(CPACK_ARCHIVE_NONCOMMERCIAL-DATA_FILE_NAME sonde-noncommercial-data-${PROJECT_VERSION})
include(CPack)
