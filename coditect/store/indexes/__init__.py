"""Secondary indexes: what each of them holds, which of the optional ones a tenant has, and what that obliges writers to."""
