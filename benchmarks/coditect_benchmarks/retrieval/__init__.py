"""The retrieval benchmark: gold spans and documents, the product and its peers on the same documents and questions.

Run ``python -m coditect_benchmarks.retrieval --data FOLDER``; ``--help`` says the rest.
"""
