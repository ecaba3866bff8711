# expects: held
# control: if the kernel has it
@attempt
def make():
    """Talk to the machine below a virtual one, past every network namespace."""
    import socket

    with socket.socket(socket.AF_VSOCK, socket.SOCK_STREAM) as caller:
        return caller.fileno()
