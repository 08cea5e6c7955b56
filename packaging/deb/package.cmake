# What CPack makes of the installed files: a Debian package to run programs with, one for programs of several
# processes, and one to build them (`make deb`).
set(soname ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_VENDOR taut)
set(CPACK_PACKAGE_CONTACT "Taut <taut@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY ${PROJECT_DESCRIPTION})
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_ALL runtime distributed development)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)

set(CPACK_DEBIAN_RUNTIME_PACKAGE_NAME libtaut${soname})
set(CPACK_DEBIAN_RUNTIME_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${PROJECT_BINARY_DIR})  # of libtaut_numeric's needs one is the library beside it
set(CPACK_COMPONENT_RUNTIME_DESCRIPTION "The shared library.")

set(CPACK_DEBIAN_DISTRIBUTED_PACKAGE_NAME libtaut-distributed${soname})
set(CPACK_DEBIAN_DISTRIBUTED_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_DISTRIBUTED_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_DISTRIBUTED_PACKAGE_DEPENDS "libtaut${soname} (= ${PROJECT_VERSION}-1)")
set(CPACK_COMPONENT_DISTRIBUTED_DESCRIPTION "The shared libraries for programs of several processes.")

set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libtaut-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
# The static library, find_package and pkg-config --static name what the shared library is linked with.
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS
    "libtaut${soname} (= ${PROJECT_VERSION}-1), libtaut-distributed${soname} (= ${PROJECT_VERSION}-1), zlib1g-dev, libpng-dev, libjpeg-dev")
set(CPACK_COMPONENT_DEVELOPMENT_DESCRIPTION "Headers, the static library, find_package(taut) and pkg-config.")
include(CPack)
