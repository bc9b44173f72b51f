# Writes OUTPUT, the sonde.pc of an installation with other folders (test_installed.sh).
set(CMAKE_INSTALL_INCLUDEDIR include)
include(${PROJECT_FOLDER}/cmake/sonde_pc.cmake)
configure_file(${PROJECT_FOLDER}/cmake/sonde.pc.in ${OUTPUT} @ONLY)
