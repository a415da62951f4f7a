"""What whoever hosts the bot can see of it: traces, logs, figures and the health endpoint."""
