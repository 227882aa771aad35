-- How the bandwidth of the storage was used: bytes read and written per window of 1,000 cycles (by first bank pass),
-- and the share of the cycles of all ISBEs in which the banks were held.
SELECT t.granted / 1000 * 1000                     AS first_cycle,
       SUM(t.bytes_read)                           AS bytes_read,
       SUM(t.bytes_written)                        AS bytes_written,
       ROUND(SUM(t.bytes_read + t.bytes_written) / 1000.0, 2) AS bytes_per_cycle,
       ROUND(SUM(t.passes) / 1000.0 / (SELECT value FROM config WHERE key = 'sm_count'), 4) AS busy
FROM transactions t
WHERE t.granted IS NOT NULL
GROUP BY first_cycle
ORDER BY first_cycle;
