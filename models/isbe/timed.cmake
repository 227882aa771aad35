isbesim_library(isbesim_isbe
  SOURCES
    grant_scheduler.cpp
    isbe_at.cpp
    isbe_lt.cpp
    isbe_module.cpp
    raw_access.cpp
  LIBRARIES isbesim_core isbesim_tlm)
