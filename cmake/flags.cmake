# Compiler flags of our own targets. None of them reaches a project that links Taut.

if(PROJECT_IS_TOP_LEVEL AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  find_program(TAUT_CCACHE ccache)
  mark_as_advanced(TAUT_CCACHE)
  if(TAUT_CCACHE)
    # Relative paths, so that a clone elsewhere finds what another one compiled.
    set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_BASEDIR=${PROJECT_SOURCE_DIR} CCACHE_NOHASHDIR=1
                                    ${TAUT_CCACHE})
  endif()
endif()

# Only the kernels gain from -O3, and they ask for it themselves; elsewhere it costs size and build time.
string(REPLACE "-O3" "-O2" CMAKE_CXX_FLAGS_RELEASE "${CMAKE_CXX_FLAGS_RELEASE}")

function(taut_flags target)
  target_compile_features(${target} PRIVATE cxx_std_20)
  set_target_properties(${target} PROPERTIES CXX_EXTENSIONS OFF POSITION_INDEPENDENT_CODE ON)
  # No errno and no floating-point traps, so that sqrt and selects become vector code. Never -ffast-math: NaN, infinity
  # and the order of a sum are part of the results. No multiply-adds but those that are written: which ones a compiler
  # would join differs between processors, and the bits must not.
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -fno-math-errno -fno-trapping-math -ffp-contract=off)
  if("${CMAKE_CXX_FLAGS} ${CMAKE_CXX_FLAGS_RELEASE}" MATCHES "-Ofast|fast-math|unsafe-math|finite-math")
    # A project around us asks for it; our results would change.
    target_compile_options(${target} PRIVATE -fno-fast-math -fno-unsafe-math-optimizations -fno-finite-math-only)
  endif()
  if(TAUT_WERROR)
    target_compile_options(${target} PRIVATE -Werror)
  endif()
  if(TAUT_ONE_ISA)
    target_compile_definitions(${target} PRIVATE TAUT_ONE_ISA)
  endif()
  if(TAUT_SANITIZE)
    target_compile_options(${target} PRIVATE -fsanitize=${TAUT_SANITIZE} -fno-sanitize-recover=all
                                             -fno-omit-frame-pointer)
    if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
      target_compile_options(${target} PRIVATE -Wno-maybe-uninitialized)  # false alarms in instrumented std::optional
    endif()
    target_link_options(${target} PUBLIC -fsanitize=${TAUT_SANITIZE})
  endif()
endfunction()
