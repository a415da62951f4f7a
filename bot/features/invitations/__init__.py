"""Invitations to a lobby."""
