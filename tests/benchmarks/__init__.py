"""Catalogs of any size to measure errgen with."""
