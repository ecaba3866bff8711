"""Webhooks: endpoints, signatures, HTTP client and deliveries."""
