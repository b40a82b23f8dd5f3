// The judging page's own start: mounts the surface with what the page's element says.

import { viewOf } from "./link.js";
import { mount } from "./main.js";

const host = document.getElementById("host");
const { campaign, entry, home, look } = host.dataset;
mount(host, { campaign: Number(campaign), entry: entry ? Number(entry) : null, home, view: viewOf(host.dataset), look: look === "1" });
