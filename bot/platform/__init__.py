"""The parts that any bot needs: database, jobs, Discord, observability. They know no tables and no features."""
