"""What the small forms of sign-in and passwords share: their look, and how they call a route."""

from __future__ import annotations

FORM_CSS = """
.box { max-width: 26rem; margin: 12vh auto 0; padding: 2rem 2.25rem; border: 1px solid color-mix(in srgb, currentColor 18%, transparent);
  border-radius: 10px; font: 16px/1.5 system-ui, sans-serif; color: var(--st-text-color); }
.box.inline { margin: 0; }
h1 { margin: 0 0 .25rem; font-size: 1.6rem; font-weight: 650; letter-spacing: -.01em; }
p { margin: 0 0 1rem; } label { display: block; font-weight: 600; margin-bottom: .3rem; }
input { width: 100%; box-sizing: border-box; font: inherit; padding: .55rem .7rem; border-radius: 6px; margin-bottom: .8rem;
  border: 1px solid color-mix(in srgb, currentColor 45%, transparent); background: var(--st-background-color); color: inherit; }
input:focus-visible, button:focus-visible, a:focus-visible { outline: 3px solid var(--st-primary-color); outline-offset: 1px; }
.hint { margin: 0 0 1rem; font-size: .86rem; opacity: .8; }
.error { color: #B3261E; font-weight: 600; }
button, a.go { display: inline-block; font: inherit; font-weight: 600; padding: .55rem 1.3rem; border: 0; border-radius: 6px;
  background: var(--st-primary-color); color: #fff; cursor: pointer; text-decoration: none; }
"""

CALL = """
async function call(method, address, body) {
  const response = await fetch(address, {
    method, headers: {"Content-Type": "application/json", "X-Assay": "1"}, body: body && JSON.stringify(body),
  });
  const answer = await response.json().catch(() => ({error: "The server did not answer. Is it running?"}));
  if (!response.ok) throw new Error(answer.error);
}
"""

#: A form sends its fields to the route that it names. Two fields that must be the same are told apart by `data-again`.
FORM_JS = (
    CALL
    + """
export default function(component) {
  const form = component.parentElement.querySelector("form");
  const error = form.querySelector(".error");
  const hint = form.querySelector("[data-testid=sign-in-hint]");
  if (hint) hint.textContent = component.data.hint;
  if (!form.dataset.begun) form.querySelector("input").focus();
  form.dataset.begun = "1";
  form.onsubmit = async (event) => {
    event.preventDefault();
    const button = form.querySelector("button");
    button.disabled = true;
    error.hidden = true;
    try {
      const again = form.querySelector("[data-again]");
      if (again && again.value !== form.elements[again.dataset.again].value)
        throw new Error("The two new passwords differ: type the same one twice.");
      const inputs = [...form.querySelectorAll("input")].filter((each) => each !== again);
      await call(form.dataset.method, form.dataset.address, Object.fromEntries(inputs.map((each) => [each.name, each.value])));
      if (component.data.next) location.assign(component.data.next);
      else location.reload();
    } catch (problem) {
      error.textContent = problem.message;
      error.hidden = false;
      button.disabled = false;
    }
  };
}
"""
)
