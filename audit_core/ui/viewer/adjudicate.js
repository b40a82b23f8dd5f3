// The adjudication page's own start: mounts the surface with what the page's element says.

import { mount } from "./adjudication.js";
import { viewOf } from "./link.js";

const host = document.getElementById("host");
const { campaign, entry, home, filter } = host.dataset;
mount(host, { campaign: Number(campaign), entry: entry ? Number(entry) : null, filter: filter || null, home, view: viewOf(host.dataset) });
