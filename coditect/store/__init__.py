"""Items and indexes, blobs, generations, change feed."""
