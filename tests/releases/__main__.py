"""`python -m tests.releases` writes the folder of the release that is being developed anew.

Until the release is out, a change of the schema, of custom ids or of records may need it. Afterwards the folder stays.
"""

from tests.releases.folders import write_next_release

if __name__ == "__main__":
    write_next_release()
