"""Privacy: exports and erases the data of people and servers, and deletes old data in time.

`personal_data` classifies every column of the database; exports, erasures and retention are derived from it, and a new
column without a class fails a test. An erasure deletes a person's rows or replaces their id with a random negative one,
so that people stay distinct and nothing leads back to the person. It also raises a number in `notes`; every process
that sees a new number clears its caches. Data made from people's data outside a transaction is stored only if nobody in
it was erased meanwhile.
"""
