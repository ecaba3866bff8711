"""Give models clearer names; their tables keep the names that they have."""

from __future__ import annotations

from django.db import migrations

RENAMED_MODELS = (
    ("Answered", "IdempotencyKeyResponse"),
    ("Build", "CompiledBotProgram"),
    ("CageReport", "WorkerSandboxReport"),
    ("DeviceCode", "DeviceAuthorizationRequest"),
    ("Package", "BotPackage"),
    ("PackageFile", "BotPackageFile"),
    ("Share", "WorkerUsageByJobKind"),
    ("Token", "ApiToken"),
    ("VersionTrace", "BotVersionTraceContext"),
)


class Migration(migrations.Migration):
    """Renames models in the state only: the database does not change."""

    dependencies = [("bots", "0024_tokens_made_in_a_token_session")]

    operations = [
        operation
        for old, new in RENAMED_MODELS
        for operation in (
            migrations.AlterModelTable(name=old, table=f"bots_{old.lower()}"),
            migrations.RenameModel(old_name=old, new_name=new),
        )
    ]
