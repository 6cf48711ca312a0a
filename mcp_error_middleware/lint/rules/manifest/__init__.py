"""What a registry needs of a `server.json`."""
