# sonde_bundled: the library with HDF5, libyaml, libpng, and zlib inside, for the Python package, which must run on systems
# without these. It also contains the program, of which sonde_bundled_program is only main() and cairo: a program of its
# own would contain everything once more. Included by src/CMakeLists.txt, whose objects they consist of.
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
  # The program without main(), as one object. Its references to cairo are weak: it finds it in the file of the program, and
  # what loads the library for the engines needs none.
  set(whole ${folder}/program_whole.o)
  add_custom_command(OUTPUT ${whole} ${folder}/cairo.ld
                     COMMAND ${CMAKE_LINKER} -r -o ${whole} $<TARGET_OBJECTS:sonde_program>
                     COMMAND ${CMAKE_OBJCOPY} -w --weaken-symbol=cairo_* --weaken-symbol=FT_* ${whole}
                     COMMAND sh -c "\"$1\" -u \"$2\" | sed -nE 's/^ *w ((cairo|FT)_.*)/EXTERN(\\1)/p' >\"$3\"" sh ${CMAKE_NM} ${whole} ${folder}/cairo.ld
                     DEPENDS sonde_program $<TARGET_OBJECTS:sonde_program> COMMAND_EXPAND_LISTS VERBATIM)
  set_source_files_properties(${whole} PROPERTIES EXTERNAL_OBJECT ON GENERATED ON)
  add_library(sonde_bundled SHARED EXCLUDE_FROM_ALL $<TARGET_OBJECTS:sonde_objects> ${kernel_objects} ${whole}
              ${PROJECT_SOURCE_DIR}/tools/bundled_streams.c)
  add_dependencies(sonde_bundled sonde_bundled_archives sonde_program)
  target_link_libraries(sonde_bundled PRIVATE sonde_flags ${bundled_hdf5} ${copies} Threads::Threads ${CMAKE_DL_LIBS} m)
  target_link_options(sonde_bundled PRIVATE -Wl,-z,nodelete -Wl,--exclude-libs,ALL -Wl,--gc-sections -Wl,--no-undefined
                      -Wl,--version-script=${CMAKE_CURRENT_SOURCE_DIR}/exports.map)
  set_target_properties(sonde_bundled PROPERTIES OUTPUT_NAME sonde LIBRARY_OUTPUT_DIRECTORY ${folder} LINKER_LANGUAGE CXX
                        LINK_DEPENDS "${copies};${CMAKE_CURRENT_SOURCE_DIR}/exports.map")
  # main() and cairo, whose archives are fit for programs only, with what the library takes of it: cairo.ld names it, and comes
  # first, before the weak references
  add_executable(sonde_bundled_program EXCLUDE_FROM_ALL cli/program/main.c ${PROJECT_SOURCE_DIR}/tools/bundled_random.c)
  add_dependencies(sonde_bundled_program sonde_bundled)
  target_include_directories(sonde_bundled_program PRIVATE ${CMAKE_CURRENT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/include)
  target_link_libraries(sonde_bundled_program PRIVATE sonde_flags ${folder}/cairo.ld $<TARGET_FILE:sonde_bundled> ${SONDE_CAIRO_ARCHIVES}
                        ${SONDE_ARCHIVE_png} ${SONDE_ARCHIVE_z} Threads::Threads m)
  # before LD_LIBRARY_PATH, which may lead to another libsonde
  target_link_options(sonde_bundled_program PRIVATE -Wl,--gc-sections -Wl,--disable-new-dtags
                      -Wl,--export-dynamic-symbol=cairo_* -Wl,--export-dynamic-symbol=FT_*)
  set_target_properties(sonde_bundled_program PROPERTIES OUTPUT_NAME sonde RUNTIME_OUTPUT_DIRECTORY ${folder} INSTALL_RPATH "$ORIGIN/../lib;$ORIGIN"
                        BUILD_WITH_INSTALL_RPATH ON LINK_DEPENDS "${folder}/cairo.ld")
endif()
