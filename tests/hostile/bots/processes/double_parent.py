# expects: held
@attempt
def outlive():
    """Let a child play on, and end as the process that the referee knows."""
    if os.fork():
        os._exit(0)
    return "the child plays on"
