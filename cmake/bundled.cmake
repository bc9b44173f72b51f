# sonde_bundled and sonde_bundled_program: the library and the program with HDF5, libyaml, libpng, and zlib inside, the
# program also with cairo, for the Python package, which must run on systems without these. Included by
# src/CMakeLists.txt, whose objects they consist of.
#
# The archives are those of the system, or HDF5's own build (-DSONDE_HDF5_SOURCE). Distributions compile archives as
# position-independent code for programs (-fPIE), not for shared libraries, where such code cannot refer to data of other libraries:
# the only ones are the standard streams, which copies of the archives find under other names (tools/bundled_streams.c).
# Where an archive is missing, or this does not link, there are no such targets, and the package has the ordinary library.
set(SONDE_CAN_BUNDLE OFF)
set(archives)
set(bundle_missing)
foreach(pair "yaml libyaml.a YAML" "png libpng16.a PNG" "z libz.a ZLIB")
  string(REPLACE " " ";" pair ${pair})
  list(GET pair 0 name)
  list(GET pair 1 file)
  list(GET pair 2 package)
  set(folders ${${package}_LIBRARY_DIRS} ${${package}_LIBDIR})
  find_library(SONDE_ARCHIVE_${name} NAMES ${file} HINTS ${folders})
  mark_as_advanced(SONDE_ARCHIVE_${name})
  if(SONDE_ARCHIVE_${name})
    list(APPEND archives ${SONDE_ARCHIVE_${name}})
  else()
    list(APPEND bundle_missing ${file})
  endif()
endforeach()
# of the users of an archive first
if(SONDE_HDF5_ARCHIVES)
  list(PREPEND archives ${SONDE_HDF5_ARCHIVES})
elseif(NOT SONDE_HDF5_SOURCE)
  list(APPEND bundle_missing libhdf5.a)
endif()
if(NOT SONDE_CAIRO_ARCHIVES)
  list(APPEND bundle_missing libcairo.a)
endif()
if(NOT CMAKE_OBJCOPY OR NOT CMAKE_SYSTEM_NAME STREQUAL Linux)
  list(APPEND bundle_missing objcopy)
endif()

if(bundle_missing)
  message(STATUS "the Python package will use the system's libraries: no ${bundle_missing}")
else()
  set(SONDE_CAN_BUNDLE ON)
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/bundled)
  file(MAKE_DIRECTORY ${folder})
  set(copies)
  foreach(archive ${archives})
    get_filename_component(file ${archive} NAME)
    add_custom_command(OUTPUT ${folder}/${file}
                       COMMAND ${CMAKE_OBJCOPY} --redefine-sym stdin=sonde_stdin --redefine-sym stdout=sonde_stdout
                               --redefine-sym stderr=sonde_stderr ${archive} ${folder}/${file}
                       DEPENDS ${archive} VERBATIM)
    list(APPEND copies ${folder}/${file})
  endforeach()
  add_custom_target(sonde_bundled_archives DEPENDS ${copies})
  set(bundled_hdf5)
  if(SONDE_HDF5_SOURCE)
    set(bundled_hdf5 sonde_hdf5)
  endif()
  add_library(sonde_bundled SHARED EXCLUDE_FROM_ALL $<TARGET_OBJECTS:sonde_objects> ${kernel_objects}
              ${PROJECT_SOURCE_DIR}/tools/bundled_streams.c)
  add_dependencies(sonde_bundled sonde_bundled_archives)
  target_link_libraries(sonde_bundled PRIVATE sonde_flags ${bundled_hdf5} ${copies} Threads::Threads ${CMAKE_DL_LIBS} m)
  target_link_options(sonde_bundled PRIVATE -Wl,-z,nodelete -Wl,--exclude-libs,ALL -Wl,--gc-sections -Wl,--no-undefined
                      -Wl,--version-script=${CMAKE_CURRENT_SOURCE_DIR}/exports.map)
  set_target_properties(sonde_bundled PROPERTIES OUTPUT_NAME sonde LIBRARY_OUTPUT_DIRECTORY ${folder} LINKER_LANGUAGE CXX
                        LINK_DEPENDS "${copies};${CMAKE_CURRENT_SOURCE_DIR}/exports.map")
  add_executable(sonde_bundled_program EXCLUDE_FROM_ALL $<TARGET_OBJECTS:sonde> $<TARGET_OBJECTS:sonde_objects> ${kernel_objects}
                 ${PROJECT_SOURCE_DIR}/tools/bundled_streams.c)
  add_dependencies(sonde_bundled_program sonde_bundled_archives sonde_generated)
  # cairo is the program's alone, for which its archives are fit as they are
  target_link_libraries(sonde_bundled_program PRIVATE sonde_flags ${bundled_hdf5} ${SONDE_CAIRO_ARCHIVES} ${copies} Threads::Threads ${CMAKE_DL_LIBS} m)
  target_link_options(sonde_bundled_program PRIVATE -Wl,--gc-sections)
  set_target_properties(sonde_bundled_program PROPERTIES OUTPUT_NAME sonde RUNTIME_OUTPUT_DIRECTORY ${folder} LINKER_LANGUAGE CXX
                        LINK_DEPENDS "${copies}")
endif()
