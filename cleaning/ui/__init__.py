"""How comparisons of cleaning strategies look in the browser: lists, the form that starts one, and its figures."""
