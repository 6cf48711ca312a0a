"""The types that are said to have no JSON Schema have none."""

from __future__ import annotations

import sys
from importlib import import_module

import pytest
from pydantic import ConfigDict, create_model
from pydantic.errors import PydanticInvalidForJsonSchema

from mcp_error_middleware.lint.rules.definitions.unserialisable_type import FOREIGN

STANDARD = sorted(path for path in FOREIGN if path.partition(".")[0] in sys.stdlib_module_names)


@pytest.mark.parametrize("path", STANDARD)
def test_pydantic_has_no_json_schema_for_it(path: str) -> None:
    module, _, name = path.rpartition(".")
    model = create_model(
        "Arguments",
        __config__=ConfigDict(arbitrary_types_allowed=True),
        argument=(getattr(import_module(module), name), ...),
    )

    with pytest.raises(PydanticInvalidForJsonSchema):
        model.model_json_schema()
