"""Change: release all of your Self Credits before anybody else does."""
