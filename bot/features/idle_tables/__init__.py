"""Idle tables: players can put them aside or resume them; the bot announces them and closes them two days later.

A table is idle once `updated_at` is old enough, not counting downtime. A player whose new table is refused because of
an idle one gets a button that puts the idle table aside.
"""
