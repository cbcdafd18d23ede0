"""Items and their indexes, blobs, generations (one for each build, seen whole), and the feed that replicas follow."""
