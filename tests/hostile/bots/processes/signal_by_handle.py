# expects: held
@attempt
def signal_it():
    """Check by the newer system calls if it may signal the worker."""
    return syscall("pidfd_send_signal", syscall("pidfd_open", HINTS["parent"], 0), 0, None, 0) == 0 and "by handle"
