"""Secondary indexes: what each holds, which of them a tenant has, and how one is added and dropped beside readers and writers."""
