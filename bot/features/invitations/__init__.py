"""Invitations to a lobby.

The transaction that stores an invitation also checks the limits: one per table and person, one a day per pair of
people, five per table. The message is deleted when the lobby is full or over, or when the guest has joined or refuses
invitations.
"""
