isbesim_library(isbesim_isbe
  SOURCES
    timing/grant_scheduler.cpp
    timing/isbe_at.cpp
    timing/isbe_lt.cpp
    timing/isbe_module.cpp
    access/raw_access.cpp
  LIBRARIES isbesim_core isbesim_tlm)
