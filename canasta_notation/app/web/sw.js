// Cache first, with one cache for each version. A new version is stored beside the old one and
// takes over when the person says so, or when no page is open.
const CACHE = "canasta-@VERSION@";
const SNAPSHOTS = "canasta-snapshots";
const FILES = @FILES@;
const TOTAL = FILES.reduce((sum, [, , size]) => sum + size, 0);
const HASH = "x-canasta-hash";

// A file of an older version, or of a first attempt that was interrupted, if it has not changed.
async function known(name, hash) {
  for (const key of await caches.keys()) {
    if (!key.startsWith("canasta-") || key === SNAPSHOTS) continue;
    const found = await (await caches.open(key)).match(name);
    if (found && found.headers.get(HASH) === hash) return found;
  }
  return null;
}

// What the page has just loaded is in the browser's own cache; if that is old, it does not match.
async function fetched(name, integrity) {
  try {
    return await fetch(name, { integrity, cache: "force-cache" });
  } catch {
    return fetch(name, { integrity, cache: "reload" });
  }
}

async function stored(cache, name, hash) {
  const old = await known(name, hash);
  if (old) return cache.put(name, old);
  const response = await fetched(name, hash);
  if (!response.ok) throw new Error(`${name}: ${response.status}`);
  const headers = { "content-type": response.headers.get("content-type") || "", [HASH]: hash };
  return cache.put(name, new Response(await response.arrayBuffer(), { headers }));
}

async function tell(message) {
  const pages = await self.clients.matchAll({ includeUncontrolled: true, type: "window" });
  for (const page of pages) page.postMessage(message);
}

async function install() {
  const cache = await caches.open(CACHE);
  let done = 0;
  await Promise.all(FILES.map(async ([name, hash, size]) => {
    await stored(cache, name, hash);
    done += size;
    await tell({ done, total: TOTAL });
  }));
}

async function activate() {
  for (const key of await caches.keys()) {
    if (key.startsWith("canasta-") && ![CACHE, SNAPSHOTS].includes(key)) await caches.delete(key);
  }
  await self.clients.claim();
}

async function respond(request) {
  const cache = await caches.open(CACHE);
  const url = new URL(request.url);
  url.search = url.hash = "";
  const home = url.href === self.registration.scope || url.href.endsWith("/index.html");
  return await cache.match(home ? self.registration.scope : url.href) || fetch(request);
}

self.addEventListener("install", (event) => event.waitUntil(install()));
self.addEventListener("activate", (event) => event.waitUntil(activate()));
self.addEventListener("message", ({ data }) => { if (data === "take over") self.skipWaiting(); });
self.addEventListener("fetch", (event) => {
  const { method, url } = event.request;
  const own = method === "GET" && new URL(url).origin === self.location.origin;
  if (own) event.respondWith(respond(event.request));
});
