"""Rules as data: profiles, the keys they give values to, and the catalogue of findings."""

from canasta_notation.rules.catalogue import Entry, about, codes, entry
from canasta_notation.rules.keys import Key, SpecialPart, SpecialPattern, keys, marks, sources
from canasta_notation.rules.load import (
    ProfileError,
    RulesProblem,
    RulesReading,
    load_profile,
    parse_rules,
    profile_names,
    profile_of,
    rules_tag,
)
from canasta_notation.rules.profile import Profile, Value

__all__ = [
    "Entry",
    "Key",
    "Profile",
    "ProfileError",
    "RulesProblem",
    "RulesReading",
    "SpecialPart",
    "SpecialPattern",
    "Value",
    "about",
    "codes",
    "entry",
    "keys",
    "load_profile",
    "marks",
    "parse_rules",
    "profile_names",
    "profile_of",
    "rules_tag",
    "sources",
]
