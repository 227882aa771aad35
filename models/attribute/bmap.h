// SPDX-License-Identifier: Apache-2.0
// BMAP: the attributes that a linked stage actually reaches (HARDWARE.md E.1, E.2; conformance SPH-03).
#pragma once

#include "models/attribute/attribute_set.h"
#include "models/attribute/sph.h"
#include "tlm/stage.h"

namespace isbesim {

/// Attributes that ALD.I reaches: BMAP_in = IMAP of the stage & the attributes supplied to it. `supplied` is the OMAP
/// of the previous stage, or for the first stage the set that the draw's attribute fetch supplies; the attributes that
/// the hardware generates for the stage count as supplied.
attribute_set bmap_in(stage stage, const program_header& header, const attribute_set& supplied);

/// Attributes that AST and ALD.O reach: BMAP_out = OMAP & (consumed | StoreReq range). `consumed` is the IMAP of the
/// next stage, or last_stage_consumers() for the last. A geometry shader's range does not count. The tessellation
/// coordinate of TS counts as consumed: its program reads it back, and NAK names it only in OMAP.
attribute_set bmap_out(const program_header& header, const attribute_set& consumed);

/// Outputs read after the last stage: position, point size, layer, viewport, clip distances and viewport masks by the
/// fixed pipe, and everything that stream-out captures or a pixel shader reads.
attribute_set last_stage_consumers(const attribute_set& captured);

} // namespace isbesim
