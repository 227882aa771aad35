-- SPDX-License-Identifier: Apache-2.0
-- What held the warps back, by stage: mean cycles of a warp's life, of which it was ready to issue nothing because of the
-- stall count of its last instruction, a scoreboard, a pipe, or its scheduler and the attribute queue; the rest waits for
-- the last answers after its last instruction.
SELECT stage,
       COUNT(*)                                    AS warps,
       ROUND(AVG(completed - launched), 1)         AS life,
       ROUND(AVG(ald + ast + al2p + out + isberd + isbewr + other), 1) AS instructions,
       ROUND(AVG(stall_count_cycles), 1)           AS stall_count,
       ROUND(AVG(scoreboard_cycles), 1)            AS scoreboard,
       ROUND(AVG(pipe_cycles), 1)                  AS pipe,
       ROUND(AVG(issue_cycles), 1)                 AS scheduler,
       ROUND(AVG(completed - launched - stall_count_cycles - scoreboard_cycles - pipe_cycles - issue_cycles
                 - (ald + ast + al2p + out + isberd + isbewr + other)), 1) AS drain,
       MAX(scoreboard_cycles)                      AS worst_scoreboard,
       (SELECT warp FROM warps w WHERE w.stage = warps.stage ORDER BY scoreboard_cycles DESC, warp LIMIT 1) AS worst_warp
FROM warps
WHERE completed IS NOT NULL
GROUP BY stage
ORDER BY MIN(warp);
