"""Invitations to a lobby.

An invitation is allowed or refused in the transaction that notes it: once per table and person, once a day per pair
of people, five per table. Its message is deleted when the lobby is over or full, or when the guest has sat down or
refuses invitations.
"""
