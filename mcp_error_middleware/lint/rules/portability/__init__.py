"""What only some model vendors accept of a schema."""
