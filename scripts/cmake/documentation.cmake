# SPDX-License-Identifier: Apache-2.0
# cmake --build build --target doc: the installed headers' pages, in build/doc/html. There is no such target without
# Doxygen; a warning is an error.
find_package(Doxygen QUIET OPTIONAL_COMPONENTS dot)
if(DOXYGEN_FOUND)
  set(DOXYGEN_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/doc")
  set(DOXYGEN_STRIP_FROM_INC_PATH "${PROJECT_SOURCE_DIR}")
  set(DOXYGEN_FULL_PATH_NAMES YES)
  set(DOXYGEN_EXTRACT_ALL YES) # self-explanatory names need no comment
  set(DOXYGEN_EXTRACT_ANON_NSPACES NO)
  set(DOXYGEN_JAVADOC_AUTOBRIEF YES)
  set(DOXYGEN_BUILTIN_STL_SUPPORT YES)
  set(DOXYGEN_SORT_MEMBER_DOCS NO)
  set(DOXYGEN_GENERATE_LATEX NO)
  set(DOXYGEN_QUIET YES)
  set(DOXYGEN_WARN_AS_ERROR FAIL_ON_WARNINGS)
  doxygen_add_docs(doc ${ISBESIM_INSTALLED_HEADERS} WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}"
                   COMMENT "Doxygen: ${CMAKE_BINARY_DIR}/doc/html/index.html")
endif()
