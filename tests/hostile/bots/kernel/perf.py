# expects: held
@attempt
def reach():
    """Measure others by the processor's counters."""
    return reached("perf_event_open", 0, 0, -1, -1, 0)
