"""Transports for messages between processes: kombu transports for Celery tasks, Channels layers for notifications."""
