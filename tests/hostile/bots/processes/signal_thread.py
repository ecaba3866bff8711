# expects: held
@attempt
def signal_it():
    """Signal the worker's first thread."""
    return syscall("tkill", HINTS["parent"], 0) == 0 and "the worker's thread could be killed"
