# expects: held
# control: needs root
@attempt
def look():
    """Duplicate an open file of the worker."""
    handle = syscall("pidfd_open", HINTS["parent"], 0)
    return os.pread(syscall("pidfd_getfd", handle, HINTS["descriptor"], 0), 4, 0)
