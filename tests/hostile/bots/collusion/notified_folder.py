# expects: held
# control: if the kernel has it
@attempt
def talk():
    """Get a signal when another process opens a file of the shared library (dnotify)."""
    import fcntl
    import signal

    signal.signal(signal.SIGIO, signal.SIG_IGN)
    fcntl.fcntl(os.open(LIBRARY, os.O_RDONLY), fcntl.F_NOTIFY, fcntl.DN_ACCESS)
    return "watches the library"
