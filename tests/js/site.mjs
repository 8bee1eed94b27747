// Looks at the site as its readers do: its address and the browser flow in, what they meet flows out as JSON.
import axe from "axe-core";
import { chromium } from "playwright-core";

const [, , address, executablePath, ...pages] = process.argv;
const DESKTOP = { width: 1280, height: 900 };
const PHONE = { width: 360, height: 740 };
const TABS = 20;

const browser = await chromium.launch({
  executablePath,
  args: [
    ..."--headless --no-sandbox --disable-gpu --disable-quic --no-first-run".split(" "),
    ..."--disable-background-networking --disable-component-update --disable-sync".split(" "),
  ],
});
const hosts = new Set();
const complaints = [];

async function visit(path, settings = {}) {
  const context = await browser.newContext({ viewport: DESKTOP, ...settings });
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const page = await context.newPage();
  page.on("request", (request) => hosts.add(new URL(request.url()).host));
  page.on("response", (response) => {
    if (response.status() >= 400) complaints.push(`${response.status()} ${response.url()}`);
  });
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) complaints.push(`${path}: ${message.text()}`);
  });
  page.on("pageerror", (error) => complaints.push(`${path}: ${error.message}`));
  await page.goto(address + path);
  // The script of the theme is at work once code can be copied and the search can be opened.
  await page.waitForFunction(() => document.documentElement.classList.contains("js"));
  return page;
}

/** Says where the reader stands: the address, and the heading that begins the visible part. */
async function arrival(page) {
  return page.evaluate(() => {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    const top = target?.getBoundingClientRect().top ?? -1;
    return {
      path: location.pathname + location.hash,
      heading: (target?.firstChild ? target : target?.parentElement)?.textContent.replace("¶", "").trim() ?? "",
      // Not behind the bar that stays at the top.
      visible: top >= document.querySelector(".md-header").getBoundingClientRect().bottom - 1 && top < innerHeight,
    };
  });
}

/** Waits until what a found section links to is on the screen. */
async function settled(page, href) {
  const { pathname, hash } = new URL(href, address);
  const wanted = pathname + hash;
  await page.waitForFunction((place) => location.pathname + location.hash === place, wanted);
  if (hash === "") return;
  await page.waitForFunction(() => {
    const top = document.getElementById(decodeURIComponent(location.hash.slice(1)))?.getBoundingClientRect().top;
    return top >= 0 && top < innerHeight;
  });
}

async function search(words) {
  const page = await visit("/");
  await page.locator(".md-search__button").click();
  await page.getByRole("combobox", { name: "Search" }).fill(words);
  const first = page.getByRole("option").first();
  await first.waitFor();
  const titles = await page.getByRole("option").getByRole("heading").allTextContents();
  const href = await first.getAttribute("href");
  await first.click();
  await settled(page, href);
  const found = { titles, ...(await arrival(page)) };
  await page.context().close();
  return found;
}

async function keyboard() {
  const page = await visit("/errors/");
  const focused = () => page.evaluate(() => document.activeElement.textContent.trim());
  await page.keyboard.press("Tab");
  const first = await focused();
  await page.keyboard.press("Enter");
  const skipped = await page.evaluate(() => document.activeElement.id || location.hash);
  await page.goto(`${address}/quickstart/`);
  let tabs = 0;
  while ((await focused()) !== "Search" && tabs < TABS) {
    await page.keyboard.press("Tab");
    tabs += 1;
  }
  await page.keyboard.press("Enter");
  await page.getByRole("combobox", { name: "Search" }).waitFor();
  await page.keyboard.type("operation took too long");
  // What is found changes with each letter; the last word is marked where it is found.
  await page.locator("[role=option] mark").getByText("long", { exact: true }).first().waitFor();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowUp");
  const chosen = page.getByRole("option", { selected: true });
  const href = await chosen.getAttribute("href");
  await page.keyboard.press("Enter");
  await settled(page, href);
  const found = { first, skipped, searchIsReached: tabs < TABS, ...(await arrival(page)) };
  await page.context().close();
  return found;
}

async function copied(path) {
  const page = await visit(path);
  const texts = [];
  for (const button of await page.locator(".md-content [data-md-type=copy]").all()) {
    if (!(await button.isVisible())) continue;
    await page.evaluate(() => navigator.clipboard.writeText(""));
    await button.click();
    await page.waitForFunction(async () => (await navigator.clipboard.readText()) !== "");
    texts.push(await page.evaluate(() => navigator.clipboard.readText()));
  }
  await page.context().close();
  return texts;
}

async function schemes() {
  const scheme = (page) => page.evaluate(() => document.body.dataset.mdColorScheme);
  const dark = await visit("/errors/", { colorScheme: "dark" });
  const bySystem = await scheme(dark);
  await dark.context().close();
  const page = await visit("/errors/", { colorScheme: "light" });
  const shown = [await scheme(page)];
  // From the system's to light, then to dark.
  for (const _ of [1, 2]) {
    await page.locator("[data-md-component=palette] label:not([hidden])").click();
    shown.push(await scheme(page));
  }
  const background = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  await page.reload();
  const kept = await scheme(page);
  await page.context().close();
  return { bySystem, shown, background, kept };
}

/** Returns what is wider than the screen of a phone, and does not scroll in itself. */
function tooWide() {
  const scrolls = (element) =>
    element !== null &&
    (["auto", "scroll", "hidden"].includes(getComputedStyle(element).overflowX) || scrolls(element.parentElement));
  const wide = [...document.querySelectorAll(".md-content *")].filter(
    (element) => element.getBoundingClientRect().right > innerWidth + 1 && !scrolls(element.parentElement),
  );
  const { scrollWidth } = document.documentElement;
  const whole = scrollWidth > innerWidth ? [`page: ${scrollWidth}`] : [];
  return [...whole, ...wide.map((element) => element.outerHTML.slice(0, 100))];
}

async function violations(page, options = {}) {
  const told = await page.evaluate((settings) => globalThis.axe.run(settings), {
    resultTypes: ["violations"],
    ...options,
  });
  return told.violations
    .filter(({ impact }) => ["serious", "critical"].includes(impact))
    .map(({ id, nodes }) => `${id}: ${nodes.slice(0, 3).map(({ html }) => html.slice(0, 200))}`);
}

/** Looks at a page in both colours and on a phone. */
async function inspected(path) {
  const page = await visit(path, { colorScheme: "light" });
  await page.evaluate(axe.source);
  const light = await violations(page);
  await page.emulateMedia({ colorScheme: "dark" });
  await page.waitForFunction(() => document.body.dataset.mdColorScheme === "slate");
  // Nothing but its colours has changed.
  const dark = await violations(page, { runOnly: ["color-contrast"] });
  await page.setViewportSize(PHONE);
  const phone = await page.evaluate(tooWide);
  await page.context().close();
  return { light, dark, phone };
}

const seen = {
  search: { number: await search("3001"), words: await search("rate limit"), message: await search("operation took too long") },
  keyboard: await keyboard(),
  copied: { "/errors/": await copied("/errors/"), "/quickstart/": await copied("/quickstart/") },
  schemes: await schemes(),
  deep: {},
  pages: {},
};
for (const path of ["/errors/#2002", "/errors#4001", "/errors/#PARSE_ERROR", "/diagnostics/#EG301"]) {
  const page = await visit(path);
  seen.deep[path] = await arrival(page);
  await page.context().close();
}
for (const path of pages) seen.pages[path] = await inspected(path);
console.log(JSON.stringify({ ...seen, hosts: [...hosts], complaints }));
await browser.close();
