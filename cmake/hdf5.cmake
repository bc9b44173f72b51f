# The target sonde_hdf5: HDF5's C library for libsonde.so and its users, and sonde_hdf5_program: the same for programs, which
# link it statically if possible. It comes from one of three places.
#
#   -DSONDE_HDF5_SOURCE=DIR   HDF5's sources: a static library without network drivers, szip, tools and tests is built
#                             from them. Self-contained packages are built this way: the library of a
#                             distribution may pull in dozens of others (Debian's: curl, Kerberos, LDAP).
#   pkg-config                modules hdf5 or hdf5-serial
#   find_package(HDF5)        by hdf5-config.cmake, the compiler wrapper h5cc, or the usual folders; HDF5_ROOT names another one
#
# scripts/deps.sh includes this file in a separate project, so that both find the same.
set(SONDE_HDF5_SOURCE "" CACHE PATH "Folder of HDF5's sources to build and link statically; empty: the installed HDF5")
option(SONDE_HDF5_STATIC "Programs contain the static library of the installed HDF5, if there is one that links" ON)

# Builds HDF5 in the build folder. Its symbols are hidden: they must not conflict with another HDF5 in a program that uses libsonde.
function(sonde_build_hdf5 source)
  include(ExternalProject)
  set(prefix ${PROJECT_BINARY_DIR}/hdf5)
  set(flags "${CMAKE_C_FLAGS} -w -fvisibility=hidden")
  string(APPEND flags " -ffile-prefix-map=${source}=hdf5 -ffile-prefix-map=${prefix}=hdf5")
  ExternalProject_Add(hdf5_build
    SOURCE_DIR ${source}
    BINARY_DIR ${prefix}/build
    CMAKE_ARGS -DCMAKE_INSTALL_PREFIX=${prefix} -DCMAKE_BUILD_TYPE=Release -DCMAKE_C_COMPILER=${CMAKE_C_COMPILER}
               "-DCMAKE_C_FLAGS=${flags}" -DCMAKE_C_FLAGS_RELEASE=-O2 -DCMAKE_POSITION_INDEPENDENT_CODE=ON
               -DBUILD_SHARED_LIBS=OFF -DBUILD_STATIC_LIBS=ON -DBUILD_TESTING=OFF -DHDF5_BUILD_TOOLS=OFF
               -DHDF5_BUILD_EXAMPLES=OFF -DHDF5_BUILD_HL_LIB=OFF -DHDF5_BUILD_CPP_LIB=OFF -DHDF5_BUILD_FORTRAN=OFF
               -DHDF5_BUILD_JAVA=OFF -DHDF5_ENABLE_Z_LIB_SUPPORT=ON -DHDF5_ENABLE_SZIP_SUPPORT=OFF
               -DHDF5_ENABLE_ROS3_VFD=OFF -DHDF5_ENABLE_HDFS=OFF -DHDF5_ENABLE_PARALLEL=OFF -DHDF5_ENABLE_THREADSAFE=OFF
               # a reproducible library must not contain time, place and author of the build
               -DHDF5_ENABLE_EMBEDDED_LIBINFO=OFF -DHDF5_INSTALL_LIB_DIR=lib -DHDF5_INSTALL_INCLUDE_DIR=include
    BUILD_BYPRODUCTS ${prefix}/lib/libhdf5.a
    EXCLUDE_FROM_ALL ON)
  file(MAKE_DIRECTORY ${prefix}/include)
  add_library(sonde_hdf5 INTERFACE)
  add_dependencies(sonde_hdf5 hdf5_build)
  target_include_directories(sonde_hdf5 SYSTEM INTERFACE ${prefix}/include)
  target_link_libraries(sonde_hdf5 INTERFACE ${prefix}/lib/libhdf5.a PkgConfig::ZLIB ${CMAKE_DL_LIBS} m)
  set(SONDE_HDF5_ARCHIVE ${prefix}/lib/libhdf5.a PARENT_SCOPE)
endfunction()

# Target and, in SONDE_HDF5_LIBRARIES, the library files of the installed one.
macro(sonde_find_hdf5)
  pkg_search_module(SONDE_HDF5 QUIET IMPORTED_TARGET hdf5 hdf5-serial)
  add_library(sonde_hdf5 INTERFACE)
  if(SONDE_HDF5_FOUND)
    target_link_libraries(sonde_hdf5 INTERFACE PkgConfig::SONDE_HDF5)
    set(SONDE_HDF5_LIBRARIES ${SONDE_HDF5_LINK_LIBRARIES})
  else()
    find_package(HDF5 REQUIRED COMPONENTS C)
    target_include_directories(sonde_hdf5 SYSTEM INTERFACE ${HDF5_C_INCLUDE_DIRS})
    target_compile_definitions(sonde_hdf5 INTERFACE ${HDF5_C_DEFINITIONS})
    target_link_libraries(sonde_hdf5 INTERFACE ${HDF5_C_LIBRARIES})
    set(SONDE_HDF5_LIBRARIES ${HDF5_C_LIBRARIES})
  endif()
endmacro()

# sonde_hdf5_program from the archive next to the installed shared library. A shared library loads everything it was
# linked with (Debian's: curl, Kerberos, LDAP, 32 files, three quarters of the run time of `sonde --version`); of an
# archive only the functions called are linked. If an archive needs more, the test link fails, and the shared library is used.
macro(sonde_find_static_hdf5)
  set(folders)
  foreach(library ${SONDE_HDF5_LIBRARIES})
    get_filename_component(folder "${library}" DIRECTORY)
    list(APPEND folders "${folder}")
  endforeach()
  find_library(SONDE_HDF5_STATIC_LIBRARY NAMES libhdf5.a PATHS ${folders} NO_DEFAULT_PATH)
  # szip, before the library to which it is an interface
  find_library(SONDE_SZIP_STATIC_LIBRARY NAMES libsz.a)
  find_library(SONDE_AEC_STATIC_LIBRARY NAMES libaec.a)
  mark_as_advanced(SONDE_HDF5_STATIC_LIBRARY SONDE_SZIP_STATIC_LIBRARY SONDE_AEC_STATIC_LIBRARY)
  if(SONDE_HDF5_STATIC_LIBRARY)
    set(SONDE_HDF5_ARCHIVES ${SONDE_HDF5_STATIC_LIBRARY})
    foreach(library ${SONDE_SZIP_STATIC_LIBRARY} ${SONDE_AEC_STATIC_LIBRARY})
      list(APPEND SONDE_HDF5_ARCHIVES ${library})
    endforeach()
    set(needs ${SONDE_HDF5_ARCHIVES} PkgConfig::ZLIB Threads::Threads ${CMAKE_DL_LIBS} m)
    include(CheckCSourceCompiles)
    set(CMAKE_REQUIRED_LIBRARIES ${needs})
    set(CMAKE_REQUIRED_INCLUDES ${SONDE_HDF5_INCLUDE_DIRS} ${HDF5_C_INCLUDE_DIRS})
    check_c_source_compiles("#include <hdf5.h>
int main(void) { return H5Fcreate(\"\", 0, 0, H5Pset_fapl_core(0, 0, 0)) < 0 || H5Dwrite(0, 0, 0, 0, 0, 0) < 0; }"
                            SONDE_HDF5_ARCHIVE_LINKS)
    unset(CMAKE_REQUIRED_LIBRARIES)
    unset(CMAKE_REQUIRED_INCLUDES)
  endif()
  if(SONDE_HDF5_STATIC_LIBRARY AND SONDE_HDF5_ARCHIVE_LINKS)
    # a target, so that its dependencies follow it wherever it is linked
    add_library(sonde_hdf5_archive STATIC IMPORTED)
    list(REMOVE_ITEM needs ${SONDE_HDF5_STATIC_LIBRARY})
    set_target_properties(sonde_hdf5_archive PROPERTIES IMPORTED_LOCATION ${SONDE_HDF5_STATIC_LIBRARY}
                          INTERFACE_LINK_LIBRARIES "${needs}")
    target_include_directories(sonde_hdf5_program SYSTEM INTERFACE ${SONDE_HDF5_INCLUDE_DIRS} ${HDF5_C_INCLUDE_DIRS})
    target_link_libraries(sonde_hdf5_program INTERFACE sonde_hdf5_archive)
  else()
    set(SONDE_HDF5_ARCHIVES)
    target_link_libraries(sonde_hdf5_program INTERFACE sonde_hdf5)
  endif()
endmacro()

add_library(sonde_hdf5_program INTERFACE)
if(SONDE_HDF5_SOURCE)
  if(NOT EXISTS ${SONDE_HDF5_SOURCE}/src/H5public.h)
    message(FATAL_ERROR "SONDE_HDF5_SOURCE=${SONDE_HDF5_SOURCE}: has no src/H5public.h; name the unpacked sources of HDF5")
  endif()
  sonde_build_hdf5(${SONDE_HDF5_SOURCE})
  target_link_libraries(sonde_hdf5_program INTERFACE sonde_hdf5)
else()
  sonde_find_hdf5()
  # suppressions of the sanitizers name the shared library
  if(SONDE_HDF5_STATIC AND NOT SONDE_SANITIZE AND NOT SONDE_FUZZ)
    sonde_find_static_hdf5()
  else()
    target_link_libraries(sonde_hdf5_program INTERFACE sonde_hdf5)
  endif()
endif()
