# Files generated at build time by small programs of tools/: headers of options, and texts as C arrays.
set(SONDE_GENERATED ${PROJECT_BINARY_DIR}/generated)
file(MAKE_DIRECTORY ${SONDE_GENERATED}/include/sonde)
configure_file(${PROJECT_SOURCE_DIR}/cmake/version.h.in ${SONDE_GENERATED}/include/sonde/version.h @ONLY)

add_executable(embed_text tools/embed_text.c)
add_executable(embed_bytes tools/embed_bytes.c)

# sonde_option_header(ENGINE DEF): writes include/sonde/ENGINE_options.h from src/DEF
function(sonde_option_header engine def)
  set(tool option_header_${engine})
  add_executable(${tool} tools/option_header.c)
  target_include_directories(${tool} PRIVATE src)
  target_compile_definitions(${tool} PRIVATE OPTIONS_DEF="${def}" ENGINE="${engine}")
  set_source_files_properties(tools/option_header.c PROPERTIES OBJECT_DEPENDS ${PROJECT_SOURCE_DIR}/src/${def})
  set(header ${SONDE_GENERATED}/include/sonde/${engine}_options.h)
  add_custom_command(OUTPUT ${header} COMMAND ${tool} > ${header}
                     DEPENDS ${tool} ${PROJECT_SOURCE_DIR}/src/${def} VERBATIM)
  set(SONDE_OPTION_HEADERS ${SONDE_OPTION_HEADERS} ${header} PARENT_SCOPE)
endfunction()

# sonde_embed(NAME FILE): writes NAME.c with `const char NAME[]`, the bytes of FILE
function(sonde_embed name file)
  set(source ${SONDE_GENERATED}/${name}.c)
  add_custom_command(OUTPUT ${source} COMMAND embed_text ${name} ${PROJECT_SOURCE_DIR}/${file} > ${source}
                     DEPENDS embed_text ${PROJECT_SOURCE_DIR}/${file} VERBATIM)
  set(SONDE_EMBEDDED ${SONDE_EMBEDDED} ${source} PARENT_SCOPE)
endfunction()

# sonde_embed_bytes(NAME FILES...): writes NAME.c with `const unsigned char NAME[]`, the bytes of the files one after the other, and
# `const size_t NAME_size`, for the program alone
function(sonde_embed_bytes name)
  set(source ${SONDE_GENERATED}/${name}.c)
  list(TRANSFORM ARGN PREPEND ${PROJECT_SOURCE_DIR}/ OUTPUT_VARIABLE files)
  add_custom_command(OUTPUT ${source} COMMAND embed_bytes ${name} ${files} > ${source} DEPENDS embed_bytes ${files} VERBATIM)
  set(SONDE_EMBEDDED_IN_PROGRAM ${SONDE_EMBEDDED_IN_PROGRAM} ${source} PARENT_SCOPE)
endfunction()

# sonde_kernel(NAME FILE): as sonde_embed(), for a kernel's text in src/, including the files that it includes
function(sonde_kernel name file)
  set(source ${SONDE_GENERATED}/${name}.c)
  file(GLOB_RECURSE headers CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/*kernel*.h ${PROJECT_SOURCE_DIR}/src/*_layout.h
       ${PROJECT_SOURCE_DIR}/src/*/kernels/*.h)
  add_custom_command(OUTPUT ${source} COMMAND embed_text ${name} ${PROJECT_SOURCE_DIR}/src/${file}
                     ${PROJECT_SOURCE_DIR}/src > ${source}
                     DEPENDS embed_text ${PROJECT_SOURCE_DIR}/src/${file} ${headers} VERBATIM)
  set(SONDE_EMBEDDED ${SONDE_EMBEDDED} ${source} PARENT_SCOPE)
endfunction()

# The engines (src/engines.def), each with the options of its block (options.def), those of items of its lists (the other .def
# files but kernels.def), and the kernels that GPUs compile at run time (kernels.def).
file(STRINGS src/engines.def engine_rows REGEX "^ENGINE\\(")
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/engines.def)
string(REGEX REPLACE "ENGINE\\(([a-z0-9_]+)\\)" "\\1" SONDE_ENGINES "${engine_rows}")

# the includes of sonde.h for them
set(includes "")
foreach(engine ${SONDE_ENGINES})
  if(EXISTS ${PROJECT_SOURCE_DIR}/include/sonde/${engine}.h)
    string(APPEND includes "#include \"sonde/${engine}.h\"\n")
  endif()
endforeach()
file(CONFIGURE OUTPUT ${SONDE_GENERATED}/include/sonde/engines.h CONTENT
     "/* The interfaces of all engines: made from src/engines.def, do not edit. */
#ifndef SONDE_ENGINES_H
#define SONDE_ENGINES_H

${includes}
#endif
")

sonde_option_header(build matter/build/build_options.def)
sonde_option_header(body matter/shape/body.def)
sonde_option_header(material matter/materials/material_options.def)
sonde_option_header(sample matter/sample/sample.def)
sonde_option_header(program job/program.def)
sonde_option_header(campaign campaign/options.def)
sonde_option_header(match match/options.def)
sonde_option_header(refine refine/options.def)
foreach(engine ${SONDE_ENGINES})
  sonde_option_header(${engine} ${engine}/options.def)
  file(GLOB lists RELATIVE ${PROJECT_SOURCE_DIR}/src CONFIGURE_DEPENDS src/${engine}/*.def)
  list(REMOVE_ITEM lists ${engine}/options.def ${engine}/kernels.def)
  foreach(list ${lists})
    get_filename_component(item ${list} NAME_WE)
    sonde_option_header(${engine}_${item} ${list})
  endforeach()
endforeach()
foreach(table f0_waasmaier_kirfel_1995 f0_it1992_cromer_mann neutron_sears1992_nist
        neutron_scattering_lengths vdw_radii_mantina2009 covalent_radii_cordero2008 elements_srim95 materials isotopes straggling_chu straggling_yang
        stopping_zbl mean_excitation
        optical_materials optical_poles fe_lobato_2014 fe_peng_low_0_2 fe_peng_high_0_6 fe_peng_ionic_1998 fe_kirkland_2010
        anomalous_henke anomalous_epdl97 anomalous_chantler anomalous_cromer_liberman incoherent_scattering)
  sonde_embed(data_${table} data/${table}.csv)
endforeach()

sonde_embed_bytes(figure_font data/third_party/dejavu_sans_subset.ttf)
sonde_embed_bytes(report_style src/cli/report/page.css)
# one script: elements.js, the first, reads the page's data, and page.js, the last, starts what the others define
set(report_scripts)
foreach(subject elements numbers figure curves maps rows tables errors groups fits lists shapes clipping space provenance page)
  list(APPEND report_scripts src/cli/report/${subject}.js)
endforeach()
sonde_embed_bytes(report_script ${report_scripts})
sonde_embed_bytes(report_plotly data/third_party/plotly-4.1.1.min.js.gz)

# what embed_ptx needs for all engines
add_library(embed_ptx_parts STATIC src/device/nvrtc.c src/device/dynamic_library.c src/base/memory.c src/base/option_spelling.c
            src/base/status.c)
target_include_directories(embed_ptx_parts PUBLIC src include)
target_compile_definitions(embed_ptx_parts PUBLIC SONDE_VERSION="${PROJECT_VERSION}" _GNU_SOURCE)
target_link_libraries(embed_ptx_parts PUBLIC ${CMAKE_DL_LIBS} Threads::Threads)

# sonde_ptx(ENGINE KERNELS...): writes ENGINE_ptx.c, the PTX of the kernels listed in src/ENGINE/kernels.def if NVRTC is
# installed and SONDE_PTX has the engine, else empty lists.
function(sonde_ptx engine)
  set(tool embed_ptx_${engine})
  set(texts)
  foreach(kernel ${ARGN})
    list(APPEND texts ${SONDE_GENERATED}/kernel_${kernel}.c)
  endforeach()
  set(embed 0)
  if(engine IN_LIST SONDE_PTX OR SONDE_PTX STREQUAL "ON")
    set(embed 1)
  endif()
  add_executable(${tool} tools/embed_ptx.c ${texts})
  target_compile_definitions(${tool} PRIVATE KERNELS_DEF="${engine}/kernels.def" EMBED_PTX=${embed})
  target_link_libraries(${tool} PRIVATE embed_ptx_parts)
  set_source_files_properties(tools/embed_ptx.c PROPERTIES OBJECT_DEPENDS ${PROJECT_SOURCE_DIR}/src/${engine}/kernels.def)
  set(source ${SONDE_GENERATED}/${engine}_ptx.c)
  add_custom_command(OUTPUT ${source} COMMAND ${tool} > ${source}
                     DEPENDS ${tool} ${PROJECT_SOURCE_DIR}/src/${engine}/kernels.def VERBATIM)
  set(SONDE_EMBEDDED ${SONDE_EMBEDDED} ${source} PARENT_SCOPE)
endfunction()

# sonde_kernel_variants(ENGINE): writes kernels/ENGINE_kernels_simd.h, _plain.h and _text.h, the kernels of
# src/ENGINE/kernels.def as C
function(sonde_kernel_variants engine)
  set(tool kernel_variants_${engine})
  add_executable(${tool} tools/kernel_variants.c)
  target_include_directories(${tool} PRIVATE src)
  target_compile_definitions(${tool} PRIVATE KERNELS_DEF="${engine}/kernels.def" ENGINE="${engine}")
  set_source_files_properties(tools/kernel_variants.c PROPERTIES OBJECT_DEPENDS
                              ${PROJECT_SOURCE_DIR}/src/${engine}/kernels.def)
  foreach(what simd plain text)
    set(header ${SONDE_GENERATED}/kernels/${engine}_kernels_${what}.h)
    add_custom_command(OUTPUT ${header} COMMAND ${tool} ${what} > ${header}
                       DEPENDS ${tool} ${PROJECT_SOURCE_DIR}/src/${engine}/kernels.def VERBATIM)
    list(APPEND SONDE_KERNEL_VARIANTS ${header})
  endforeach()
  set(SONDE_KERNEL_VARIANTS ${SONDE_KERNEL_VARIANTS} PARENT_SCOPE)
endfunction()

file(MAKE_DIRECTORY ${SONDE_GENERATED}/kernels)
set(all_kernels "/* The kernels of all engines: made from src/engines.def, do not edit. */\n")
foreach(engine device matter match ${SONDE_ENGINES})
  if(EXISTS ${PROJECT_SOURCE_DIR}/src/${engine}/kernels.def)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/${engine}/kernels.def)
    file(STRINGS src/${engine}/kernels.def texts REGEX "^KERNEL\\([a-z0-9_]+, TEXT")
    string(REGEX REPLACE "KERNEL\\(([a-z0-9_]+)[^;]*" "\\1" texts "${texts}")
    string(APPEND all_kernels "#include \"${engine}/kernels.def\"\n")
    foreach(kernel ${texts})
      sonde_kernel(kernel_${kernel} ${engine}/kernels/${kernel}.k)
    endforeach()
    sonde_ptx(${engine} ${texts})
    sonde_kernel_variants(${engine})
  endif()
endforeach()
# for the test that compiles them all
file(CONFIGURE OUTPUT ${SONDE_GENERATED}/kernels_of_engines.def CONTENT "${all_kernels}")
add_custom_target(sonde_kernel_variants DEPENDS ${SONDE_KERNEL_VARIANTS})
add_custom_target(sonde_generated DEPENDS ${SONDE_OPTION_HEADERS} ${SONDE_EMBEDDED}
                  ${SONDE_EMBEDDED_IN_PROGRAM})
