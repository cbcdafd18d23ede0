"""What each page of the explorer shows: small frozen dataclasses made from the answers of the use cases, without HTML."""
