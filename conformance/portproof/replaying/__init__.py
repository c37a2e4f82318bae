"""Recorded errors of vendors, played to an adapter: served by the simulator, or by interception of its client."""
