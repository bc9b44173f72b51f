# Read by CPack for each kind of package (packages.cmake): archives carry the libraries that .deb packages depend on. A shared
# library that needs the machine's HDF5 is in the archive for developers.
if(CPACK_GENERATOR STREQUAL "TGZ")
  list(APPEND CPACK_COMPONENTS_ALL carried carried-development)
  set(CPACK_COMPONENT_MPI_GROUP sonde) # opened only in jobs of MPI: without an MPI it does no harm
  set(CPACK_COMPONENT_INCLUDE_TOPLEVEL_DIRECTORY ON)
  if(CPACK_SONDE_LIBRARY_NEEDS_HDF5)
    set(CPACK_COMPONENT_LIBRARY_GROUP development)
  endif()
else()
  set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
  set(CPACK_PRE_BUILD_SCRIPTS ${CPACK_SONDE_DEBIAN})
  # each package's description has its own summary
  set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "")
endif()
