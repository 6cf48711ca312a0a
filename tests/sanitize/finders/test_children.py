from __future__ import annotations

import pytest

from mcp_error_middleware.sanitize import sanitize_text


@pytest.mark.parametrize(
    ("text", "clean"),
    [
        (
            "secrets:\n  - name: db\n    value: moon-rise",
            "secrets:\n  - name: db\n    value: [redacted:secret]",
        ),
        (
            "secrets:\n- name: db\n  value: moon1993x",
            "secrets:\n- name: db\n  value: [redacted:secret]",
        ),
        (
            "credentials:\n  db: Quartz_fox96!\n  smtp: Falcon_stone98!\nreplicas: 2",
            "credentials:\n  db: [redacted:secret]\n  smtp: [redacted:secret]\nreplicas: 2",
        ),
        (
            'passwords:\n  root: otter-lake9\n  kim: "Maple-Anvil"',
            'passwords:\n  root: [redacted:password]\n  kim: "[redacted:password]"',
        ),
        (
            '[secrets]\ndb = "pianoFalcon1996"\n[server]\nport = 80',
            '[secrets]\ndb = "[redacted:secret]"\n[server]\nport = 80',
        ),
        (
            "[passwords]\nkim = Kestrel-stone-16",
            "[passwords]\nkim = [redacted:password]",
        ),
        (
            "stringData:\n  admin: Bronco_pepper1!",
            "stringData:\n  admin: [redacted:secret]",
        ),
        (
            "app:\n  api_keys:\n    acme: k9x2m4z8q1\n  port: 80",
            "app:\n  api_keys:\n    acme: [redacted:key]\n  port: 80",
        ),
        (
            '"tokens":{"github":"c683194d713ee87a3f275266ca17f93eab43ea51"},"region":"eu"',
            '"tokens":{"github":"[redacted:token]"},"region":"eu"',
        ),
        (
            '"tokens": ["c683194d713ee87a3f275266ca17f93eab43ea51", "5fd8405947ee2029f23cfdfc50f248b3"]',
            '"tokens": ["[redacted:token]", "[redacted:token]"]',
        ),
        (
            "tokens:\n  - c683194d713ee87a3f275266ca17f93eab43ea51",
            "tokens:\n  - [redacted:token]",
        ),
        (
            "secrets:\n  db:\n    primary: Quartz_fox96!",
            "secrets:\n  db:\n    primary: [redacted:secret]",
        ),
    ],
)
def test_what_is_kept_below_the_name_for_several_secrets_goes(text: str, clean: str) -> None:
    assert sanitize_text(text) == clean


@pytest.mark.parametrize(
    "text",
    [
        "secrets:\n  - db_password\n  - api-token-2",
        "imagePullSecrets:\n  - name: regcred-2",
        "secrets:\n  db: postgres-14-auth",
        "credentials:\n  type: oauth2\n  scopes: read-2",
        "credentials:\n  provider: vault-2\n  path: /a/B1c2\n  url: https://x.example.com/A1b2",
        "tokens:\n  prompt: 1200\n  completion: 300",
        "tokens:\n  max: 8192\n  model: gpt-4o-2024",
        "passwords:\n  min_length: 12\n  policy: strict-2",
        "valueFrom:\n  secretKeyRef:\n    name: stripe",
        '"tokens": {"prompt": 12, "completion": 30}',
        '"tokens": [{"id": "c683194d713ee87a3f275266ca17f93eab43ea51"}]',
        '{"tokens":{"commit":"c683194d713ee87a3f275266ca17f93eab43ea51"}}',
        "tokens:\nfirst line\nsecond line",
        "secrets:\n  NPM_TOKEN: ${{ secrets.NPM_TOKEN }}",
        '[tokens]\nlimit = 4096\nmodel = "gpt-4o"',
        "Missing credentials:\n  - AccountName\n  - Region2",
        "Found 2 secrets:\n  src/app.py:12 generic-api-key\n  src/b.py:3 AWS",
        "Invalid tokens:\n  line 3: UnexpectedToken2\n  line 4: foo",
    ],
)
def test_what_is_said_about_them_and_what_they_are_called_stays(text: str) -> None:
    assert sanitize_text(text) == text
