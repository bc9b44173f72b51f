# Targets python, the package in BUILD/python, and wheel, files for pip in BUILD/wheel (python/wheel.py). They need Python with cffi.
# -DSONDE_PYTHON=FILE chooses the interpreter, else it is the first one with cffi, preferably also with what the tests import.
function(sonde_find_python modules)
  foreach(candidate python3 /usr/bin/python3)
    execute_process(COMMAND ${candidate} -c "import sys, ${modules}; assert sys.version_info >= (3, 10); print(sys.executable)"
                    RESULT_VARIABLE lacks OUTPUT_VARIABLE found OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
    if(lacks EQUAL 0 AND NOT SONDE_PYTHON)
      set(SONDE_PYTHON ${found} CACHE FILEPATH "Python with cffi, for the Python package")
    endif()
  endforeach()
endfunction()
sonde_find_python("cffi, numpy, xarray, pytest, yaml, ensurepip")
sonde_find_python("cffi")
if(NOT SONDE_PYTHON)
  message(STATUS "Python 3.10 with cffi was not found: sonde works, but there is no Python package")
elseif(NOT SONDE_SANITIZE AND NOT SONDE_FUZZ)
  set(package_library sonde_shared)
  set(package_program sonde)
  if(SONDE_CAN_BUNDLE)
    set(package_library sonde_bundled)
    set(package_program sonde_bundled_program)
  endif()
  file(GLOB package_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/python/*.py ${PROJECT_SOURCE_DIR}/python/sonde/*.py
       ${PROJECT_SOURCE_DIR}/python/sonde/bridges/*.py ${PROJECT_SOURCE_DIR}/include/sonde/*.h)
  file(GLOB_RECURSE package_tables CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/*.def)
  set(packing ${SONDE_PYTHON} ${PROJECT_SOURCE_DIR}/python/wheel.py)
  set(staged ${PROJECT_BINARY_DIR}/python/sonde/_engines.py)
  add_custom_command(OUTPUT ${staged}
                     COMMAND ${packing} stage ${PROJECT_BINARY_DIR}/python --library $<TARGET_FILE:${package_library}>
                             --program $<TARGET_FILE:${package_program}>
                     DEPENDS ${package_library} ${package_program} ${package_sources} ${package_tables} VERBATIM)
  add_custom_target(python DEPENDS ${staged})
  set(stamp ${PROJECT_BINARY_DIR}/wheel/made)
  add_custom_command(OUTPUT ${stamp}
                     COMMAND ${packing} wheel ${PROJECT_BINARY_DIR}/python ${PROJECT_BINARY_DIR}/wheel --version ${PROJECT_VERSION}
                     COMMAND ${CMAKE_COMMAND} -E touch ${stamp}
                     DEPENDS ${staged} ${PROJECT_SOURCE_DIR}/docs/python.md VERBATIM)
  add_custom_target(wheel DEPENDS ${stamp})
endif()
