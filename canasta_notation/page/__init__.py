"""Games as a page to look at, a position as a picture: HTML and SVG without a rule in them."""
