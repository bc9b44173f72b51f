# Flags that make bugs harder to exploit, and builds independent of their location. Added to sonde_flags, after the flags
# of the user. Not with sanitizers, which have their own checks.
option(SONDE_HARDENING "Stack protector, checked libc functions, read-only relocations, position-independent programs" ON)
include(CheckCCompilerFlag)
include(CheckLinkerFlag)

# __FILE__ and the like: relative, independent of the source and build folders
check_c_compiler_flag(-ffile-prefix-map=a=b SONDE_HAS_PREFIX_MAP)
if(SONDE_HAS_PREFIX_MAP)
  target_compile_options(sonde_flags INTERFACE -ffile-prefix-map=${PROJECT_SOURCE_DIR}/= -ffile-prefix-map=${PROJECT_BINARY_DIR}/=)
endif()

if(SONDE_HARDENING AND NOT SONDE_SANITIZE AND NOT SONDE_FUZZ)
  check_c_compiler_flag(-fstack-protector-strong SONDE_HAS_STACK_PROTECTOR)
  if(SONDE_HAS_STACK_PROTECTOR)
    target_compile_options(sonde_flags INTERFACE -fstack-protector-strong)
  endif()
  # needs optimization; compilers that predefine it would warn about another value
  set(optimized $<OR:$<CONFIG:Release>,$<CONFIG:RelWithDebInfo>,$<CONFIG:MinSizeRel>>)
  target_compile_options(sonde_flags INTERFACE $<${optimized}:-U_FORTIFY_SOURCE> $<${optimized}:-D_FORTIFY_SOURCE=2>)
  check_linker_flag(C "-Wl,-z,relro,-z,now" SONDE_HAS_RELRO)
  if(SONDE_HAS_RELRO)
    target_link_options(sonde_flags INTERFACE -Wl,-z,relro,-z,now)
  endif()
  include(CheckPIESupported)
  check_pie_supported(LANGUAGES C CXX)
endif()
