# expects: held
# control: needs root, if the kernel has it
@attempt
def make():
    """Capture packets."""
    import socket

    with socket.socket(socket.AF_PACKET, socket.SOCK_RAW) as wire:
        return wire.fileno()
