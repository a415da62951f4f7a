"""What is kept of finished tables: results, ratings, totals."""
