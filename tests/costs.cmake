# Seconds of processor time of tests that take three or more: ctest begins with the longest, so that no long one runs alone
# at the end. Wrong numbers cost time only. Those of five and more have the label "long": with sanitizers they take minutes.
# Tests that compile kernels by PoCL share what it has compiled, and run one after the other: PoCL 3.1 may load what
# another process has not written completely. Together they are a third of the time: they begin first, so that others
# fill the rest.
function(sonde_cost test)
  set(costs
      cli_examples 30 cli_ranks 21 cli_fdtd_ranks 21 cli_device_faults_pocl 20 cli_pattern 20 python 19
      cli_interrupt 17 physics_ions_peers 16 physics_turned 15 physics_fdtd_two_steps 14 physics_coulomb_fast 14
      test_nvrtc 14 physics_ions 14 cli_fdtd_streaming 13 cli_ions 13 golden 12 cli_device_faults_cache 12
      physics_reference_files 12 cli_campaign 11 cli_pattern_means 11 cli_fdtd_devices 11 cli_fdtd_meant 11
      test_exact_device 10 physics_fdtd_faces 10 physics_histogram 10 cli_fdtd_bloch 10 physics_coulomb_sets 9
      cli_oclgrind 9 physics_fdtd_metals 9 physics_fdtd_optics 9 physics_fast_patterns 9 physics_placements 9
      physics_coulomb_mesh 9 cli_coulomb_large 6 cli_debye 8 physics_coulomb_parts 8 physics_devices 8
      physics_fdtd_far_field 8 physics_ions_foil 8 physics_ions_oracle 8 cli_fdtd_symmetry 8 physics_fdtd_streaming 8
      physics_fdtd_stability 7 cli_device_faults_cuda 7 test_resonances 7 physics_fdtd_jobs 7 physics_fdtd_spheres 7
      physics_fdtd_dispersion 7 cli_checkpoints 6 physics_fdtd_slabs 6 cli_device_faults_memory 6
      physics_sets_of_pixels 6 cli_resources 5 physics_products 5 cli_ions_stop 5 physics_ions_laws 5
      test_refine_intervals 5 physics_lattice_motion 4 cli_pages 4 kill 4 cli_ions_input 4 faults 4 cli_fdtd 4
      physics_fdtd_bands 4 physics_stops 4 cli_ensembles 4 test_refinement 5 cli_help 3 test_histogram_device 3
      test_lattice_device 3 physics_coulomb_periodic 3 physics_ions_range 3 physics_determinism 3 physics_fdtd_beams 3
      physics_fdtd_errors 3 physics_fdtd_fields 3 physics_ions_reference 3 test_memory 3 test_refine 3
      physics_crystals 3 physics_fdtd_layers 3 physics_limits 3 physics_fdtd_storage 3)
  list(FIND costs ${test} place)
  if(place GREATER -1)
    math(EXPR place "${place} + 1")
    list(GET costs ${place} cost)
    set_tests_properties(${test} PROPERTIES COST ${cost})
  endif()
  # and those that take half a minute and more with sanitizers
  set(long_with_sanitizers cli_fdtd cli_fdtd_sides cli_ions_input physics_coulomb physics_coulomb_periodic physics_stops
      test_histogram_device test_memory)
  if((cost AND cost GREATER_EQUAL 5) OR test IN_LIST long_with_sanitizers)
    set_property(TEST ${test} APPEND PROPERTY LABELS long)
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
