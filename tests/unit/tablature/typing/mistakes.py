"""What type checkers must refuse: every line below the import is one mistake."""

from sample import Newsletter

Newsletter(code="NL-1")
Newsletter(code="NL-1", title=5)
Newsletter(code="NL-1", title="x", titel="y")
Newsletter(code="NL-1", title="x", status="lost")
Newsletter(code="NL-1", title="x").title = 5
print(Newsletter.opens > "three")
Newsletter.opens.add("three")
