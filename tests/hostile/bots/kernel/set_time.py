# expects: held
@attempt
def reach():
    """Set the clock to an invalid time."""
    import ctypes

    return reached("settimeofday", ctypes.byref((ctypes.c_int64 * 2)(0, -1)), 0)
