"""Pages of the keys of a plan and of a result, from their JSON Schemas."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

RESOURCES = Path(__file__).resolve().parents[2] / "client/core/src/main/resources/io/phaseload"
PAGES = {"plan": ("Keys of a plan", "The keys of a file for `--plan`, in YAML or JSON. [A plan as a file](../load.md#a-plan-as-a-file) "
                  "and [journeys](../journeys.md) have examples."),
         "result": ("Keys of result.json", "The keys of a run's `result.json`. [Results](../results.md) explains the figures.")}

Schema = dict[str, Any]


def write(docs: Path) -> None:
    """Writes docs/reference/*.md, if they aren't so already."""
    folder = docs / "reference"
    folder.mkdir(exist_ok=True)
    for name, (title, introduction) in PAGES.items():
        schema = json.loads(next(RESOURCES.rglob(f"{name}.schema.json")).read_text(encoding="utf-8"))
        text = "\n".join([f"# {title}", "", introduction, "", *page(schema)])
        file = folder / f"{name}.md"
        if not file.exists() or file.read_text(encoding="utf-8") != text:
            file.write_text(text, encoding="utf-8")


def page(schema: Schema) -> Iterator[str]:
    """The keys of the whole, and then of each named part that is an object."""
    yield from table(schema)
    for name, part in schema.get("$defs", {}).items():
        if list(keys(part)):
            yield from [f"## {name}", ""]
            if "description" in part:
                yield from [sentence(part["description"]), ""]
            yield from table(part)


def table(schema: Schema) -> Iterator[str]:
    yield from ["| key | value | meaning |", "|---|---|---|"]
    for path, part in keys(schema):
        yield f"| `{path}` | {kind(part)} | {cell(part.get('description', ''))} |"
    yield ""


def keys(schema: Schema, path: str = "") -> Iterator[tuple[str, Schema]]:
    """All keys with their paths; those of named parts are in a table of their own."""
    for name, part in schema.get("properties", {}).items():
        yield path + name, part
        yield from keys(part, f"{path}{name}.")
    for choice in schema.get("anyOf", []) + schema.get("oneOf", []):
        yield from keys(choice, path)
    if isinstance(schema.get("items"), dict):
        yield from keys(schema["items"], path.removesuffix(".") + "[].")
    if isinstance(schema.get("additionalProperties"), dict):
        yield from keys(schema["additionalProperties"], f"{path}NAME.")


def kind(schema: Schema) -> str:
    """The value of a key in a few words."""
    if "$ref" in schema:
        name = schema["$ref"].rsplit("/", 1)[-1]
        return "any value" if name == "any" else name
    if "enum" in schema:
        return ", ".join(f"`{json.dumps(value)}`".replace('"', "") for value in schema["enum"])
    if "const" in schema:
        return f"`{json.dumps(schema['const'])}`"
    if "anyOf" in schema or "oneOf" in schema:
        return " or ".join(dict.fromkeys(kind(choice) for choice in schema.get("anyOf") or schema["oneOf"]))
    types = schema.get("type", "object")
    types = [types] if isinstance(types, str) else types
    return " or ".join("list" + (f" of {kind(schema['items'])}" if isinstance(schema.get("items"), dict) else "") if one == "array"
                       else one for one in types)


def cell(text: str) -> str:
    return text.replace("|", "\\|").replace("<", "&lt;").replace("{", "&#123;").replace("\n", " ")


def sentence(text: str) -> str:
    text = cell(text)
    return text[:1].upper() + text[1:] + "."
