"""Seeded documents at any size, written as a stream: the same command gives the same bytes, on every Python.

Only the standard library is used, so that no installed package changes a byte. Content is fictional: no host, no
address and no person is named, and nothing in it looks like a credential.
"""
