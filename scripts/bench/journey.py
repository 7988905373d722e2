"""The case journey as each client that can do it has it: a POST of JSON with a name of a file; the token of its answer goes,
with the name, into a GET, whose answer is checked and gives a value; in the case journey-json that value is compared."""

from __future__ import annotations

import json

from cases import Case

DATA = "accounts.csv"
NAMES = [f"user{i}" for i in range(10_000)]

LOCATIONS = """\
        location = /journey/ { return 200 "alive"; }
        location = /journey/login { default_type application/json; return 200 '{"token": "t-$connection", "age": 60}'; }
        location = /journey/items {
            default_type application/json;
            if ($http_authorization !~ "^Bearer t-") { return 401; }
            return 200 '{"items": [{"id": 7, "of": "$arg_of"}]}';
        }
"""
"""What nginx answers."""

PLAN = """\
target: http://localhost/
data:
  accounts: {csv: @data@}
scenarios:
  - name: buyer
    steps:
      - post: /journey/login
        json: {user: "{accounts.name}"}
        extract: {token: "json:/token"}
      - get: /journey/items?of={accounts.name}
        headers: {Authorization: "Bearer {token}"}
        checks: status=200 body~'items'@json_check@
        extract: {id: "json:/items/0/id"}
"""

# A script of wrk has no connections: what one answered may go into the next request of another.
LUA = """\
local names, row, token = {}, 0, nil
for line in io.lines("@data@") do names[#names + 1] = line end
table.remove(names, 1)
request = function()
  row = row % #names + 1
  if not token then
    return wrk.format("POST", "/journey/login", {["Content-Type"] = "application/json"},
                      '{"user":"' .. names[row] .. '"}')
  end
  return wrk.format("GET", "/journey/items?of=" .. names[row], {["Authorization"] = "Bearer " .. token})
end
response = function(status, headers, body)
  local found = body:match('"token": "([^"]+)"')
  if found then
    token = found
  else
    token = nil
    local id = body:match('"id": (%d+)')
    if status ~= 200 or not body:find("items", 1, true) or not id@json_check@ then wrk.thread:stop() end
  end
end
"""

K6 = """\
import http from 'k6/http';
import { check } from 'k6';
import { SharedArray } from 'k6/data';
export const options = @options@;
const names = new SharedArray('names', () => open('@data@').trim().split('\\n').slice(1));
const base = '@url@';
export default function () {
  const name = names[(__VU * 7919 + __ITER) % names.length];
  const login = http.post(base + 'login', JSON.stringify({ user: name }),
                          { headers: { 'Content-Type': 'application/json' } });
  const got = http.get(`${base}items?of=${name}`, { headers: { Authorization: `Bearer ${login.json('token')}` } });
  check(got, { found: (r) => r.status === 200 && r.body.includes('items') && r.json('items.0.id')@json_check@ });
}
export function handleSummary(data) { return { stdout: JSON.stringify(data.metrics) }; }
"""


JSON_CHECKS = {"phaseload": " json:/items/0/id=7", "wrk": " or tonumber(id) ~= 7", "k6": " === 7", "locust": " != 7"}
"""What compares the value in the case journey-json; without it, a script only takes the value."""


def json_check(client: str, case: Case) -> str:
    return JSON_CHECKS[client] if case.json_check else " is None" if client == "locust" else ""


def data() -> str:
    return "\n".join(["name", *NAMES]) + "\n"


def filled(text: str, **values: object) -> str:
    """A script with what is in it between two @."""
    for name, value in values.items():
        text = text.replace(f"@{name}@", value if isinstance(value, str) else json.dumps(value))
    return text
