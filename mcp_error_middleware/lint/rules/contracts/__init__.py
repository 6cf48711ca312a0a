"""What a tool's contract says, and whether the code keeps it."""
