"""The same use cases for assistants, over the Model Context Protocol: few tools, citations that resolve, documents as data."""
