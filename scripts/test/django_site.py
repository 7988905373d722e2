#!/usr/bin/env python3
"""
A real site: the administration of Django, with a login by a form, tokens against forged requests, cookies and redirects. It
serves on the loopback until it is stopped, with the account "editor" and the password "correct horse".

    "$(scripts/test/install)" scripts/test/django_site.py 8000
"""

from __future__ import annotations

import contextlib
import os
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import django
from django.conf import settings
from django.core.management import call_command
from django.core.servers.basehttp import ThreadedWSGIServer, WSGIRequestHandler
from django.core.wsgi import get_wsgi_application

NAME, PASSWORD = "editor", "correct horse"
APPS = ["admin", "auth", "contenttypes", "sessions", "messages"]
MIDDLEWARE = [
    "sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "auth.middleware.AuthenticationMiddleware",
    "messages.middleware.MessageMiddleware",
]
CONTEXT = ["django.template.context_processors.request", "django.contrib.auth.context_processors.auth",
           "django.contrib.messages.context_processors.messages"]

# What Django reads as its table of addresses; it is filled once the settings are there.
urlpatterns: list[object] = []


class _Silent(WSGIRequestHandler):
    """Doesn't log requests."""

    def log_message(self, format: str, *args: object) -> None:
        pass


def set_up(database: Path) -> None:
    """Once in a process: settings, an empty database, and the account."""
    settings.configure(
        ALLOWED_HOSTS=["127.0.0.1", "localhost"],
        # Else SQLite refuses a transaction that reads first, while another writes.
        DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": database,
                               "OPTIONS": {"timeout": 20, "transaction_mode": "IMMEDIATE"}}},
        DEFAULT_AUTO_FIELD="django.db.models.BigAutoField",
        INSTALLED_APPS=[f"django.contrib.{app}" for app in APPS],
        MIDDLEWARE=[name if name.startswith("django.") else f"django.contrib.{name}" for name in MIDDLEWARE],
        # Logins that take a second each would test the hash, not the client.
        PASSWORD_HASHERS=["django.contrib.auth.hashers.MD5PasswordHasher"],
        ROOT_URLCONF=__name__,
        SECRET_KEY=os.urandom(32).hex(),
        TEMPLATES=[{"BACKEND": "django.template.backends.django.DjangoTemplates", "APP_DIRS": True,
                    "OPTIONS": {"context_processors": CONTEXT}}],
        USE_TZ=True,
    )
    django.setup()
    call_command("migrate", verbosity=0)

    from django.contrib import admin  # pylint: disable=import-outside-toplevel
    from django.contrib.auth.models import User  # pylint: disable=import-outside-toplevel
    from django.db import connection  # pylint: disable=import-outside-toplevel
    from django.urls import path  # pylint: disable=import-outside-toplevel

    connection.cursor().execute("PRAGMA journal_mode=WAL")
    urlpatterns[:] = [path("admin/", admin.site.urls)]
    User.objects.create_superuser(NAME, password=PASSWORD)


def groups() -> list[str]:
    """The names of the groups that were added."""
    from django.contrib.auth.models import Group  # pylint: disable=import-outside-toplevel

    return list(Group.objects.values_list("name", flat=True))


@contextlib.contextmanager
def serving(port: int = 0) -> Iterator[tuple[int, Callable[[], int]]]:
    """The port, and how many requests there were so far."""
    application = get_wsgi_application()
    lock = threading.Lock()
    count = 0

    def counted(environ, start_response):
        nonlocal count
        with lock:
            count += 1
        return application(environ, start_response)

    with ThreadedWSGIServer(("127.0.0.1", port), _Silent) as server:
        server.set_app(counted)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield server.server_port, lambda: count
        finally:
            server.shutdown()


def main() -> None:
    with tempfile.TemporaryDirectory() as folder, contextlib.suppress(KeyboardInterrupt):
        set_up(Path(folder) / "site.sqlite3")
        with serving(int(sys.argv[1]) if len(sys.argv) > 1 else 8000) as (port, _):
            print(f"http://127.0.0.1:{port}/admin/ for {NAME} with the password {PASSWORD!r}; Ctrl-C ends it", flush=True)
            threading.Event().wait()


if __name__ == "__main__":
    main()
