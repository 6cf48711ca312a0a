"""Manifest in, problems with the arguments and variables it asks for out."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from mcp_error_middleware.lint.model import Manifest, Problem, Severity, rule
from mcp_error_middleware.lint.rules.manifest.parts import (
    arguments,
    inputs,
    is_text,
    lacks,
    no_objects,
    objects,
    variables,
)
from mcp_error_middleware.lint.schema import brief

_FORMATS: Final = ("string", "number", "boolean", "filepath")
_VARIABLE: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


@rule(Severity.ERROR, "server-json-argument-type", name="misshapen-argument")
def misshapen_argument(manifest: Manifest) -> Iterator[Problem]:
    """Make every argument an object.

    Bad:

        {"packages": [{"packageArguments": ["--port"]}]}

    Good:

        {"packages": [{"packageArguments": [{"type": "named", "name": "--port"}]}]}
    """
    yield from no_objects(manifest, arguments(manifest), "This argument")


@rule(Severity.ERROR, "server-json-argument-type-value", name="unknown-argument-kind")
def unknown_kind(manifest: Manifest) -> Iterator[Problem]:
    """Make an argument positional or named.

    Bad:

        {"packages": [{"packageArguments": [{"type": "flag", "name": "--port"}]}]}

    Good:

        {"packages": [{"packageArguments": [{"type": "named", "name": "--port"}]}]}
    """
    for path, argument in objects(arguments(manifest)):
        if argument.get("type") not in ("positional", "named"):
            message = f"An argument's type is positional or named, not {brief(argument.get('type'))}."
            yield Problem(manifest.at(*path, "type"), message)


@rule(Severity.ERROR, "server-json-argument-name", name="unnamed-argument")
def unnamed_argument(manifest: Manifest) -> Iterator[Problem]:
    """Name a named argument.

    Bad:

        {"packages": [{"packageArguments": [{"type": "named", "value": "80"}]}]}

    Good:

        {"packages": [{"packageArguments": [{"type": "named", "name": "--port", "value": "80"}]}]}
    """
    for path, argument in objects(arguments(manifest)):
        if argument.get("type") == "named":
            why = "A named argument needs its name, dashes included; or make it positional."
            yield from lacks(manifest, path, argument, "name", why)


@rule(Severity.ERROR, "server-json-argument-value", name="valueless-argument")
def valueless_argument(manifest: Manifest) -> Iterator[Problem]:
    """Give a positional argument its value, or a hint of it.

    Bad:

        {"packages": [{"packageArguments": [{"type": "positional"}]}]}

    Good:

        {"packages": [{"packageArguments": [{"type": "positional", "valueHint": "folder"}]}]}
    """
    for path, argument in objects(arguments(manifest)):
        given = argument.get("value"), argument.get("valueHint")
        if argument.get("type") == "positional" and not any(map(is_text, given)):
            message = "Nobody can tell what goes here; give the value, or a valueHint to ask the user for."
            yield Problem(manifest.at(*path), message)


@rule(Severity.WARNING, "server-json-input-format", name="unknown-input-format")
def unknown_format(manifest: Manifest) -> Iterator[Problem]:
    """Use an input format that clients know.

    Bad:

        {"packages": [{"environmentVariables": [{"name": "SHOP_URL", "format": "url"}]}]}

    Good:

        {"packages": [{"environmentVariables": [{"name": "SHOP_URL", "format": "string"}]}]}
    """
    for path, each in inputs(manifest):
        if "format" in each and each["format"] not in _FORMATS:
            message = f"Clients do not know the format {brief(each['format'])}; use {', '.join(_FORMATS)}."
            yield Problem(manifest.at(*path, "format"), message)


@rule(Severity.ERROR, "server-json-env-var-type", name="misshapen-variable")
def misshapen_variable(manifest: Manifest) -> Iterator[Problem]:
    """Make every environment variable an object.

    Bad:

        {"packages": [{"environmentVariables": ["SHOP_KEY"]}]}

    Good:

        {"packages": [{"environmentVariables": [{"name": "SHOP_KEY", "description": "Your key."}]}]}
    """
    yield from no_objects(manifest, variables(manifest), "This variable")


@rule(Severity.ERROR, "server-json-env-var-name", name="unnamed-variable")
def unnamed_variable(manifest: Manifest) -> Iterator[Problem]:
    """Name every environment variable.

    Bad:

        {"packages": [{"environmentVariables": [{"description": "Your key."}]}]}

    Good:

        {"packages": [{"environmentVariables": [{"name": "SHOP_KEY", "description": "Your key."}]}]}
    """
    for path, variable in objects(variables(manifest)):
        yield from lacks(
            manifest, path, variable, "name", "Nobody can set a variable without a name; give it."
        )


@rule(Severity.WARNING, "server-json-env-var-description", name="undescribed-variable")
def undescribed_variable(manifest: Manifest) -> Iterator[Problem]:
    """Describe every environment variable.

    The description is all a user sees when a client asks for the value.

    Bad:

        {"packages": [{"environmentVariables": [{"name": "SHOP_KEY"}]}]}

    Good:

        {"packages": [{"environmentVariables": [{"name": "SHOP_KEY", "description": "Your key."}]}]}
    """
    for path, variable in objects(variables(manifest)):
        why = "A user is asked for it and cannot tell what it is; describe it, and where to get it."
        yield from lacks(manifest, path, variable, "description", why)


@rule(Severity.ERROR, "landing-env-example-key", name="unfit-variable-name")
def unfit_variable_name(manifest: Manifest) -> Iterator[Problem]:
    """Name environment variables as a shell can set them.

    Bad:

        {"packages": [{"environmentVariables": [{"name": "SHOP KEY", "description": "Your key."}]}]}

    Good:

        {"packages": [{"environmentVariables": [{"name": "SHOP_KEY", "description": "Your key."}]}]}
    """
    for path, variable in objects(variables(manifest)):
        name = variable.get("name")
        if is_text(name) and not _VARIABLE.fullmatch(name):
            message = f"{brief(name)} cannot be set everywhere; use letters, digits and underscores."
            yield Problem(manifest.at(*path, "name"), message)


@rule(Severity.ERROR, "landing-env-example-value", name="input-not-a-string")
def not_a_string(manifest: Manifest) -> Iterator[Problem]:
    """Write values and defaults as strings.

    Command lines and environments hold strings only, and registries refuse anything else.

    Bad:

        {"packages": [{"environmentVariables": [{"name": "SHOP_PORT", "default": 8080}]}]}

    Good:

        {"packages": [{"environmentVariables": [{"name": "SHOP_PORT", "default": "8080"}]}]}
    """
    for path, each in inputs(manifest):
        for name in ("value", "default"):
            if name in each and not isinstance(each[name], str):
                message = f"The {name} is {brief(each[name])}, which registries refuse; write it in quotes."
                yield Problem(manifest.at(*path, name), message)
