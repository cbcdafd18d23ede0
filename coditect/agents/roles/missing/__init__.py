"""What models are asked of what is missing: the reducer of all statements at once, the validator of findings one by one."""
