"""What sentences of an agreement say of it: how long it runs, how it is renewed and ended, whose law it is under, who has leave."""
