# expects: held
@attempt
def look():
    """Read the environment and the command line of any other process."""
    for pid in (name for name in os.listdir("/proc") if name.isdigit() and int(name) != os.getpid()):
        try:
            if open(f"/proc/{pid}/cmdline", "rb").read(40):
                return pid
        except OSError:
            continue
    return None
