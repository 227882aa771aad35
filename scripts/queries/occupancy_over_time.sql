-- SPDX-License-Identifier: Apache-2.0
-- How full the ISBEs and the SMs were: 128-byte lines allocated and warps resident at the start of each window of
-- 1,000 cycles, all SMs, with the lines by the stage that got them.
WITH RECURSIVE windows(cycle) AS (
  SELECT 0
  UNION ALL
  SELECT cycle + 1000 FROM windows
  WHERE cycle + 1000 < COALESCE((SELECT value FROM run WHERE key = 'cycles'), (SELECT MAX(responded) FROM transactions))
)
SELECT cycle,
       (SELECT COALESCE(SUM(lines), 0) FROM spaces
        WHERE allocated <= cycle AND (released IS NULL OR released > cycle))                        AS lines,
       (SELECT COALESCE(SUM(lines), 0) FROM spaces
        WHERE allocated <= cycle AND (released IS NULL OR released > cycle) AND stage = 'vertex')   AS vertex_lines,
       (SELECT COALESCE(SUM(lines), 0) FROM spaces
        WHERE allocated <= cycle AND (released IS NULL OR released > cycle) AND stage = 'geometry') AS geometry_lines,
       (SELECT COUNT(*) FROM warps
        WHERE launched <= cycle AND (completed IS NULL OR completed > cycle))                       AS warps
FROM windows
ORDER BY cycle;
