# expects: held
# control: if the kernel has it
@attempt
def make():
    """Connect to the host of a virtual machine, past every network namespace."""
    import socket

    with socket.socket(socket.AF_VSOCK, socket.SOCK_STREAM) as caller:
        return caller.fileno()
