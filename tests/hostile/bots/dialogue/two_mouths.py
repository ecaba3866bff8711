# expects: held
# matches: 2
@attempt
def speak():
    """Open the pipe to the referee a second time, to keep it open after the end."""
    return os.open("/proc/self/fd/1", os.O_WRONLY)
