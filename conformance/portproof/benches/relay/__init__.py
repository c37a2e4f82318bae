"""The benches of the relay server: as an ASGI application in this process, and by URL."""
