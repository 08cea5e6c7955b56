# Runs PROGRAM and compares what it prints with the file EXPECTED, if there is one. Its argument is the directory where that
# file is, and others that libtorch wrote.
cmake_path(GET EXPECTED PARENT_PATH directory)
execute_process(COMMAND ${PROGRAM} ${directory} OUTPUT_VARIABLE printed RESULT_VARIABLE result)
if(NOT result EQUAL 0)
  message(FATAL_ERROR "${printed}\n${PROGRAM}: ${result}")
endif()
if(EXISTS ${EXPECTED})
  file(READ ${EXPECTED} expected)
  if(NOT printed STREQUAL expected)
    message(FATAL_ERROR "${printed}\n${PROGRAM} prints otherwise than ${EXPECTED}")
  endif()
endif()
