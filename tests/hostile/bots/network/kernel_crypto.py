# expects: held
# control: if the kernel has it
@attempt
def make():
    """Use the kernel's own ciphers, a part with a history of holes."""
    import socket

    with socket.socket(socket.AF_ALG, socket.SOCK_SEQPACKET) as ciphers:
        return ciphers.fileno()
