"""The compilers there are not."""
