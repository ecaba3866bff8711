"""Matches by hand, in which a person plays a seat in the browser or through the API."""
