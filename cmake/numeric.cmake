# The library of numerics, which stands beside the shared library and is loaded by it: those objects of TAUT_OBJECTS that
# TAUT_NUMERIC names. It calls the shared library, and shows nothing but its table.
set(numeric ${TAUT_OBJECTS})
list(TRANSFORM numeric REPLACE "(.+)" "$<FILTER:\\1,INCLUDE,${TAUT_NUMERIC}>")
add_library(taut_numeric MODULE ${numeric})
set_target_properties(taut_numeric PROPERTIES PREFIX lib SUFFIX ${CMAKE_SHARED_LIBRARY_SUFFIX}.${PROJECT_VERSION} LINKER_LANGUAGE CXX)
target_link_libraries(taut_numeric PRIVATE taut)
target_link_options(taut_numeric PRIVATE LINKER:-Bsymbolic-functions
                                         LINKER:--version-script=${PROJECT_SOURCE_DIR}/cmake/numeric.map)
set_property(TARGET taut_numeric APPEND PROPERTY LINK_DEPENDS ${PROJECT_SOURCE_DIR}/cmake/numeric.map)
if(TAUT_PACKED_RELOCATIONS)
  target_link_options(taut_numeric PRIVATE LINKER:-z,pack-relative-relocs)
endif()

# The other text of the same source: the table is not linked in but loaded.
add_library(taut_numeric_loader OBJECT src/kernels/numeric.cpp)
taut_flags(taut_numeric_loader)
target_include_directories(taut_numeric_loader PRIVATE $<TARGET_PROPERTY:taut_kernels,INCLUDE_DIRECTORIES>)
target_compile_definitions(taut_numeric_loader PRIVATE TAUT_NUMERIC_LIBRARY="$<TARGET_FILE_NAME:taut_numeric>")
target_sources(taut PRIVATE $<TARGET_OBJECTS:taut_numeric_loader>)
target_link_libraries(taut PRIVATE ${CMAKE_DL_LIBS})
add_dependencies(taut taut_numeric_loader)
