/* SPDX-License-Identifier: Apache-2.0 */
/* Exit statuses of the programs in C that draw for `isbesim compile`, which reads them. */
#ifndef ISBESIM_GL_COMPILE_STATUS_H
#define ISBESIM_GL_COMPILE_STATUS_H

enum compile_status {
    DRAWN,
    WRONG_SHADERS,
    NO_DEVICE,
    NO_MESHES,
    NO_VALIDATOR,
    GAVE_UP,     /* the driver's compiler */
    SHADER_ERROR /* its line is written */
};

#endif
