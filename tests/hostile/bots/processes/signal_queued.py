# expects: held
@attempt
def signal_it():
    """Send a signal with a payload; an address that does not exist shows that the kernel was reached."""
    return reached("rt_sigqueueinfo", HINTS["parent"], 0, 1)
