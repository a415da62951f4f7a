"""What is kept of people and servers: exported, erased, and forgotten in time.

`personal_data` classifies every column of the database; exports, erasures and retention follow from it, so that a new
column without a class fails a test. A deleted person's rows are deleted, or get a random negative id, so that people
stay distinct and nothing leads back. An erasure raises a number in `notes`; every process that sees the new number
clears its caches. What is made of people's data outside a transaction is kept only if nobody in it was erased
meanwhile.
"""
