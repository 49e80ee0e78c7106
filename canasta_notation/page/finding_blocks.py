"""Findings as HTML: what is wrong, the rule, the remedy, and the line of the record."""

from __future__ import annotations

from canasta_notation.findings import Finding, RuleRef
from canasta_notation.page.markup import html, prose


def finding_html(finding: Finding, lines: dict[int, str], name: str = "data-finding") -> str:
    """Return a finding; `lines` are the record's lines by number.

    `name` is the attribute for the code; findings that are shown a second time have another one.
    """
    rule = f"<small>Rule: {_rule(finding.rule)}</small>" if finding.rule else ""
    advice = "" if finding.acknowledged else finding.help
    remedy = f"<small>Remedy: {prose(advice)}</small>" if advice else ""
    acknowledged = " (acknowledged)" if finding.acknowledged else ""
    line = lines.get(finding.span.line)
    excerpt = f"<code class=source>{html(line.strip())}</code>" if line and line.strip() else ""
    return (
        f'<div class="finding {finding.severity}" {name}="{html(finding.code)}">'
        f"<b>{finding.severity}: {html(finding.code)}{acknowledged}</b> "
        f"{prose(finding.message)}{excerpt}{rule}{remedy}</div>"
    )


def _rule(rule: RuleRef) -> str:
    value = rule.value
    shown = {True: "yes", False: "no"}.get(value, value) if isinstance(value, bool) else value
    if isinstance(value, list | tuple):
        shown = ",".join(map(str, value)) or "none"
    return f"{prose(rule.sentence)} ({html(rule.key)}={html(str(shown))}, {html(rule.source)})"
