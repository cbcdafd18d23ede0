"""What lies beside the store and never in it: the files of keys, and what each key signed last."""
