"""What any bot needs: database, jobs, Discord, observability; knows no table and no feature."""
