"""Whether new memory is filled, so that reading it by mistake is seen; kept, and changes nothing."""

fill_uninitialized_memory = True
