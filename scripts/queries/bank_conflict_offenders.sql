-- SPDX-License-Identifier: Apache-2.0
-- Which instructions (or accesses of the PE) lose cycles to bank conflicts: by program place and attribute address, the
-- bank passes beyond those of evenly spread words.
SELECT COALESCE(w.stage, t.client)                 AS who,
       printf('0x%04x', t.pc)                      AS pc,
       t.opcode, t.region, t.space,
       CASE WHEN t.region = 'physical' THEN NULL ELSE printf('0x%03x', t.address) END AS address,
       COUNT(*)                                    AS operations,
       SUM(t.bank_passes)                          AS passes,
       SUM(t.ideal_passes)                         AS ideal_passes,
       SUM(t.bank_passes - t.ideal_passes)         AS lost_cycles
FROM transactions t LEFT JOIN warps w USING (warp)
GROUP BY who, t.pc, t.opcode, t.region, t.space, 6
HAVING lost_cycles > 0
ORDER BY lost_cycles DESC
LIMIT 25;
