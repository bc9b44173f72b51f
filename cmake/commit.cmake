# SONDE_COMMIT: the commit shown by `sonde --version`. From git in a checkout; from cmake/commit.txt, which `git archive` fills
# in, in unpacked sources; else unknown.
set(SONDE_COMMIT unknown)
file(STRINGS ${PROJECT_SOURCE_DIR}/cmake/commit.txt archived LIMIT_COUNT 1)
if(archived MATCHES "^[0-9a-f]+$")
  set(SONDE_COMMIT ${archived})
endif()
find_package(Git QUIET)
# only if it is Sonde's: sources may be unpacked inside another checkout
if(GIT_FOUND AND EXISTS ${PROJECT_SOURCE_DIR}/.git)
  execute_process(COMMAND ${GIT_EXECUTABLE} rev-parse HEAD --git-path logs/HEAD WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}
                  OUTPUT_VARIABLE words RESULT_VARIABLE failed ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE)
  if(NOT failed)
    string(REPLACE "\n" ";" words "${words}")
    list(GET words 0 SONDE_COMMIT)
    list(GET words 1 log)
    # another commit is another version
    get_filename_component(log ${log} ABSOLUTE BASE_DIR ${PROJECT_SOURCE_DIR})
    if(EXISTS ${log})
      set_property(DIRECTORY ${PROJECT_SOURCE_DIR} APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${log})
    endif()
  endif()
endif()
