// Overview and one failure at a time; everything from the server is put in as text, never as markup.

const FAULTS = ["server", "upstream", "caller"];
const POLL = 2000;
const $ = (id) => document.getElementById(id);

const state = { open: null, failure: null, etag: null, overview: null, live: true, rows: [] };

// --- building nodes -----------------------------------------------------------------------------

function node(tag, attributes = {}, ...children) {
  const made = tag.startsWith("svg:")
    ? document.createElementNS("http://www.w3.org/2000/svg", tag.slice(4))
    : document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (value !== null && value !== undefined && value !== false) made.setAttribute(name, value);
  }
  made.append(...children.filter((child) => child !== null && child !== undefined));
  return made;
}

const REDACTION = /\[redacted:[^\]]*\]/g;

function marked(text) {
  const parts = document.createDocumentFragment();
  let end = 0;
  for (const found of text.matchAll(REDACTION)) {
    parts.append(text.slice(end, found.index), node("mark", { title: "removed before it left" }, found[0]));
    end = found.index + found[0].length;
  }
  parts.append(text.slice(end));
  return parts;
}

function ago(seconds) {
  const past = Math.max(0, Math.round(Date.now() / 1000 - seconds));
  if (past < 60) return `${past} s ago`;
  if (past < 3600) return `${Math.round(past / 60)} min ago`;
  if (past < 86400) return `${Math.round(past / 3600)} h ago`;
  return `${Math.round(past / 86400)} d ago`;
}

const clock = (seconds) => new Date(seconds * 1000).toLocaleString();
const plural = (count, noun) => `${count.toLocaleString()} ${noun}${count === 1 ? "" : "s"}`;

// --- talking to the desk ------------------------------------------------------------------------

async function ask(path, headers = {}) {
  const token = sessionStorage.getItem("desk-token");
  if (token) headers.authorization = `Bearer ${token}`;
  const answer = await fetch(path, { headers, cache: "no-store" });
  if (answer.status === 401) {
    openDoor(token);
    throw new Error("it waits for its token");
  }
  return answer;
}

function openDoor(refused) {
  sessionStorage.removeItem("desk-token");
  $("door-said").textContent = refused ? "That was not it." : "";
  if (!$("door").open) $("door").showModal();
}

const FILTERS = ["text", "fault", "code", "target", "minutes"];

const filters = () => new URLSearchParams(FILTERS.map((id) => [id, $(id).value.trim()]).filter(([, value]) => value));

// In the address, so that a reload or a colleague sees the same.
const remember = () => history.replaceState(null, "", `?${filters()}${location.hash}`);

function recall() {
  for (const [id, value] of new URLSearchParams(location.search)) {
    if (!FILTERS.includes(id)) continue;
    if ($(id).tagName === "SELECT" && ![...$(id).options].some((option) => option.value === value)) $(id).append(node("option", { value }, value));
    $(id).value = value;
  }
}

async function refresh() {
  try {
    const answer = await ask(`api/overview?${filters()}`, state.etag ? { "if-none-match": state.etag } : {});
    if (answer.status === 304) return tick();
    state.overview = await answer.json();
    state.etag = answer.headers.get("etag");
    draw();
  } catch (error) {
    $("status").textContent = `The desk does not answer (${error.message}); trying again.`;
  }
}

async function again() {
  state.etag = null;
  remember();
  // Read out what a person asked for, not what comes in by itself.
  $("status").setAttribute("aria-live", "polite");
  await refresh();
  setTimeout(() => $("status").setAttribute("aria-live", "off"), 1000);
}

// --- the overview -------------------------------------------------------------------------------

function draw() {
  const { groups, rates, codes, targets } = state.overview;
  options("code", "Any code", codes);
  options("target", "Any tool", targets);
  drawTiles(rates);
  drawChart(rates);
  drawCodes(rates);
  drawGroups(groups);
  updateDetail(groups);
  tick();
}

function tick() {
  const { groups, rates, storage, dropped } = state.overview;
  const count = total(rates);
  const lost = dropped ? `; ${plural(dropped, "failure")} came too fast to be kept` : "";
  $("status").textContent = `${plural(count, "failure")} in ${plural(groups.length, "group")}, kept in ${storage}${lost}.`;
  for (const time of document.querySelectorAll("time[data-at]")) time.textContent = ago(time.dataset.at);
}

function options(id, any, values) {
  const select = $(id);
  const chosen = select.value;
  if (chosen && !values.includes(chosen)) values = [...values, chosen];
  if ([...select.options].slice(1).map((option) => option.value).join("\n") === values.join("\n")) return;
  select.replaceChildren(node("option", { value: "" }, any), ...values.map((value) => node("option", { value }, value)));
  select.value = chosen;
}

function total(rates, fault) {
  return rates.filter((rate) => !fault || rate.fault === fault).reduce((sum, rate) => sum + rate.count, 0);
}

function drawTiles(rates) {
  const words = { server: "ours: the server's own faults", upstream: "upstream: a service it depends on", caller: "the caller's to mend" };
  $("tiles").replaceChildren(
    node("div", { class: "tile" }, node("b", {}, total(rates).toLocaleString()), node("span", {}, "failures")),
    ...FAULTS.map((fault) =>
      node("div", { class: `tile ${fault}` }, node("b", {}, total(rates, fault).toLocaleString()), node("span", {}, words[fault])),
    ),
  );
}

// One slot per bar, oldest first; `place` of a rate is its slot.
function slots() {
  const { now, minutes, step } = state.overview;
  const first = Math.floor((now - minutes * 60) / step) * step;
  return { first, step, count: Math.ceil((now - first) / step), place: (rate) => Math.round((rate.time - first) / step) };
}

function drawChart(rates) {
  const { first, step, count, place } = slots();
  // As wide as it is shown: a scaled picture would scale its letters too.
  const [width, height, head, foot] = [Math.max(200, $("chart").clientWidth), 170, 16, 18];
  const stacks = Array.from({ length: count }, () => ({ server: 0, upstream: 0, caller: 0 }));
  for (const rate of rates) if (stacks[place(rate)]) stacks[place(rate)][rate.fault] += rate.count;
  // Even, so that half of it is a number of failures too.
  const most = 2 * Math.ceil(Math.max(2, ...stacks.map((stack) => stack.server + stack.upstream + stack.caller)) / 2);
  const slot = width / count;
  const chart = node("svg:svg", { viewBox: `0 0 ${width} ${height + foot}`, role: "img", "aria-label": summary(rates) });
  for (const share of [0, 0.5, 1]) {
    const y = height - share * (height - head);
    chart.append(node("svg:line", { x1: 0, x2: width, y1: y, y2: y, class: "grid" }));
    if (share) chart.append(node("svg:text", { x: 0, y: y - 4 }, (most * share).toLocaleString()));
  }
  stacks.forEach((stack, at) => {
    let y = height;
    for (const fault of FAULTS) {
      if (!stack[fault]) continue;
      const tall = Math.max(2, (stack[fault] / most) * (height - head));
      y -= tall;
      const bar = node("svg:rect", { x: at * slot + slot * 0.08, y, width: slot * 0.84, height: tall, rx: 1.5, class: `fill-${fault}` });
      bar.append(node("svg:title", {}, `${clock(first + at * step)}: ${stack[fault]} ${fault}`));
      chart.append(bar);
    }
  });
  const style = step * count > 86400 ? { weekday: "short", hour: "2-digit", minute: "2-digit" } : { hour: "2-digit", minute: "2-digit" };
  const time = (at) => new Date((first + at * step) * 1000).toLocaleString([], style);
  chart.append(
    node("svg:text", { x: 0, y: height + 14 }, time(0)),
    node("svg:text", { x: width / 2, y: height + 14, "text-anchor": "middle" }, time(Math.round(count / 2))),
    node("svg:text", { x: width, y: height + 14, "text-anchor": "end" }, "now"),
  );
  $("pace").textContent = `Failures per ${step < 60 ? `${step} seconds` : step === 60 ? "minute" : `${step / 60} minutes`}`;
  $("chart").replaceChildren(chart);
}

const summary = (rates) => FAULTS.map((fault) => `${total(rates, fault)} ${fault}`).join(", ");

function drawCodes(rates) {
  const { count, place } = slots();
  const byCode = new Map();
  for (const rate of rates) {
    const row = byCode.get(rate.code) ?? { code: rate.code, fault: rate.fault, count: 0, bars: new Array(count).fill(0) };
    row.count += rate.count;
    row.bars[place(rate)] += rate.count;
    byCode.set(rate.code, row);
  }
  const rows = [...byCode.values()].sort((one, other) => other.count - one.count);
  const most = Math.max(1, ...rows.flatMap((row) => row.bars));
  $("codes").replaceChildren(
    rows.length
      ? node("ul", { class: "codes" }, ...rows.map((row) => node("li", {}, codeRow(row, most))))
      : node("p", { class: "empty" }, "nothing failed"),
  );
}

function codeRow({ code, fault, count, bars }, most) {
  const spark = node("svg:svg", { viewBox: `0 0 ${bars.length} 24`, preserveAspectRatio: "none", "aria-hidden": "true" },
    node("svg:line", { x1: 0, x2: bars.length, y1: 23.5, y2: 23.5, class: "grid" }),
    ...bars.map((bar, at) => (bar ? node("svg:rect", { x: at + 0.08, y: 23 - Math.max(2, (21 * bar) / most), width: 0.84, height: Math.max(2, (21 * bar) / most), class: `fill-${fault}` }) : null)));
  return node("button", { type: "button", title: `Show only ${code}`, "aria-pressed": String($("code").value === code), onclick: () => choose("code", code) },
    node("span", {}, code), spark, node("b", {}, count.toLocaleString()));
}

function choose(id, value) {
  $(id).value = $(id).value === value ? "" : value;
  again();
}

function drawGroups(groups) {
  const focused = document.activeElement?.dataset?.fingerprint;
  state.rows = groups.map(groupRow);
  $("groups").replaceChildren(
    groups.length
      ? node("ul", {}, ...state.rows.map((row) => node("li", {}, row)))
      : node("p", { class: "empty" }, node("b", {}, "Nothing failed here."), "Failures show up as they happen; widen the range or clear the filters to see older ones."),
  );
  rowOf(focused)?.focus({ preventScroll: true });
}

const rowOf = (fingerprint) => state.rows.find((row) => row.dataset.fingerprint === fingerprint);

function groupRow(group) {
  const about = group.targets.join(", ");
  return node(
    "button",
    { type: "button", class: `group ${group.fault}`, "data-fingerprint": group.fingerprint, "aria-current": group.fingerprint === state.open ? "true" : null, onclick: () => (location.hash = `#/group/${group.fingerprint}`) },
    node("strong", {}, marked(group.message)),
    node("span", { class: "count", title: `${group.count} in all` }, group.recent.toLocaleString()),
    node("span", { class: "meta" },
      node("span", { class: `chip ${group.fault}` }, group.code),
      about ? node("code", {}, about) : null,
      group.type ? node("code", {}, group.type) : null,
      node("span", {}, "last ", node("time", { "data-at": group.last, title: clock(group.last) }, ago(group.last))),
      group.sessions ? node("span", {}, plural(group.sessions, "session")) : null),
  );
}

// --- one failure --------------------------------------------------------------------------------

async function route() {
  const [, kind, id] = location.hash.match(/^#\/(group|failure)\/([\w-]+)$/) ?? [];
  if (!kind) return close();
  // Whoever opened it with a key goes on reading there.
  const byKey = document.activeElement?.matches(".group:focus-visible");
  const answer = await ask(`api/${kind}s/${encodeURIComponent(id)}`);
  const found = await answer.json();
  if (!answer.ok) {
    drawDetail(node("p", { class: "empty" }, node("b", {}, "Not here."), found.error));
    return bringIntoView();
  }
  const group = kind === "group" ? found : await (await ask(`api/groups/${encodeURIComponent(found.fingerprint)}`)).json();
  open(group, kind === "failure" ? found : group.failures[0]);
  if (byKey) $("detail").focus({ preventScroll: true });
  bringIntoView();
}

function bringIntoView() {
  const { top } = $("detail").getBoundingClientRect();
  if (top < 0 || top > innerHeight / 2) $("detail").scrollIntoView({ block: "start" });
}

function open(group, failure) {
  state.open = group.fingerprint;
  state.failure = failure?.error_id;
  for (const row of state.rows) row.toggleAttribute("aria-current", false);
  rowOf(group.fingerprint)?.setAttribute("aria-current", "true");
  drawDetail(...(failure ? detail(group, failure) : [node("p", { class: "empty" }, "Its failures are no longer kept.")]));
}

function close() {
  const left = state.open;
  state.open = null;
  const wasInside = $("detail").contains(document.activeElement);
  $("detail").hidden = true;
  if (wasInside) rowOf(left)?.focus();
  document.querySelector(".split").classList.remove("open");
  for (const row of state.rows) row.removeAttribute("aria-current");
}

function drawDetail(...parts) {
  const shut = node("button", { type: "button", "aria-label": "Close", onclick: () => (location.hash = "") }, "✕");
  const [head, ...rest] = parts;
  $("detail").replaceChildren(node("header", {}, head, shut), ...rest);
  $("detail").hidden = false;
  document.querySelector(".split").classList.add("open");
  $("detail").scrollTop = 0;
}

function detail(group, failure) {
  return [
    node("h2", {}, marked(failure.title || failure.causes?.[0]?.message || failure.message)),
    node("p", { class: "what" }, node("span", { class: `chip ${failure.fault}` }, failure.code), node("code", {}, `${failure.method} ${failure.target ?? ""}`)),
    facts([
      ["Error id", node("code", {}, failure.error_id)],
      ["When", clock(failure.time)],
      ["Seen", node("span", { "data-of": "count" }, plural(group.count, "time"))],
      ["First seen", clock(group.first)],
      ["Last seen", node("span", { "data-of": "last" }, clock(group.last))],
      ["Affects", group.targets?.join(", ")],
      ["Sessions", sessions(group)],
      ["Reason", failure.reason],
      ["Decided by", failure.evidence],
      ["Request", failure.correlation_id ?? failure.request_id],
      ["Removed", redactions(failure)],
      ["Fingerprint", node("code", {}, failure.fingerprint)],
    ]),
    node("div", { class: "sides" }, side("What the agent saw", failure.answer), side("What the log has", logged(failure))),
    node("h3", {}, "Causes"),
    tree(failure.causes ?? []),
    node("h3", {}, "Latest of this group"),
    node("div", { class: "ids" }, ...group.failures.slice(0, 24).map((one) => failureLink(one, failure))),
    node("h3", {}, "Take it along"),
    actions(failure),
  ];
}

// What goes on changing while it is read.
function updateDetail(groups) {
  const group = groups.find((one) => one.fingerprint === state.open);
  const now = group && { count: plural(group.count, "time"), last: clock(group.last) };
  if (now) for (const shown of $("detail").querySelectorAll("[data-of]")) shown.textContent = now[shown.dataset.of];
}

function sessions({ sessions: count, session_ids: ids = [] }) {
  if (!count) return null;
  const short = ids.map((id) => (id.length > 9 ? `${id.slice(0, 8)}…` : id));
  return `${count.toLocaleString()}: ${short.join(", ")}${count > ids.length ? ", …" : ""}`;
}

const side = (title, text) => node("div", {}, node("h3", {}, title), node("pre", { tabindex: 0, role: "region", "aria-label": title }, marked(text)));

const failureLink = (one, shown) =>
  node("a", { href: `#/failure/${one.error_id}`, title: clock(one.time), "aria-current": one.error_id === shown.error_id ? "true" : null }, one.error_id);

const redactions = ({ redactions: removed }) =>
  removed ? Object.entries(removed).map(([kind, count]) => `${kind} ×${count}`).join(", ") : null;

function facts(pairs) {
  const there = pairs.filter(([, value]) => value !== null && value !== undefined && value !== "");
  return node("dl", { class: "facts" }, ...there.map(([name, value]) => node("div", {}, node("dt", {}, name), node("dd", {}, value))));
}

function logged(failure) {
  const line = Object.entries(failure).filter(([name]) => !["answer", "causes", "hint", "time", "title", "frames"].includes(name));
  const causes = (failure.causes ?? []).map((cause) => `${"  ".repeat(cause.depth)}${cause.type}: ${cause.message}`);
  return [...line.filter(([, value]) => value !== null).map(([name, value]) => `${name}: ${typeof value === "object" ? JSON.stringify(value) : value}`), "causes:", ...causes].join("\n");
}

const HOW = { raised: "raised", cause: "caused by", context: "while handling", suppressed: "hidden by the author", member: "one of several" };

function tree(causes) {
  const root = node("ul", { class: "tree" });
  const levels = [root];
  for (const cause of causes) {
    const item = node("li", {},
      node("span", { class: "type" }, cause.type), node("span", { class: "how" }, HOW[cause.relation] ?? cause.relation),
      node("div", { class: "said" }, marked(cause.message)),
      ...(cause.notes ?? []).map((note) => node("div", { class: "said" }, marked(note))),
      cause.frames ? node("div", { class: "frames" }, ...cause.frames.flatMap((frame) => [frame, node("br")])) : null);
    const parent = levels[Math.min(cause.depth, levels.length - 1)];
    parent.append(item);
    const below = node("ul");
    item.append(below);
    levels.length = Math.min(cause.depth, levels.length - 1) + 1;
    levels.push(below);
  }
  for (const list of root.querySelectorAll("ul")) if (!list.children.length) list.remove();
  return root;
}

function actions(failure) {
  const trace = state.overview?.trace_url && failure.trace_id ? state.overview.trace_url.replaceAll("{trace_id}", failure.trace_id) : null;
  return node("div", { class: "actions" },
    node("button", { type: "button", onclick: () => save(failure) }, "Export as JSON"),
    node("button", { type: "button", onclick: (event) => copy(event.target) }, "Copy the link"),
    trace && /^https?:/.test(trace) ? node("a", { href: trace, target: "_blank", rel: "noreferrer" }, "Open the trace") : null);
}

function save(failure) {
  const link = node("a", { href: URL.createObjectURL(new Blob([JSON.stringify(failure, null, 2)], { type: "application/json" })), download: `failure-${failure.error_id}.json` });
  link.click();
  URL.revokeObjectURL(link.href);
}

async function copy(button) {
  const link = new URL(`#/failure/${state.failure}`, location.href).href;
  try {
    await navigator.clipboard.writeText(link);
    button.textContent = "Copied";
  } catch {
    window.prompt("The link to this failure:", link);
  }
}

// --- what a person does ---------------------------------------------------------------------------

function move(by) {
  const place = state.rows.indexOf($("groups").contains(document.activeElement) ? document.activeElement : rowOf(state.open));
  state.rows[Math.min(state.rows.length - 1, Math.max(0, place + by))]?.focus();
}

function toggleLive() {
  state.live = !state.live;
  $("live").setAttribute("aria-pressed", String(state.live));
  if (state.live) refresh();
}

function toggleTheme() {
  const dark = document.documentElement.dataset.theme ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
  document.documentElement.dataset.theme = dark === "dark" ? "light" : "dark";
  localStorage.setItem("desk-theme", document.documentElement.dataset.theme);
}

const KEYS = {
  "/": () => $("text").focus(),
  j: () => move(1),
  k: () => move(-1),
  l: toggleLive,
  t: toggleTheme,
  "?": () => $("help").showModal(),
  Escape: () => (location.hash = ""),
};

document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && event.target.id === "text") event.target.blur();
  if (event.ctrlKey || event.metaKey || event.altKey || /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName) || document.querySelector("dialog[open]")) return;
  if (KEYS[event.key]) {
    event.preventDefault();
    KEYS[event.key]();
  }
});

let typing;
$("filters").addEventListener("submit", (event) => event.preventDefault());
$("filters").addEventListener("input", () => {
  clearTimeout(typing);
  typing = setTimeout(searched, 150);
});

function searched() {
  const text = $("text").value.trim();
  if (/^[0-9a-f]{12}$/.test(text)) location.hash = `#/failure/${text}`;
  again();
}

$("live").addEventListener("click", toggleLive);
$("theme").addEventListener("click", toggleTheme);
$("keys").addEventListener("click", KEYS["?"]);
$("door-form").addEventListener("submit", () => {
  sessionStorage.setItem("desk-token", $("token").value);
  $("token").value = "";
  again().then(follow);
});
const follow = () => route().catch((error) => drawDetail(node("p", { class: "empty" }, node("b", {}, "The desk does not answer."), error.message)));
addEventListener("hashchange", follow);
new ResizeObserver(() => state.overview && drawChart(state.overview.rates)).observe($("chart"));

const theme = localStorage.getItem("desk-theme");
if (theme) document.documentElement.dataset.theme = theme;
recall();
await again();
await follow();
setInterval(() => state.live && !document.hidden && !$("door").open && refresh(), POLL);
