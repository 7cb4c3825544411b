"""Decodes request bodies into typed requests, with the service's messages for what doesn't fit.

A body that fits its operation's type is decoded in one pass. Any other is converted member by member to find the first
mismatch, dropping nulls (which mean absent) and truncating fractions on the way.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, get_args, get_origin, get_type_hints, is_typeddict

import msgspec

from tablature.engine.errors import EngineError, serialization_error
from tablature.engine.server.input_types import InputType
from tablature.engine.server.input_types.primitives import Blob, Integer, Long, Timestamp

Request = dict[str, Any]

_SHAPE_PACKAGE = "com.amazonaws.dynamodb.v20120810"
_STRUCTURE_UNEXPECTED = "Start of structure or map found where not expected"
_JAVA_CLASSES: Mapping[object, str] = {
    str: "java.lang.String",
    bool: "java.lang.Boolean",
    Integer: "java.lang.Integer",
    Long: "java.lang.Long",
    Timestamp: "java.util.Date",
    Blob: "java.nio.ByteBuffer",
}
_NOT_BASE64 = re.compile(r"[^a-zA-Z0-9+/=]|=(?=[^=])")


def decode(body: bytes, shape: InputType) -> Request:
    """Decode a body against its operation's input type, or raise the service's SerializationException."""
    try:
        request: Request = decoder(shape).decode(body)
    except (msgspec.MsgspecError, UnicodeError, RecursionError):
        return _decode_slowly(body, shape)
    if b'"B"' in body or b'"BS"' in body:
        return _decode_slowly(body, shape)
    return request


@cache
def decoder(shape: InputType) -> msgspec.json.Decoder[Any]:
    """Build the decoder of one input type; building is slow, decoding is not."""
    return msgspec.json.Decoder(shape)


def parse(body: bytes) -> object:
    """Parse JSON of any shape, or raise the SerializationException the service gives, which has no message."""
    try:
        parsed: object = msgspec.json.decode(body)
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        raise serialization_error("") from error
    return parsed


def _decode_slowly(body: bytes, shape: InputType) -> Request:
    try:
        return _convert_structure(parse(body), shape, "Unexpected value type in payload")
    except RecursionError as error:
        raise serialization_error("") from error


def _convert(value: object, shape: InputType) -> object:
    if is_typeddict(shape):
        return _convert_structure(value, shape, "Unexpected field type")
    origin: object = get_origin(shape)
    if origin is dict:
        return _convert_map(value, shape)
    if origin is list:
        return _convert_list(value, shape)
    return _SCALARS[shape](value)


def _convert_structure(value: object, shape: InputType, refusal: str) -> Request:
    if isinstance(value, list):
        raise serialization_error(
            f"Unrecognized collection type class {_SHAPE_PACKAGE}.{shape.__name__.removesuffix('Shape')}"
        )
    if not isinstance(value, dict):
        raise serialization_error(refusal)
    members = _members(shape)
    return {
        name: _convert(given, members[name]) for name, given in value.items() if given is not None and name in members
    }


@cache
def _members(shape: InputType) -> dict[str, InputType]:
    return get_type_hints(shape)


def _convert_map(value: object, shape: InputType) -> Request:
    member: InputType = get_args(shape)[1]
    if isinstance(value, list):
        raise serialization_error(f"Unrecognized collection type {_java_name(shape)}")
    if not isinstance(value, dict):
        raise serialization_error("Unexpected field type")
    return {name: _convert_element(given, member) for name, given in value.items()}


def _convert_list(value: object, shape: InputType) -> list[object]:
    member: InputType = get_args(shape)[0]
    if isinstance(value, dict):
        raise serialization_error(_STRUCTURE_UNEXPECTED)
    if not isinstance(value, list):
        raise serialization_error("Unexpected field type")
    return [_convert_element(given, member) for given in value]


def _convert_element(given: object, shape: InputType) -> object:
    if not is_typeddict(shape):
        return _convert(given, shape)
    # A null element becomes an empty structure, which later checks reject with their own message.
    return _convert_structure({} if given is None else given, shape, "Unexpected value type in payload")


def _java_name(shape: InputType) -> str:
    if is_typeddict(shape):
        return f"{_SHAPE_PACKAGE}.{shape.__name__.removesuffix('Shape')}"
    origin: object = get_origin(shape)
    if origin is dict:
        return f"java.util.Map<java.lang.String, {_java_name(get_args(shape)[1])}>"
    if origin is list:
        return f"java.util.List<{_java_name(get_args(shape)[0])}>"
    return _JAVA_CLASSES[shape]


def _token(value: object) -> str:
    if isinstance(value, bool):
        return "TRUE_VALUE" if value else "FALSE_VALUE"
    if isinstance(value, str):
        return "STRING_VALUE"
    return "NUMBER_VALUE" if isinstance(value, int) else "DECIMAL_VALUE"


def _mismatch(value: object, wanted: object) -> EngineError:
    java = _JAVA_CLASSES[wanted]
    if isinstance(value, list):
        return serialization_error(f"Unrecognized collection type class {java}")
    if isinstance(value, dict):
        return serialization_error(_STRUCTURE_UNEXPECTED)
    if wanted is Blob:
        return serialization_error("only base-64-encoded strings are convertible to bytes")
    if value is None:
        return serialization_error("Unexpected field type")
    if wanted is bool and isinstance(value, str):
        return serialization_error("Unexpected token received from parser")
    return serialization_error(f"{_token(value)} cannot be converted to {java.rpartition('.')[2]}")


def _convert_string(value: object) -> str:
    if isinstance(value, str):
        return value
    raise _mismatch(value, str)


def _convert_boolean(value: object) -> bool:
    if isinstance(value, bool):
        return value
    raise _mismatch(value, bool)


def _integer_converter(wanted: object, bits: int) -> Callable[[object], int]:
    most = 2 ** (bits - 1) - 1

    def fit(value: object) -> int:
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise _mismatch(value, wanted)
        return int(max(-most - 1, min(most, value)))

    return fit


def _convert_timestamp(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise _mismatch(value, Timestamp)
    return float(value)


def _convert_blob(value: object) -> str:
    if not isinstance(value, str):
        raise _mismatch(value, Blob)
    if len(value) % 4:
        raise serialization_error(f"Base64 encoded length is expected a multiple of 4 bytes but found: {len(value)}")
    if wrong := _NOT_BASE64.search(value):
        raise serialization_error(f"Invalid Base64 character: '{wrong.group()}'")
    try:
        canonical = base64.b64encode(base64.b64decode(value, validate=True)).decode()
    except (binascii.Error, ValueError) as error:
        raise serialization_error("Invalid last non-pad Base64 character dectected") from error
    if canonical != value:
        raise serialization_error("Invalid last non-pad Base64 character dectected")
    return value


_SCALARS: Mapping[object, Callable[[object], object]] = {
    str: _convert_string,
    bool: _convert_boolean,
    Integer: _integer_converter(Integer, 32),
    Long: _integer_converter(Long, 64),
    Timestamp: _convert_timestamp,
    Blob: _convert_blob,
}
