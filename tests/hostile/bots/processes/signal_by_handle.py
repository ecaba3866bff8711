# expects: held
@attempt
def signal_it():
    """Ask the same of the worker by the newer calls."""
    return syscall("pidfd_send_signal", syscall("pidfd_open", HINTS["parent"], 0), 0, None, 0) == 0 and "by handle"
