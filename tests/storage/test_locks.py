"""Different pieces of work hold different locks: making a campaign does not stop the queue of jobs, nor the other way round."""

from __future__ import annotations

from audit_core.storage import jobs, making, upgrade
from audit_core.storage.database import Database


def test_every_advisory_lock_has_a_number_of_its_own() -> None:
    numbers = [module._ADVISORY_KEY for module in (upgrade, jobs, making)]
    assert len(set(numbers)) == len(numbers)


def test_jobs_go_on_while_a_campaign_is_being_made_and_the_other_way_round(database: Database) -> None:
    with making.alone(database, wait=5) as is_alone:
        assert is_alone
        with database.write() as connection:
            jobs.lock_queue(connection)
            with making.alone(database, wait=0) as is_second:
                assert not is_second
    with database.write() as connection:
        jobs.lock_queue(connection)
        with making.alone(database, wait=0) as is_alone:
            assert is_alone
