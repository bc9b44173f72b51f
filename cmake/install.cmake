# Program, libraries, headers, manual pages, completion, pkg-config and find_package(sonde). Components: program (the
# default), library, development, and those of packages.cmake.
set(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME program)
install(TARGETS sonde RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(TARGETS sonde_shared LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT library
        NAMELINK_COMPONENT development)
# linked to one MPI, and opened only in its jobs: a .deb package of its own; archives have it (docs/parallel.md)
if(TARGET sonde_mpi)
  install(TARGETS sonde_mpi LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/sonde COMPONENT mpi)
endif()
# a library of instrumented objects is of no use to others
if(NOT SONDE_SANITIZE AND NOT SONDE_FUZZ)
  install(TARGETS sonde_static ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT development)
endif()
install(DIRECTORY include/sonde DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT development
        FILES_MATCHING PATTERN "*.h")
# the headers of options of the program alone are not part of the library
install(DIRECTORY ${SONDE_GENERATED}/include/sonde DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT development
        FILES_MATCHING PATTERN "*.h" PATTERN program_options.h EXCLUDE PATTERN campaign_options.h EXCLUDE)
# Third-party tables that are not under Sonde's license: a component and a folder of their own (data/noncommercial/README.md).
# The program finds them there when it runs (base/data_file.h) and works without them.
option(SONDE_NONCOMMERCIAL_DATA "Install the tables of stopping that are not free for commercial use" ON)
if(SONDE_NONCOMMERCIAL_DATA)
  install(FILES data/noncommercial/README.md data/noncommercial/stopping_srim13.i16
                data/noncommercial/stopping_dpass21.i16
          DESTINATION ${CMAKE_INSTALL_DATADIR}/sonde/noncommercial COMPONENT noncommercial-data)
endif()
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
# of files that are compiled in
install(FILES data/third_party/dejavu.LICENSE.txt data/third_party/plotly.LICENSE.txt DESTINATION ${CMAKE_INSTALL_DOCDIR}/licenses)

# manual pages and completion are generated from the program's own tables
set(pages)
foreach(command sonde build ${SONDE_ENGINES} campaign match library refine report convert info devices)
  set(page ${PROJECT_BINARY_DIR}/man/sonde-${command}.1)
  if(command STREQUAL sonde)
    set(page ${PROJECT_BINARY_DIR}/man/sonde.1)
  endif()
  add_custom_command(OUTPUT ${page} COMMAND ${CMAKE_COMMAND} -E make_directory ${PROJECT_BINARY_DIR}/man
                     COMMAND sonde help --man ${command} > ${page} DEPENDS sonde VERBATIM)
  list(APPEND pages ${page})
endforeach()
set(completion ${PROJECT_BINARY_DIR}/completion/sonde)
add_custom_command(OUTPUT ${completion} COMMAND ${CMAKE_COMMAND} -E make_directory ${PROJECT_BINARY_DIR}/completion
                   COMMAND sonde help --completion > ${completion} DEPENDS sonde VERBATIM)
add_custom_target(manual ALL DEPENDS ${pages} ${completion})
install(FILES ${pages} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES ${completion} DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)

# completion for the other shells
set(others)
foreach(shell zsh fish)
  set(script ${PROJECT_BINARY_DIR}/completion/sonde.${shell})
  add_custom_command(OUTPUT ${script} COMMAND ${CMAKE_COMMAND} -E make_directory ${PROJECT_BINARY_DIR}/completion
                     COMMAND sonde help --completion ${shell} > ${script} DEPENDS sonde VERBATIM)
  list(APPEND others ${script})
endforeach()
add_custom_target(completion ALL DEPENDS ${others})
install(FILES ${PROJECT_BINARY_DIR}/completion/sonde.zsh DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions
        RENAME _sonde)
install(FILES ${PROJECT_BINARY_DIR}/completion/sonde.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)

# for users of the library: sonde.pc and find_package(sonde)
include(${CMAKE_CURRENT_LIST_DIR}/sonde_pc.cmake)
# HDF5 is a pkg-config module, or files without one, or a part of libsonde.a
set(SONDE_PC_MODULES "yaml-0.1 zlib libpng ${SONDE_HDF5_MODULE_NAME}")
set(SONDE_PC_LIBRARIES "-pthread")
if(NOT SONDE_HDF5_MODULE_NAME AND NOT SONDE_HDF5_SOURCE)
  set(SONDE_CONFIG_HDF5 "${SONDE_HDF5_LIBRARIES}")
  string(REPLACE ";" " " files "${SONDE_HDF5_LIBRARIES}")
  string(APPEND SONDE_PC_LIBRARIES " ${files}")
endif()
if("c++" IN_LIST CMAKE_CXX_IMPLICIT_LINK_LIBRARIES)
  set(SONDE_CXX_LIBRARY c++)
else()
  set(SONDE_CXX_LIBRARY stdc++)
endif()
string(APPEND SONDE_PC_LIBRARIES " -l${SONDE_CXX_LIBRARY} -lm")
foreach(library ${CMAKE_DL_LIBS})
  string(APPEND SONDE_PC_LIBRARIES " -l${library}")
endforeach()
configure_file(cmake/sonde.pc.in sonde.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/sonde.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT development)
include(CMakePackageConfigHelpers)
write_basic_package_version_file(sondeConfigVersion.cmake COMPATIBILITY SameMinorVersion)
configure_package_config_file(cmake/sondeConfig.cmake.in sondeConfig.cmake
                              INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/sonde
                              PATH_VARS CMAKE_INSTALL_LIBDIR CMAKE_INSTALL_INCLUDEDIR)
install(FILES ${PROJECT_BINARY_DIR}/sondeConfig.cmake ${PROJECT_BINARY_DIR}/sondeConfigVersion.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/sonde COMPONENT development)
