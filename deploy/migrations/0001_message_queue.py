"""Install PGMQ from the SQL in the pgmq wheel, unless the database has it (as an extension, say)."""

from __future__ import annotations

from typing import Any

from django.db import migrations
from pgmq.install import get_embedded_install_sql


def install(apps: Any, schema_editor: Any) -> None:
    """Create the schema pgmq; its script cannot be run twice, so an existing one is left alone."""
    with schema_editor.connection.cursor() as cursor:
        cursor.execute("SELECT to_regclass('pgmq.meta')")
        (there,) = cursor.fetchone()
        if there is None:
            cursor.connection.execute(get_embedded_install_sql())


class Migration(migrations.Migration):
    initial = True
    dependencies = ()
    operations = (migrations.RunPython(install, migrations.RunPython.noop),)
