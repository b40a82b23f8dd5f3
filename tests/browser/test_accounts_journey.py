"""Accounts in a real browser: from the first start's one-time password to an annotator who signs in and out."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import ROOT, AppServer

LEADS = "a lead's own words"
ADAS = "Ada chose these words"
ONE_TIME = re.compile(r"[a-z2-9]{4}(?:-[a-z2-9]{4}){3}")


def sign_in(page: Page, app: AppServer, name: str, password: str) -> None:
    page.goto(app.address)
    form = page.get_by_test_id("sign-in")
    form.locator("input[name=name]").fill(name)
    form.locator("input[name=password]").fill(password)
    form.locator("input[name=password]").press("Enter")


def choose(page: Page, password: str, again: str | None = None) -> None:
    form = page.get_by_test_id("first-password")
    form.locator("input[name=new]").fill(password)
    form.locator("input[data-again]").fill(again or password)
    form.get_by_role("button").click()


@contextmanager
def another_window(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    yield context.new_page()
    context.close()


def prepared(app: AppServer) -> str:
    """Prepare the home as `make run` does; return the one-time password that the terminal shows."""
    done = subprocess.run(
        [sys.executable, "-m", "audit_core", "prepare"],
        cwd=ROOT, env=app.environment(ASSAY_ACCOUNTS="local"), capture_output=True, text=True, check=True,
    )  # fmt: skip
    (password,) = ONE_TIME.findall(done.stderr)
    assert done.stderr.rstrip().endswith("-" * 72), "it stands at the end, where it is seen"
    return password


def test_from_the_first_start_to_an_annotator_with_a_password_of_their_own(
    app: AppServer, page: Page, browser: Browser
) -> None:
    first = prepared(app)
    app.start(ASSAY_ACCOUNTS="local")
    page.goto(app.address)
    expect(page.get_by_test_id("sign-in-hint")).to_contain_text("terminal in which Assay was started")
    sign_in(page, app, "lead", "not the password")
    expect(page.get_by_role("alert")).to_have_text("This name and this password do not go together.")

    sign_in(page, app, "lead", first)
    expect(page.get_by_test_id("first-password")).to_be_visible()
    page.goto(f"{app.address}/datasets")  # nothing else is open yet
    expect(page.get_by_test_id("first-password")).to_be_visible()
    assert page.request.get(f"{app.address}/api/campaigns/1/state").status == 401
    choose(page, LEADS, again="something else")
    expect(page.get_by_role("alert")).to_contain_text("two new passwords differ")
    choose(page, LEADS)
    expect(page.get_by_test_id("who")).to_have_text("lead")

    page.get_by_role("link", name="Accounts").click()
    page.get_by_label("Name", exact=True).fill("Ada")
    page.get_by_role("button", name="Add", exact=True).click()
    expect(page.get_by_text("Ada can sign in with this one-time password.")).to_be_visible()
    (adas,) = ONE_TIME.findall(page.get_by_test_id("stCode").inner_text())

    with another_window(browser) as window:
        sign_in(window, app, "ada", adas)
        choose(window, ADAS)
        expect(window.get_by_test_id("who")).to_have_text("Ada")
        expect(window.get_by_role("link", name="Accounts")).to_have_count(0)
        window.goto(f"{app.address}/accounts")
        expect(window.get_by_text("This is for a lead, and you are an annotator.")).to_be_visible()
        expect(window.get_by_label("Name", exact=True)).to_have_count(0)

        window.get_by_test_id("who").get_by_role("link").click()
        form = window.get_by_test_id("change-password")
        form.locator("input[name=current]").fill(ADAS)
        form.locator("input[name=new]").fill(f"{ADAS} again")
        form.locator("input[data-again]").fill(f"{ADAS} again")
        form.get_by_role("button").click()
        expect(form.locator("input[name=current]")).to_have_value("")
        expect(window.get_by_test_id("who")).to_have_text("Ada")
        cookies = window.context.cookies()

        window.get_by_test_id("sign-out").click()
        expect(window.get_by_test_id("sign-in")).to_be_visible()
        # A copy of the cookie, kept from before, died with its sign-in.
        window.context.add_cookies([{**each, "expires": -1} for each in cookies])  # type: ignore[typeddict-item]
        window.goto(app.address)
        expect(window.get_by_test_id("sign-in")).to_be_visible()
        sign_in(window, app, "Ada", f"{ADAS} again")
        expect(window.get_by_test_id("who")).to_have_text("Ada")

        # She becomes an adjudicator, then her account is disabled: both hold in her window at its next request.
        expect(window.get_by_role("link", name="Report")).to_have_count(0)
        app.run("account", "role", "Ada", "adjudicator")
        window.reload()
        expect(window.get_by_role("link", name="Report")).to_be_visible()
        app.run("account", "disable", "Ada")
        window.get_by_role("link", name="Report").click()
        expect(window.get_by_test_id("sign-in")).to_be_visible()
    for secret in (first, adas, LEADS, ADAS):
        assert secret not in app.log.read_text()


def test_the_app_itself_makes_the_first_account_where_nothing_was_prepared(app: AppServer, page: Page) -> None:
    app.start(ASSAY_ACCOUNTS="local")
    page.goto(app.address)
    expect(page.get_by_test_id("sign-in-hint")).to_contain_text("account reset lead")
    (once,) = ONE_TIME.findall(app.log.read_text())
    app.kill()
    app.start(ASSAY_ACCOUNTS="local")
    sign_in(page, app, "lead", once)
    choose(page, LEADS)
    expect(page.get_by_test_id("who")).to_have_text("lead")
    assert ONE_TIME.findall(app.log.read_text()) == [once], "told once"


def test_without_passwords_the_app_starts_on_this_machine_alone(app: AppServer) -> None:
    command = [sys.executable, "-m", "streamlit", "run", "app.py", "--server.port", str(app.port)]
    done = subprocess.run(
        [*command, "--server.address", "0.0.0.0"],
        cwd=ROOT, env=app.environment(PATH=os.environ["PATH"]), capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert done.returncode != 0
    assert "ASSAY_ACCOUNTS is single, and the app would listen on 0.0.0.0" in done.stdout + done.stderr
    assert not app.home.exists()


def test_behind_a_trusted_proxy_pages_and_routes_know_who_asks(app: AppServer, browser: Browser) -> None:
    """Chromium sends the header as a proxy on this machine would, on the page's WebSocket too."""
    app.start(ASSAY_ACCOUNTS="proxy")
    context = browser.new_context(extra_http_headers={"X-Forwarded-User": "Ada"})
    window = context.new_page()
    window.goto(app.address)
    expect(window.get_by_test_id("who")).to_have_text("Ada")
    expect(window.get_by_test_id("sign-out")).to_be_hidden()
    expect(window.get_by_role("link", name="Accounts")).to_have_count(0)
    app.run("account", "role", "Ada", "lead")
    window.goto(f"{app.address}/accounts")
    expect(window.get_by_text("Ada", exact=False).first).to_be_visible()
    expect(window.get_by_role("link", name="Accounts")).to_be_visible()
    context.close()


def test_a_page_that_is_not_opened_through_the_proxy_shows_nothing(app: AppServer, browser: Browser) -> None:
    app.start(ASSAY_ACCOUNTS="proxy", ASSAY_TRUSTED_PROXIES="10.0.0.5")
    context = browser.new_context(extra_http_headers={"X-Forwarded-User": "lead", "X-Forwarded-For": "10.0.0.5"})
    window = context.new_page()
    window.goto(f"{app.address}/accounts")
    expect(window.get_by_test_id("sign-in")).to_contain_text("The proxy before Assay names nobody.")
    assert window.request.get(f"{app.address}/api/campaigns/1/state").status == 401
    context.close()
