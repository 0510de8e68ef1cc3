#pragma once
// A library that is loaded before a program (LD_PRELOAD) so that the program lives in the time of a world that steps
// it: `nearby campaign run --run`. It has no functions of its own: it defines those of the C library through which code
// reads clocks, waits until a time, or draws random numbers. Without NEARBY_TIME they pass every call on.
