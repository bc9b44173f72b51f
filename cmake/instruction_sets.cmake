# The instruction sets that kernels are compiled for, `isas`, and their flags. Without x86-64 there is the baseline only.
set(isas baseline)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64|amd64")
  list(APPEND isas avx2 avx512)
  set(flags_baseline -msse2)
  set(flags_avx2 -mavx2 -mfma)
  set(flags_avx512 -mavx512f -mavx512dq -mavx512bw -mavx512vl -mfma -mprefer-vector-width=512)
endif()
