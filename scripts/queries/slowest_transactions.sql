-- SPDX-License-Identifier: Apache-2.0
-- Which instructions waited longest for the ISBE, and in which phase: cycles in the SM's attribute queue, at the port,
-- in the request queue, in the bank passes, in the pipeline, and until the answer was taken.
SELECT t.id, t.sm, w.stage, t.warp, printf('0x%04x', t.pc) AS pc, t.opcode, t.issued,
       t.written - t.issued                                    AS latency,
       t.begun - t.issued                                      AS attribute_queue,
       t.accepted - t.begun                                    AS port,
       t.granted - t.accepted                                  AS request_queue,
       t.passes                                                AS passes,
       t.responded - t.granted - t.passes                       AS pipeline,
       COALESCE(t.transferred, t.responded) - t.responded        AS response
FROM transactions t JOIN warps w USING (warp)
WHERE t.written IS NOT NULL
ORDER BY latency DESC, t.id
LIMIT 25;
