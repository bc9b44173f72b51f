# The target sonde_cairo: cairo with FreeType, by which the program draws pictures (src/cli/figure). The library libsonde
# does not need it.
#
# As for HDF5, the static libraries are used where they are installed and link (Debian's packages have them): the shared
# one loads 20 others, X11's among them, which takes longer than all else that `sonde --version` does, and which a bare
# machine may lack. -DSONDE_CAIRO_STATIC=OFF takes the shared library.
option(SONDE_CAIRO_STATIC "The program contains the static library of cairo, if there is one that links" ON)
pkg_check_modules(CAIRO REQUIRED IMPORTED_TARGET cairo cairo-pdf cairo-svg cairo-ft freetype2)
add_library(sonde_cairo INTERFACE)

set(SONDE_CAIRO_ARCHIVES)
if(SONDE_CAIRO_STATIC AND NOT SONDE_SANITIZE AND NOT SONDE_FUZZ)
  foreach(name cairo pixman-1 fontconfig freetype brotlidec brotlicommon expat)
    find_library(SONDE_${name}_ARCHIVE NAMES lib${name}.a HINTS ${CAIRO_LIBRARY_DIRS})
    mark_as_advanced(SONDE_${name}_ARCHIVE)
    if(SONDE_${name}_ARCHIVE)
      list(APPEND SONDE_CAIRO_ARCHIVES ${SONDE_${name}_ARCHIVE})
    endif()
  endforeach()
  set(cairo_needs ${SONDE_CAIRO_ARCHIVES} PkgConfig::PNG PkgConfig::ZLIB Threads::Threads m)
  include(CheckCSourceCompiles)
  set(CMAKE_REQUIRED_LIBRARIES ${cairo_needs})
  set(CMAKE_REQUIRED_INCLUDES ${CAIRO_INCLUDE_DIRS})
  check_c_source_compiles("#include <cairo-ft.h>
#include <cairo-pdf.h>
#include <cairo-svg.h>
int main(void) {
	cairo_surface_t *pdf = cairo_pdf_surface_create_for_stream(0, 0, 1, 1), *svg = cairo_svg_surface_create_for_stream(0, 0, 1, 1);
	FT_Library library;
	return cairo_surface_write_to_png_stream(svg, 0, 0) || FT_Init_FreeType(&library) || !cairo_ft_font_face_create_for_ft_face(0, 0) || !pdf;
}" SONDE_CAIRO_ARCHIVES_LINK)
  unset(CMAKE_REQUIRED_LIBRARIES)
  unset(CMAKE_REQUIRED_INCLUDES)
endif()
if(SONDE_CAIRO_ARCHIVES AND SONDE_CAIRO_ARCHIVES_LINK)
  target_include_directories(sonde_cairo SYSTEM INTERFACE ${CAIRO_INCLUDE_DIRS})
  target_link_libraries(sonde_cairo INTERFACE ${cairo_needs})
else()
  set(SONDE_CAIRO_ARCHIVES)
  target_link_libraries(sonde_cairo INTERFACE PkgConfig::CAIRO)
endif()
