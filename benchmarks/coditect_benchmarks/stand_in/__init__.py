"""A stand-in for the model's service: it keeps what the product asks, and answers with what readers wrote.

Where the service is out of reach, a person or any language model can read the very prompts and answer them. The product then
parses, guards and checks these answers as it would the service's own, so that figures "with a model" are measured, not supposed.
Nothing is invented here: a request that nobody answered is refused.
"""
