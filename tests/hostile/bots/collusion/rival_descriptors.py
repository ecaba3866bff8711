# expects: held
@attempt
def talk():
    """Open the pipe of a rival by its descriptors in /proc."""
    return os.open(f"/proc/{HINTS['rival_pid']}/fd/0", os.O_RDONLY | os.O_NONBLOCK)
