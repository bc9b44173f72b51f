# Program, libraries, headers, manual pages, completion, pkg-config and find_package(sonde).
install(TARGETS sonde RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(TARGETS sonde_shared LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(FILES ${SONDE_ARCHIVE} DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY include/sonde DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")
# that of the program's own options is none of the library's
install(DIRECTORY ${SONDE_GENERATED}/include/sonde DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h"
        PATTERN program_options.h EXCLUDE)
# tables that the program reads when it runs (base/data_file.h)
install(FILES data/stopping_srim13.i16 data/stopping_dpass21.i16 DESTINATION ${CMAKE_INSTALL_DATADIR}/sonde)
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})

# manual pages and completion come out of the program's own tables
set(pages)
foreach(command build debye coulomb ions stopping convert info devices)
  set(page ${PROJECT_BINARY_DIR}/man/sonde-${command}.1)
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

set(SONDE_HDF5_MODULE ${HDF5_MODULE_NAME})
configure_file(cmake/sonde.pc.in sonde.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/sonde.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
include(CMakePackageConfigHelpers)
write_basic_package_version_file(sondeConfigVersion.cmake COMPATIBILITY SameMinorVersion)
configure_package_config_file(cmake/sondeConfig.cmake.in sondeConfig.cmake
                              INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/sonde
                              PATH_VARS CMAKE_INSTALL_LIBDIR CMAKE_INSTALL_INCLUDEDIR)
install(FILES ${PROJECT_BINARY_DIR}/sondeConfig.cmake ${PROJECT_BINARY_DIR}/sondeConfigVersion.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/sonde)
