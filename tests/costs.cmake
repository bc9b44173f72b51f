# Seconds of processor time of tests that take three or more: ctest begins with the longest, so that no long one runs alone
# at the end. Wrong numbers cost time only.
# Tests that compile kernels by PoCL share what it has compiled, and run one after the other: PoCL 3.1 may load what
# another process has not written completely. Together they are a third of the time: they begin first, so that others
# fill the rest.
function(sonde_cost test)
  set(costs
      cli_examples 48 python 34 cli_pages 10 cli_ranks 23 cli_checkpoints 9 cli_device_faults_pocl 30 physics_ions_peers 20 physics_ions 16 cli_interrupt 17
      cli_device_faults_cache 16 physics_histogram 15 physics_coulomb_mesh 6 test_nvrtc 15 physics_coulomb_fast 14
      cli_ions 14 cli_campaign 9 cli_device_faults_cuda 14 cli_resources 14 golden 13 test_exact_device 13 physics_fdtd_faces 12
      cli_oclgrind 11 cli_ions_stop 11 physics_fdtd_spheres 10 test_resonances 10 cli_coulomb_large 10
      cli_fdtd_meant 10 physics_fdtd_jobs 10 cli_device_faults_memory 10 cli_fdtd_bloch 10 physics_ions_laws 9
      cli_debye 9 physics_fdtd_far_field 9 physics_fdtd_metals 8 physics_fdtd_stability 8 cli_fdtd_symmetry 8
      physics_coulomb_parts 8 physics_ions_foil 8 physics_fdtd_optics 8 physics_ions_oracle 8 kill 7
      physics_coulomb_sets 7 physics_devices 7 faults 6 physics_fdtd_dispersion 6 cli_ions_input 6
      physics_ions_range 6 physics_reference_files 6 physics_fdtd_errors 5 cli_fdtd 5 physics_fdtd_fields 5
      physics_fdtd_beams 5 physics_determinism 5 physics_ions_reference 5 cli_device_faults_opencl 5
      physics_fdtd_bands 4 cli_coulomb 4 physics_fdtd_layers 4 test_memory 4 physics_crystals 4 physics_plans 4
      cli_report 6 cli_fdtd_pictures 3 physics_fdtd_sources 3 cli_stopping 3 physics_large_crystals 3 cli_fdtd_sides 3
      physics_limits 3 cli_installed 3 cli_bad_input 3 physics_fdtd_waves 3 physics_coulomb 3 test_kernel_math 3
      test_scattering 3 cli_help 3 physics_motion 3 cli_streams 3 faults_links 3 cli_pattern 4 cli_pattern_means 5
      physics_fast_patterns 5 physics_averages 3 physics_shots 3 physics_slabs 3 physics_fdtd_two_steps 24 physics_fdtd_slabs 8 cli_fdtd_streaming 18 cli_fdtd_ranks 6 physics_lattice_motion 4 physics_fdtd_volumes 3 physics_periodic_peaks 3 test_refine 3 test_refine_intervals 5 cli_refine 2)
  list(FIND costs ${test} place)
  if(place GREATER -1)
    math(EXPR place "${place} + 1")
    list(GET costs ${place} cost)
    set_tests_properties(${test} PROPERTIES COST ${cost})
  endif()
  set(with_opencl
      cli_device_faults_pocl cli_device_faults_cache cli_device_faults_memory cli_help cli_resources test_exact_device
      test_histogram_device test_lattice_device cli_pattern
      physics_coulomb physics_coulomb_fast physics_coulomb_mesh physics_coulomb_periodic physics_coulomb_sets
      physics_devices physics_fdtd_two_steps physics_ions physics_lattice_motion physics_motion physics_periodic_motion)
  if(test IN_LIST with_opencl)
    if(NOT cost)
      set(cost 1)
    endif()
    math(EXPR cost "${cost} + 100")
    set_tests_properties(${test} PROPERTIES RESOURCE_LOCK opencl COST ${cost})
  endif()
endfunction()
