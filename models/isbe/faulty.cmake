# isbesim_faulty_core and isbesim_faulty_isbe: the same sources with the planted faults of faults.h, to be linked in
# place of isbesim_core and isbesim_isbe by tests. Whatever includes their headers has to be compiled against them too.
function(isbesim_faulty_library name original)
  get_target_property(sources ${original} SOURCES)
  get_target_property(folder ${original} SOURCE_DIR)
  set(files)
  foreach(source IN LISTS sources)
    cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY "${folder}")
    list(APPEND files "${source}")
  endforeach()
  isbesim_library(${name} SOURCES ${files} LIBRARIES ${ARGN})
  target_compile_definitions(${name} PUBLIC ISBESIM_FAULTS)
  set_target_properties(${name} PROPERTIES EXCLUDE_FROM_ALL TRUE)
endfunction()

isbesim_faulty_library(isbesim_faulty_core isbesim_core)
isbesim_faulty_library(isbesim_faulty_isbe isbesim_isbe isbesim_faulty_core isbesim_tlm)
