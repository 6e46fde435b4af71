"""Encoder of contract calls (the contract ABI), limited to the types that the market's operations use."""

from functools import cache
from typing import Any

from .keys import from_hex, keccak256, to_hex


def encode_call(signature: str, *arguments: Any) -> str:
    """Encodes a call. Example: `encode_call("cancelTask(bytes32)", task_id)` is `0xee8ca3b5` and the id."""
    types = _split(signature[signature.index("(") :])
    return to_hex(keccak256(signature.encode())[:4] + _encode_members(types, arguments))


def encode(types: str, *values: Any) -> bytes:
    """Encodes values as `abi.encode` does. Example: `encode("bytes32,address", task_id, worker)` has 64 bytes."""
    return _encode_members(_split(f"({types})"), values)


@cache
def _split(tuple_type: str) -> tuple[str, ...]:
    """Splits a tuple type into its members. Example: `(a,(b,c)[],d)` has `a`, `(b,c)[]` and `d`."""
    parts: list[str] = []
    depth, begin = 0, 1
    for at, character in enumerate(tuple_type):
        if character == "(":
            depth += 1
        elif character == ")":
            depth -= 1
        if (depth, character) in ((1, ","), (0, ")")):
            parts.append(tuple_type[begin:at])
            begin = at + 1
    return tuple(part for part in parts if part)


def _is_dynamic(kind: str) -> bool:
    if kind.endswith("[]") or kind in ("bytes", "string"):
        return True
    return kind.startswith("(") and any(map(_is_dynamic, _split(kind)))


def _encode_members(types: tuple[str, ...], values: Any) -> bytes:
    bodies = [_encode(kind, value) for kind, value in zip(types, values, strict=True)]
    offset = sum(32 if _is_dynamic(kind) else len(body) for kind, body in zip(types, bodies))
    heads, tails = [], []
    for kind, body in zip(types, bodies):
        if _is_dynamic(kind):
            heads.append(_word(offset))
            tails.append(body)
            offset += len(body)
        else:
            heads.append(body)
    return b"".join(heads + tails)


def _encode(kind: str, value: Any) -> bytes:
    if kind.endswith("[]"):
        return _word(len(value)) + _encode_members((kind[:-2],) * len(value), value)
    if kind.startswith("("):
        return _encode_members(_split(kind), value)
    if kind == "string" or kind == "bytes":
        data = value.encode() if kind == "string" else from_hex(value)
        return _word(len(data)) + _fill(data)
    if kind == "address":
        return _word(int(value, 16))
    return _fill(from_hex(value)) if kind.startswith("bytes") else _word(int(value))


def _word(number: int) -> bytes:
    return number.to_bytes(32, "big")


def _fill(data: bytes) -> bytes:
    return data.ljust(-(-len(data) // 32) * 32, b"\0")
