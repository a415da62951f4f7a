"""The first minute in a server: a greeting, a set-up in a few steps, and a check of the bot's permissions.

The greeting is noted before it is posted, with the time at which the bot joined: each membership gets one, whatever
restarts and whoever tells of it again. The steps of the set-up are settings; `STEPS` lists them.
"""
