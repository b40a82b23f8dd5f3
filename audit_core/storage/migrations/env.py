"""Alembic's entry: runs the migrations on the connection that the caller opened, inside its transaction."""

from alembic import context

from audit_core.storage.schema import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    render_as_batch=True,
    transaction_per_migration=False,
)
context.run_migrations()
