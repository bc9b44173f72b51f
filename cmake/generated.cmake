# Files made at build time by two small programs of tools/: headers of options, and texts as C arrays.
set(SONDE_GENERATED ${PROJECT_BINARY_DIR}/generated)
file(MAKE_DIRECTORY ${SONDE_GENERATED}/include/sonde)

add_executable(embed_text tools/embed_text.c)

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

# sonde_kernel(NAME FILE): the same for a kernel's text in src/, with everything that it includes
function(sonde_kernel name file)
  set(source ${SONDE_GENERATED}/${name}.c)
  file(GLOB_RECURSE headers CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/*kernel*.h ${PROJECT_SOURCE_DIR}/src/*_layout.h
       ${PROJECT_SOURCE_DIR}/src/*/kernels/*.h)
  add_custom_command(OUTPUT ${source} COMMAND embed_text ${name} ${PROJECT_SOURCE_DIR}/src/${file}
                     ${PROJECT_SOURCE_DIR}/src > ${source}
                     DEPENDS embed_text ${PROJECT_SOURCE_DIR}/src/${file} ${headers} VERBATIM)
  set(SONDE_EMBEDDED ${SONDE_EMBEDDED} ${source} PARENT_SCOPE)
endfunction()

sonde_option_header(debye debye/options.def)
sonde_option_header(coulomb coulomb/options.def)
sonde_option_header(ions ions/options.def)
sonde_option_header(stopping stopping/options.def)
sonde_option_header(build matter/build_options.def)
sonde_option_header(fdtd fdtd/options.def)
foreach(item boundary material body source monitor)
  sonde_option_header(fdtd_${item} fdtd/${item}.def)
endforeach()
sonde_option_header(program cli/program/program.def)
foreach(table f0_waasmaier_kirfel_1995 f0_it1992_cromer_mann neutron_sears1992_nist
        neutron_scattering_lengths vdw_radii_mantina2009 elements_srim95 materials isotopes straggling_chu straggling_yang
        stopping_zbl mean_excitation
        optical_materials optical_poles)
  sonde_embed(data_${table} data/${table}.csv)
endforeach()
foreach(kernel measure_f64 measure_f32 measure_matrix measure_copy)
  sonde_kernel(kernel_${kernel} device/kernels/${kernel}.k)
endforeach()
foreach(kernel exact_matrix exact_products sum_rows histogram_ring sinc_sum)
  sonde_kernel(kernel_${kernel} debye/kernels/${kernel}.k)
endforeach()

foreach(kernel block_interpolate block_sums direct_grid direct_points ewald_waves mesh_gather mesh_multiply mesh_read
        mesh_samples mesh_sort mesh_tiles sum_segments)
  sonde_kernel(kernel_${kernel} coulomb/kernels/${kernel}.k)
endforeach()

sonde_kernel(kernel_histories ions/kernels/histories.k)

foreach(kernel fill_walls gather inject polarise survey transform displace smooth answer assemble step_both step_cells turn_walls)
  sonde_kernel(kernel_${kernel} fdtd/kernels/${kernel}.k)
endforeach()

# sonde_ptx(ENGINE): writes ENGINE_ptx.c, the PTX of the kernels that src/ENGINE/ptx.def lists, where NVRTC is
# installed; empty lists where it is not.
function(sonde_ptx engine)
  set(tool embed_ptx_${engine})
  set(texts)
  foreach(kernel ${ARGN})
    list(APPEND texts ${SONDE_GENERATED}/kernel_${kernel}.c)
  endforeach()
  add_executable(${tool} tools/embed_ptx.c ${texts} src/device/nvrtc.c src/device/dynamic_library.c src/base/memory.c
                 src/base/status.c)
  target_include_directories(${tool} PRIVATE src include)
  target_compile_definitions(${tool} PRIVATE PTX_DEF="${engine}/ptx.def" SONDE_VERSION="${PROJECT_VERSION}"
                             _GNU_SOURCE)
  target_link_libraries(${tool} PRIVATE ${CMAKE_DL_LIBS} Threads::Threads)
  set_source_files_properties(tools/embed_ptx.c PROPERTIES OBJECT_DEPENDS ${PROJECT_SOURCE_DIR}/src/${engine}/ptx.def)
  set(source ${SONDE_GENERATED}/${engine}_ptx.c)
  add_custom_command(OUTPUT ${source} COMMAND ${tool} > ${source}
                     DEPENDS ${tool} ${PROJECT_SOURCE_DIR}/src/${engine}/ptx.def VERBATIM)
  set(SONDE_EMBEDDED ${SONDE_EMBEDDED} ${source} PARENT_SCOPE)
endfunction()

sonde_ptx(device measure_f64 measure_f32 measure_copy)
sonde_ptx(coulomb block_interpolate block_sums direct_grid direct_points ewald_waves mesh_gather mesh_multiply mesh_read
          mesh_samples mesh_sort mesh_tiles sum_segments)
sonde_ptx(ions histories)
sonde_ptx(fdtd fill_walls gather inject polarise survey transform displace smooth answer assemble step_both step_cells turn_walls)
sonde_ptx(debye exact_products sum_rows histogram_ring sinc_sum)
add_custom_target(sonde_generated DEPENDS ${SONDE_OPTION_HEADERS} ${SONDE_EMBEDDED})
