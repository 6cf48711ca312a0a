"""What a tool answers: the same facts in text and in structure, and nothing cut off in silence."""
