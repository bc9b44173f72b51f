# Seconds of tests that take three seconds or more: ctest begins with the longest, so that no long one runs alone at the
# end. Wrong numbers cost time only.
# Tests that compile kernels by PoCL share what it has compiled, and run one after the other: PoCL 3.1 may load what
# another process has not written completely.
function(sonde_cost test)
  set(costs
      cli_device_faults_pocl 45 cli_examples 50 cli_oclgrind 30 physics_ions 25 cli_interrupt 25
      physics_coulomb_fast 24 physics_histogram 22 physics_fdtd_faces 23 cli_device_faults_cuda 20 cli_resources 22
      test_nvrtc 21 cli_ions 21 physics_ions_peers 20 cli_coulomb_large 19 test_exact_device 16 test_resonances 19
      physics_coulomb_mesh 17 cli_ions_stop 17 golden 16 cli_fdtd_bloch 16 cli_fdtd_meant 15 physics_coulomb_sets 13
      cli_device_faults_memory 13 physics_fdtd_spheres 13 physics_fdtd_jobs 13 physics_fdtd_dispersion 13
      cli_device_faults_cache 13 cli_debye 13 cli_fdtd_symmetry 12 physics_coulomb_parts 12 physics_reference_files 12
      physics_fdtd_metals 11 physics_fdtd_stability 11 physics_fdtd_far_field 11 physics_ions_laws 10
      physics_ions_oracle 10 physics_fdtd_optics 10 physics_ions_foil 8 kill 8 physics_fdtd_bands 8
      physics_ions_range 8 cli_device_faults_opencl 8 physics_large_crystals 8 physics_ions_reference 7
      physics_devices 10 cli_fdtd 7 physics_fdtd_fields 7 cli_ions_input 7 physics_fdtd_layers 7 physics_crystals 7
      physics_fdtd_errors 7 faults 7 physics_determinism 6 physics_fdtd_beams 6 physics_limits 6
      physics_motion 6 physics_partials 5
      physics_fdtd_sources 5 cli_fdtd_pictures 5 cli_fdtd_sides 5 cli_coulomb 5 test_memory 5 physics_plans 4
      test_scattering 4 cli_stopping 4 physics_fdtd_waves 4 test_kernel_math 3 cli_installed 3 test_hdf5 3)
  list(FIND costs ${test} place)
  if(place GREATER -1)
    math(EXPR place "${place} + 1")
    list(GET costs ${place} cost)
    set_tests_properties(${test} PROPERTIES COST ${cost})
  endif()
  set(with_opencl
      cli_device_faults_pocl cli_device_faults_cache cli_device_faults_memory cli_help cli_resources test_exact_device
      test_lattice_device
      physics_coulomb physics_coulomb_fast physics_coulomb_mesh physics_coulomb_periodic physics_coulomb_sets
      physics_devices physics_ions physics_motion)
  if(test IN_LIST with_opencl)
    set_tests_properties(${test} PROPERTIES RESOURCE_LOCK opencl)
  endif()
endfunction()
