"""The whole bot as a process of its own, played over a real connection to the sandbox."""
