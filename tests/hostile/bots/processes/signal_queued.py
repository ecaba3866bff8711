# expects: held
@attempt
def signal_it():
    """Send a signal with a payload; the error about an invalid address shows that the kernel was reached."""
    return reached("rt_sigqueueinfo", HINTS["parent"], 0, 1)
