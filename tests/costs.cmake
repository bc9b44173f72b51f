# Processor time in seconds of tests that take three seconds or more: ctest begins with the longest, so that no long
# one runs alone at the end. Wrong numbers cost time only.
function(sonde_cost test)
  set(costs
      cli_examples 43 cli_device_faults_pocl 42 test_nvrtc 29 physics_histogram 26 physics_fdtd_faces 26 cli_oclgrind 23
      cli_device_faults_cache 23 physics_ions_peers 22 cli_ions 19 cli_fdtd_bloch 19 cli_coulomb_large 19 cli_device_faults_cuda 18
      physics_ions_foil 16 physics_ions_oracle 14 cli_fdtd_meant 14 physics_reference_files 13 physics_ions_reference 13 golden 13
      cli_fdtd_symmetry 13 cli_device_faults_memory 12 physics_fdtd_stability 12 cli_ions_stop 12 physics_limits 11 physics_ions_laws 11
      cli_hostile_libraries 11 cli_help 11 physics_ions_range 10 cli_ions_input 10 cli_debye 10 physics_ions 9 cli_coulomb 9
      physics_coulomb_mesh 8 cli_installed 8 kill 7 test_exact_device 7 physics_large_crystals 7 physics_fdtd_far_field 7 faults 6
      cli_fdtd 6 cli_device_faults_opencl 5 physics_fdtd_bands 5 physics_coulomb_fast 5 cli_fdtd_pictures 5 test_resonances 4
      physics_fdtd_spheres 4 physics_coulomb_sets 4 physics_fdtd_jobs 3 physics_fdtd_dispersion 3 cli_fdtd_sides 3)
  list(FIND costs ${test} place)
  if(place GREATER -1)
    math(EXPR place "${place} + 1")
    list(GET costs ${place} cost)
    set_tests_properties(${test} PROPERTIES COST ${cost})
  endif()
endfunction()
