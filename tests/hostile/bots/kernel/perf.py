# expects: held
@attempt
def reach():
    """Measure other processes by performance counters."""
    return reached("perf_event_open", 0, 0, -1, -1, 0)
