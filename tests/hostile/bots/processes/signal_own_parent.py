# expects: held
@attempt
def signal_it():
    """Wake the process above it, whatever that is: with this right it could stop it as well."""
    import signal

    os.kill(os.getppid() or -1, signal.SIGCONT)
    return "woke the process above"
