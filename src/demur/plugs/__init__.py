"""Plugs into tools that people run already; each file is loaded by its own tool.

They count nothing themselves: a plug hands what the tool has to a public verb.
"""
