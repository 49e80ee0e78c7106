"""JSON that is safe to print on a terminal."""

from __future__ import annotations

import json
import re
from typing import Any, Final

#: Always escaped in JSON: C1 controls, invisible and bidi characters, surrogates.
_HIDDEN: Final = re.compile(
    "[\x7f-\x9f\xad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ud800-\udfff\ufeff]"
)


def json_text(document: Any, *, unicode: bool = True, indent: int | None = 1) -> str:
    """Return a document as JSON that ends in a newline; hidden characters are escaped.

    Without `indent`, it is one line.
    """
    text = json.dumps(document, ensure_ascii=not unicode, indent=indent)
    return _HIDDEN.sub(lambda match: f"\\u{ord(match[0]):04x}", text) + "\n"
