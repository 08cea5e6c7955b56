# `cmake --install`: headers, libraries, find_package(taut) and pkg-config. Components: what a program needs to run, what
# it needs beside that to run on several processes, and what it needs to be built.
include(CMakePackageConfigHelpers)

set(config_dir ${CMAKE_INSTALL_LIBDIR}/cmake/taut)
install(DIRECTORY include/taut include/taut-torch DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT development
        FILES_MATCHING PATTERN "*.h" PATTERN "*.inc")
install(TARGETS taut_static taut_torch EXPORT taut COMPONENT development)
if(TARGET taut_numeric)
  install(TARGETS taut_numeric LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT runtime)
endif()
if(TARGET taut_distributed_shared)
  install(TARGETS taut_distributed_shared EXPORT taut LIBRARY COMPONENT distributed NAMELINK_COMPONENT development)
endif()
foreach(link IN ITEMS gloo mpi)
  if(TARGET taut_${link})
    install(TARGETS taut_${link} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT distributed)
  endif()
endforeach()
if(TARGET taut)
  install(TARGETS taut EXPORT taut LIBRARY COMPONENT runtime NAMELINK_COMPONENT development)
endif()
if(TAUT_ONE_OBJECT)
  install(TARGETS taut_object EXPORT taut)
  install(FILES ${TAUT_OBJECT_FILE} DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT development)
endif()
install(EXPORT taut NAMESPACE taut:: FILE taut-targets.cmake DESTINATION ${config_dir} COMPONENT development)

configure_package_config_file(cmake/taut-config.cmake.in taut-config.cmake INSTALL_DESTINATION ${config_dir})
write_basic_package_version_file(taut-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/taut-config.cmake ${PROJECT_BINARY_DIR}/taut-config-version.cmake
        DESTINATION ${config_dir} COMPONENT development)

# The prefix is found from the place of the file, so that `cmake --install --prefix` and moved trees work.
file(RELATIVE_PATH prefix_from_pc /prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig /prefix)
configure_file(cmake/taut.pc.in taut.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/taut.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT development)

if(PROJECT_IS_TOP_LEVEL)
  include(packaging/deb/package.cmake)
endif()
