# One OBJECT target per layer. A layer is compiled against an include root of its own, made of links to exactly the
# directories it may see, so that an include that points the wrong way does not build.

set(TAUT_OBJECTS "")     # the objects of every layer, for the libraries
set(TAUT_ISA_TARGETS "") # the targets compiled for one instruction set

# taut_include_root(<name> <result> <directory>...): `taut` and `taut/...` are under include/, all others under src/.
function(taut_include_root name result)
  string(REPLACE "/" "_" name ${name})
  set(root ${PROJECT_BINARY_DIR}/layers/${name})
  file(REMOVE_RECURSE ${root})
  foreach(directory IN LISTS ARGN)
    set(from ${PROJECT_SOURCE_DIR}/src)
    if(directory MATCHES "^taut")
      set(from ${PROJECT_SOURCE_DIR}/include)
    endif()
    cmake_path(GET directory PARENT_PATH parent)
    file(MAKE_DIRECTORY ${root}/${parent})
    file(CREATE_LINK ${from}/${directory} ${root}/${directory} SYMBOLIC)
  endforeach()
  set(${result} ${root} PARENT_SCOPE)
endfunction()

# taut_layer(<name> SEES <directory>...): all sources under src/<name>, except those compiled once per instruction set.
function(taut_layer name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" SEES)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/${name}/*.cpp)
  list(FILTER sources EXCLUDE REGEX "/${name}/isa/")
  if(NOT sources)
    return()
  endif()
  taut_include_root(${name} root ${arg_SEES})
  add_library(taut_${name} OBJECT ${sources})
  taut_flags(taut_${name})
  # Inline functions are compiled where they are called, so the library need not show its own.
  target_compile_options(taut_${name} PRIVATE -fvisibility-inlines-hidden)
  target_include_directories(taut_${name} PRIVATE ${root})
  target_include_directories(taut_${name} SYSTEM PRIVATE ${TAUT_HIGHWAY_INCLUDE_DIR})
  target_link_libraries(taut_${name} PRIVATE Threads::Threads)
  if(name MATCHES "^(core|kernels)$" AND CMAKE_BUILD_TYPE STREQUAL Release)
    # Loops of unknown length, which -O2 alone leaves scalar. -O3 also copies and unrolls what is written over many types,
    # and makes it nearly twice as large, but no faster.
    target_compile_options(taut_${name} PRIVATE -O2 $<$<CXX_COMPILER_ID:GNU>:-fvect-cost-model=dynamic>)
    # Every op goes through these.
    foreach(source IN ITEMS allocator tensor_impl)
      set_source_files_properties(${PROJECT_SOURCE_DIR}/src/core/${source}.cpp PROPERTIES COMPILE_OPTIONS -O3)
    endforeach()
    # Rarely used, one number at a time, or what only calls loops: small rather than fast.
    foreach(source IN ITEMS bessel complex_factor fft functions incomplete_gamma pointwise_complex polynomials)
      set_source_files_properties(${PROJECT_SOURCE_DIR}/src/kernels/${source}.cpp PROPERTIES COMPILE_OPTIONS -Os)
    endforeach()
  elseif(name MATCHES "^(nn|optim|data|io|report)$" AND CMAKE_BUILD_TYPE STREQUAL Release)
    target_compile_options(taut_${name} PRIVATE -Os)  # they spend their time in ops; a quarter smaller
    # The loop over all parameters in a step.
    set_source_files_properties(${PROJECT_SOURCE_DIR}/src/optim/table_optimizer.cpp PROPERTIES COMPILE_OPTIONS -O2)
  elseif(name STREQUAL ops AND CMAKE_BUILD_TYPE STREQUAL Release)
    # Most ops spend their time in kernels; as code they are a third smaller so. Not those that small tensors go through.
    target_compile_options(taut_${name} PRIVATE -Os)
    foreach(source IN ITEMS copy elementwise elementwise_rows factories indexing linalg op optim options parts pointwise
                            promotion reduce tensor views)
      set_source_files_properties(${PROJECT_SOURCE_DIR}/src/ops/${source}.cpp PROPERTIES COMPILE_OPTIONS -O2)
    endforeach()
  endif()
  if(name MATCHES "^(core|autograd|ops)$")
    # What a small op costs: functions of one file are inlined although the library exports them, thread-local variables
    # are read without a call, and a loop over dimensions stays a loop instead of a call of memcpy.
    target_compile_options(taut_${name} PRIVATE -fno-semantic-interposition -ftls-model=initial-exec)
    if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
      target_compile_options(taut_${name} PRIVATE -fno-tree-loop-distribute-patterns)
    endif()
  endif()
  set(TAUT_OBJECTS ${TAUT_OBJECTS} $<TARGET_OBJECTS:taut_${name}> PARENT_SCOPE)
endfunction()

# taut_best_level(<result>): the highest of v2, v3 and v4 that this machine has. `-march=native` would not do: objects in a
# compiler's cache may have been made on another machine.
function(taut_best_level result)
  set(level v2)
  if(EXISTS /proc/cpuinfo)
    file(STRINGS /proc/cpuinfo flags REGEX "^flags" LIMIT_COUNT 1)
    if(flags MATCHES " avx512vl")
      set(level v4)
    elseif(flags MATCHES " avx2")
      set(level v3)
    endif()
  endif()
  set(${result} ${level} PARENT_SCOPE)
endfunction()

# taut_isa_layer(<directory> SEES <directory>...): every source compiled once per instruction set, into a namespace of
# its own (TAUT_ISA); src/core/cpu.h chooses among them at start. Other processors than x86-64, and builds with TAUT_ONE_ISA,
# have one set.
function(taut_isa_layer directory)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" SEES)
  file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/${directory}/*.cpp)
  if(NOT sources)
    return()
  endif()
  taut_include_root(${directory} root ${arg_SEES})
  set(levels v2)
  if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|amd64)$")
    if(TAUT_ONE_ISA)
      taut_best_level(best)
    else()
      set(levels v2 v3 v4)
    endif()
  endif()
  foreach(level IN LISTS levels)
    set(target taut_kernels_${level})
    add_library(${target} OBJECT ${sources})
    taut_flags(${target})
    target_include_directories(${target} PRIVATE ${root})
    target_include_directories(${target} SYSTEM PRIVATE ${TAUT_HIGHWAY_INCLUDE_DIR})
    target_compile_definitions(${target} PRIVATE TAUT_ISA=${level} HWY_COMPILE_ONLY_STATIC HWY_DISABLE_PCLMUL_AES)
    # Nothing that they call throws, but for a division of whole numbers by zero; nobody else's stack is unwound, and the
    # tables for it were a fiftieth of the library.
    if(CMAKE_BUILD_TYPE STREQUAL Release AND NOT TAUT_SANITIZE)
      target_compile_options(${target} PRIVATE -fno-exceptions -fno-unwind-tables -fno-asynchronous-unwind-tables)
      set_source_files_properties(${PROJECT_SOURCE_DIR}/src/${directory}/pointwise_arithmetic.cpp
                                  PROPERTIES COMPILE_OPTIONS "-fexceptions;-funwind-tables")
      # Nothing but vector code, which -O3 copies in vain.
      set_source_files_properties(${PROJECT_SOURCE_DIR}/src/${directory}/fft.cpp PROPERTIES COMPILE_OPTIONS -O2)
    endif()
    set(speed -O3)
    if(level STREQUAL v2 AND levels MATCHES v4)
      set(speed -Os)
    endif()
    if(NOT TAUT_SANITIZE AND NOT CMAKE_BUILD_TYPE STREQUAL Check)
      # Optimised in debug builds too: unoptimised vector code is slower than a test can wait for. v2 serves processors
      # older than 2013, and is kept small.
      target_compile_options(${target} PRIVATE ${speed})
    elseif(TAUT_SANITIZE MATCHES address AND CMAKE_CXX_COMPILER_ID STREQUAL GNU)
      # g++ takes minutes over unrolled kernels otherwise. Nothing is lost: AddressSanitizer's checks become calls, and it
      # sees what the two checks left out would see.
      target_compile_options(${target} PRIVATE "SHELL:--param asan-instrumentation-with-call-threshold=0"
                                               -fno-sanitize=null,object-size)
    endif()
    if(levels MATCHES v4)
      target_compile_options(${target} PRIVATE -march=x86-64-${level})
    elseif(CMAKE_SYSTEM_PROCESSOR MATCHES "^(aarch64|arm64)$")
      # Highway's functions ask for the instructions of AES, and so must those that call them. None is ever used.
      target_compile_options(${target} PRIVATE -march=armv8-a+crypto)
    elseif(best)
      target_compile_options(${target} PRIVATE -march=x86-64-${best})
    endif()
    list(APPEND TAUT_OBJECTS $<TARGET_OBJECTS:${target}>)
    list(APPEND TAUT_ISA_TARGETS ${target})
  endforeach()
  set(TAUT_OBJECTS ${TAUT_OBJECTS} PARENT_SCOPE)
  set(TAUT_ISA_TARGETS ${TAUT_ISA_TARGETS} PARENT_SCOPE)
endfunction()
