"""The form of a step's output as JSON schema for models: a reference is one short string, `s1.4`."""

from typing import Any

from pydantic import BaseModel
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue
from pydantic_core import core_schema

from almanac.llm.sources import Reference

_STAND_IN: JsonSchemaValue = {
    "type": "string",
    "pattern": r"^s[1-9][0-9]*(\.[1-9][0-9]*)?$",
    "description": "A sentence of a source, such as s1.4, or a whole source, such as s1.",
}


class _ForModels(GenerateJsonSchema):
    """Shows a reference as models write it; for programs it stays an object."""

    def model_schema(self, schema: core_schema.ModelSchema) -> JsonSchemaValue:
        return dict(_STAND_IN) if schema["cls"] is Reference else super().model_schema(schema)


def schema_for_models(output: type[BaseModel]) -> dict[str, Any]:
    """The schema that an answer must satisfy."""
    return output.model_json_schema(schema_generator=_ForModels)
