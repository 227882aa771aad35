/* SPDX-License-Identifier: Apache-2.0 */
// _exit() of a build with counters (coverage.cmake): writes the counts first.
#include <stdnoreturn.h>

void __gcov_dump(void);
noreturn void __real__exit(int status);
noreturn void __wrap__exit(int status);

noreturn void __wrap__exit(int status)
{
    __gcov_dump();
    __real__exit(status);
}
