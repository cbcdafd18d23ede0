"""Crosswalks: which sentences of a corpus speak to which requirements of a framework, and what they say of them."""
