"""What carries messages: the queues of the doorbells, and the channel layers of the pokes."""
