-- SPDX-License-Identifier: Apache-2.0
-- How the bandwidth of the storage was used: bytes read and written per window of 1,000 cycles (by first bank pass),
-- and the share of the cycles of all ISBEs in which the banks were held. The last window is as long as the run lets it.
WITH length(cycles) AS (
  SELECT COALESCE((SELECT value FROM run WHERE key = 'cycles'), (SELECT MAX(responded) FROM transactions))
),
windows AS (
  SELECT granted / 1000 * 1000 AS first_cycle,
         SUM(bytes_read)       AS bytes_read,
         SUM(bytes_written)    AS bytes_written,
         SUM(bank_passes)      AS passes
  FROM transactions
  WHERE granted IS NOT NULL
  GROUP BY first_cycle
)
SELECT first_cycle,
       MAX(MIN(1000, cycles - first_cycle), 1)     AS window_cycles,
       bytes_read, bytes_written,
       ROUND(1.0 * (bytes_read + bytes_written) / MAX(MIN(1000, cycles - first_cycle), 1), 2) AS bytes_per_cycle,
       ROUND(1.0 * passes / MAX(MIN(1000, cycles - first_cycle), 1)
             / CASE WHEN EXISTS (SELECT 1 FROM transactions WHERE client = 'trace') THEN 1 -- replayed into one ISBE
                    ELSE (SELECT value FROM config WHERE key = 'sm_count') END, 4)          AS busy
FROM windows, length
ORDER BY first_cycle;
