"""One module per stack; each catches, names the call and answers. Chosen by `install()`."""
