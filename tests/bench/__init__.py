"""What `make bench` measures: clicks, pictures, stores and computer players."""
