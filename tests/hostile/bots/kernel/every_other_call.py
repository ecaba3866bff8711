# expects: held
# control: none, without a cage it would be dangerous
import ctypes

KNOWN = {
    *range(16),
    17,
    *range(19, 22),
    23,
    24,
    25,
    28,
    *range(32, 40),
    60,
    63,
    72,
    79,
    89,
    *range(95, 101),
    102,
    104,
    107,
    108,
    110,
    111,
    115,
    118,
    120,
    121,
    124,
    125,
    131,
    143,
    145,
    146,
    147,
    186,
    201,
    202,
    204,
    217,
    219,
    *range(228, 232),
    257,
    262,
    267,
    269,
    270,
    271,
    273,
    292,
    295,
    302,
    309,
    318,
    324,
    332,
    334,
    436,
    439,
}
"""Numbers of the system calls that a Python bot may make; a call added to the policy must be added here, too."""
UNTRIED = {56, 57, 58, 335, 336}
"""Calls not tried: other bots try to start processes; kernel probes bypass filters and kill other callers."""


@attempt
def reach():
    """Make every other system call with invalid arguments, and list those that the kernel examines."""
    libc = ctypes.CDLL(None, use_errno=True)
    found = []
    for number in sorted(set(range(512)) - KNOWN - UNTRIED):
        ctypes.set_errno(0)
        libc.syscall(ctypes.c_long(number), *[ctypes.c_long(-1)] * 6)
        if ctypes.get_errno() not in (*REFUSALS, errno.ENOTTY):
            found.append(f"{number}: {errno.errorcode.get(ctypes.get_errno(), 'done')}")
    return found
