"""Pictures: draws what games say of their tables, and knows none of them."""
