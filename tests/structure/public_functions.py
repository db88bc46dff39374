# SPDX-License-Identifier: LGPL-2.1-or-later
"""The functions that a header declares, and whether a comment says what they do.

Reads our own headers, as clang-format leaves them; no parser of C++.
"""
import re

SCOPE = re.compile(r'\b(?:namespace|class|struct|union)\b[^;(]*\{$')
NO_FUNCTION = re.compile(r'(?:using|typedef|static_assert|friend)\b|enum\b|#')
NAME = re.compile(r'(operator\s*\S+?|[~\w]+)\s*\(')


def without_templates(text):
    while (shorter := re.sub(r'<[^<>]*>', '', text)) != text:
        text = shorter
    return text


def function_name(statement):
    """Of a declaration or a definition; none if it is none, or says all that there is to say."""
    statement = re.sub(r'\bCLTRACK_API\b|\b(?:public|private|protected):', '', statement).strip()
    if NO_FUNCTION.match(statement) or re.search(r'=\s*(?:default|delete)\s*;?$', statement):
        return None
    statement = without_templates(re.sub(r'^template\s*<', '<', statement))
    match = NAME.search(statement)
    if not match or match[1].startswith('~') or '=' in statement[:match.start()]:
        return None
    return match[1]


def is_commented(lines, first, last):
    """By a comment behind it, or above its paragraph."""
    if any('//' in line for line in lines[first:last + 1]):
        return True
    for line in reversed(lines[:first]):
        text = line.strip()
        if text.startswith('//'):
            return True
        if not text or text.endswith(':') or SCOPE.search(text):
            return False
    return False


def public_functions(text):
    """Line, name and whether it is commented of each function that users can call."""
    lines = text.splitlines()
    scopes = []  # True where declarations are public
    statement, first, skipped = '', 0, 0
    for number, line in enumerate(lines):
        code = re.sub(r'//.*', '', line).strip()
        if skipped:  # within a body
            skipped += code.count('{') - code.count('}')
            if skipped == 0:
                statement = ''
            continue
        if not code or code.startswith('#'):
            continue
        if re.fullmatch(r'(public|private|protected):', code):
            scopes[-1] = code == 'public:'
            continue
        if code.startswith('}') and not statement:
            scopes.pop()
            continue
        if not statement:
            first = number
        statement = f'{statement} {code}'.strip()
        if SCOPE.search(statement):
            scopes.append(not re.match(r'(template.*)?class\b', statement))
            statement = ''
            continue
        opened = code.count('{') - code.count('}')
        if opened > 0 or code.endswith((';', '}')):
            if all(scopes) and (name := function_name(statement.split('{')[0])):
                yield first + 1, name, is_commented(lines, first, number)
            skipped = opened
            if not skipped:
                statement = ''
