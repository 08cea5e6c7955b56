# Read `#include "HEADER"` as the layer would and as the top layer would: the first must not find it, the second must,
# which shows that the first failed for the right reason.
function(try_include roots)
  list(TRANSFORM roots PREPEND -I)
  execute_process(COMMAND ${COMPILER} -std=c++20 -E ${roots} -include ${HEADER} -x c++ /dev/null
                  RESULT_VARIABLE status OUTPUT_QUIET ERROR_VARIABLE errors)
  set(status "${status}" PARENT_SCOPE)
  set(errors "${errors}" PARENT_SCOPE)
endfunction()

try_include("${TOP_ROOTS}")
if(status)
  message(FATAL_ERROR "not even the top layer can include ${HEADER}:\n${errors}")
endif()
try_include("${LAYER_ROOTS}")
if(NOT status)
  message(FATAL_ERROR "this layer can include ${HEADER}")
endif()
if(NOT errors MATCHES "${HEADER}.*(No such file|file not found)")
  message(FATAL_ERROR "expected ${HEADER} not to be found, got:\n${errors}")
endif()
