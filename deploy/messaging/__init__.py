"""Transports of messages: the queues of task messages, and the channel layers of notifications."""
