// Nothing: only the names of the modules count.
