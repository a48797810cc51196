"""Campaigns in a folder: rules, a log that shows every change, teams, submissions."""
