# expects: held
# control: if the kernel has it
@attempt
def make():
    """Use the ciphers of the kernel, which have had many vulnerabilities."""
    import socket

    with socket.socket(socket.AF_ALG, socket.SOCK_SEQPACKET) as ciphers:
        return ciphers.fileno()
