# Search paths of programs for shared libraries (RPATH), the same in the build folder and when installed.
#
# CMake's default, one path in the build folder that is rewritten in place on installation, pads the first
# with colons to the length of the second. The dynamic loader takes the empty elements between colons for the
# current folder, and runs libraries from there. Therefore every program is linked with its final path, of
# absolute folders only (or $ORIGIN), and nothing is rewritten. scripts/check_run_paths.sh checks the result.
set(CMAKE_BUILD_WITH_INSTALL_RPATH ON)
set(CMAKE_INSTALL_REMOVE_ENVIRONMENT_RPATH ON)
set(CMAKE_INSTALL_RPATH_USE_LINK_PATH OFF)

# Folders unknown to the loader: of libraries in another prefix, such as conda's.
set(SONDE_RUN_PATHS)
foreach(library ${YAML_LINK_LIBRARIES} ${ZLIB_LINK_LIBRARIES} ${PNG_LINK_LIBRARIES} ${SONDE_HDF5_LIBRARIES})
  # the link that the loader follows is next to its target
  get_filename_component(file "${library}" REALPATH)
  get_filename_component(folder "${file}" DIRECTORY)
  if(library MATCHES "^/.*\\.(so|dylib)" AND NOT folder IN_LIST CMAKE_C_IMPLICIT_LINK_DIRECTORIES)
    list(APPEND SONDE_RUN_PATHS ${folder})
  endif()
endforeach()
list(REMOVE_DUPLICATES SONDE_RUN_PATHS)
set(CMAKE_INSTALL_RPATH ${SONDE_RUN_PATHS})
