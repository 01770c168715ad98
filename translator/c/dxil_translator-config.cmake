# find_package(dxil_translator) gives
#   dxil_translator::dxil_translator   the shared library
#   dxil_translator::static            the static library
#   dxil_translate()                   a function that translates at build time, with the tool dxil2spv
get_filename_component(_dxil_translator_prefix "${CMAKE_CURRENT_LIST_DIR}/@UP@" ABSOLUTE)
get_filename_component(_dxil_translator_lib "${CMAKE_CURRENT_LIST_DIR}/../.." ABSOLUTE)

if(NOT TARGET dxil_translator::dxil_translator)
  add_library(dxil_translator::dxil_translator SHARED IMPORTED)
  set_target_properties(dxil_translator::dxil_translator PROPERTIES
    IMPORTED_LOCATION "${_dxil_translator_lib}/@SONAME@"
    IMPORTED_SONAME "@SONAME@"
    INTERFACE_INCLUDE_DIRECTORIES "${_dxil_translator_prefix}/include")
  add_library(dxil_translator::static STATIC IMPORTED)
  set_target_properties(dxil_translator::static PROPERTIES
    IMPORTED_LOCATION "${_dxil_translator_lib}/libdxil_translator.a"
    INTERFACE_INCLUDE_DIRECTORIES "${_dxil_translator_prefix}/include"
    INTERFACE_LINK_LIBRARIES "gcc_s;util;rt;pthread;m;dl")
endif()

# The tool, which the function needs; another one may be given.
find_program(DXIL2SPV dxil2spv HINTS "${_dxil_translator_prefix}/bin")

# dxil_translate(OUTPUT FILE.spv INPUT FILE.dxil [OPTIONS OPTION...])
#
# Adds a command to the build that translates INPUT to OUTPUT. OPTIONS are those of `dxil2spv`, such as
# --profile. A target that has OUTPUT among its sources runs it, and again when INPUT changes.
function(dxil_translate)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "OUTPUT;INPUT" "OPTIONS")
  if(NOT arg_OUTPUT OR NOT arg_INPUT OR arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "dxil_translate: expected OUTPUT FILE INPUT FILE [OPTIONS OPTION...]")
  endif()
  if(NOT DXIL2SPV)
    message(FATAL_ERROR "dxil_translate: the tool dxil2spv is not found; it is in the package vulkan-layer-dxil; -DDXIL2SPV=PATH names one")
  endif()
  get_filename_component(input "${arg_INPUT}" ABSOLUTE)
  get_filename_component(output "${arg_OUTPUT}" ABSOLUTE BASE_DIR "${CMAKE_CURRENT_BINARY_DIR}")
  add_custom_command(
    OUTPUT "${output}"
    COMMAND "${DXIL2SPV}" "${input}" ${arg_OPTIONS} -o "${output}"
    DEPENDS "${input}"
    COMMENT "Translating ${arg_INPUT}"
    VERBATIM)
endfunction()
