# expects: held
@attempt
def signal_it():
    """End a rival by SIGABRT, the one signal that a bot may send to itself."""
    return syscall("tgkill", HINTS["rival_pid"], HINTS["rival_pid"], 6) == 0 and "ended its rival"
