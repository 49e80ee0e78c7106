// As much of a browser as the page and the application need, for tests without one: elements,
// selectors, events, addresses, and time that passes only when a test says so. It has no layout:
// every element has the size that a test gives it.
const VOID = new Set(["area", "br", "col", "hr", "img", "input", "link", "meta", "source", "wbr"]);
const RAW = new Set(["script", "style", "noscript", "title", "textarea"]);
const NAMED = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: "\u00a0" };
const decoded = (text) => text.replace(/&(?:#x([0-9a-f]+)|#(\d+)|(\w+));/gi, (whole, hex, ten, name) =>
  (hex ? String.fromCodePoint(parseInt(hex, 16)) : ten ? String.fromCodePoint(+ten) : NAMED[name] ?? whole));

// --- selectors ------------------------------------------------------------------------------------

// The parts of a text between separators that stand outside brackets.
function parted(text, separator) {
  const parts = [""];
  let depth = 0;
  for (const char of text) {
    depth += "([".includes(char) ? 1 : ")]".includes(char) ? -1 : 0;
    if (!depth && char === separator) parts.push("");
    else parts[parts.length - 1] += char;
  }
  return parts.map((each) => each.trim()).filter(Boolean);
}

const SIMPLE = /^(?:\*|([\w-]+)|#([\w-]+)|\.([\w-]+)|\[([\w-]+)(?:([\^$*]?)=(?:"([^"]*)"|'([^']*)'|([^\]]*)))?\]|:(not|is)\(((?:[^()]|\([^()]*\))*)\)|:(empty|checked))/;
const known = new Map();

// The test of one element, without its relatives.
function compound(text) {
  const tests = [];
  for (let rest = text; rest;) {
    const found = SIMPLE.exec(rest);
    if (!found) throw new Error(`the small browser does not know the selector ${text}`);
    const [whole, tag, id, kind, name, how, quoted, single, plain, group, inside, state] = found;
    const value = quoted ?? single ?? plain;
    if (tag) tests.push((it) => it.localName === tag);
    else if (id) tests.push((it) => it.id === id);
    else if (kind) tests.push((it) => it.classList.contains(kind));
    else if (group) {
      const matches = selector(inside);
      tests.push((it) => matches(it) === (group === "is"));
    } else if (state) tests.push((it) => (state === "empty" ? !it.childNodes.length : it.checked));
    else if (name) {
      tests.push((it) => {
        const held = it.getAttribute(name);
        if (held === null || value === undefined) return held !== null;
        return how === "^" ? held.startsWith(value) : how === "$" ? held.endsWith(value) : how ? held.includes(value) : held === value;
      });
    }
    rest = rest.slice(whole.length);
  }
  return (it) => tests.every((each) => each(it));
}

function selector(text) {
  if (!known.has(text)) known.set(text, any(parted(text, ",").map(chain)));
  return known.get(text);
}
const any = (tests) => (it) => tests.some((each) => each(it));

function chain(text) {
  const words = parted(text.replace(/\s*([>+])\s*(?![^([]*[)\]])/g, " $1 "), " ");
  const last = compound(words.pop());
  if (!words.length) return last;
  const how = ">+".includes(words.at(-1)) ? words.pop() : " ";
  const before = chain(words.join(" "));
  return (it) => {
    if (!last(it)) return false;
    if (how === "+") return Boolean(it.previousElementSibling) && before(it.previousElementSibling);
    for (let up = it.parentNode; up instanceof Element; up = up.parentNode) {
      if (before(up)) return true;
      if (how === ">") return false;
    }
    return false;
  };
}

// --- the document ---------------------------------------------------------------------------------

class Node {
  static TEXT_NODE = 3;
  nodeType = 0;
  parentNode = null;
  childNodes = [];
  handlers = {};

  get firstChild() { return this.childNodes[0] ?? null; }
  get lastChild() { return this.childNodes.at(-1) ?? null; }
  get isConnected() { return this.parentNode ? this.parentNode.isConnected : this instanceof Document; }
  get children() { return this.childNodes.filter((each) => each instanceof Element); }
  get textContent() { return this.childNodes.map((each) => each.textContent).join(""); }
  set textContent(text) { this.replaceChildren(...(String(text) ? [String(text)] : [])); }

  insert(place, given) {
    const nodes = given.map((each) => (each instanceof Node ? each : new Text(String(each))));
    const next = this.childNodes.slice(place).find((each) => !nodes.includes(each));
    nodes.forEach((each) => each.remove());
    const at = next ? this.childNodes.indexOf(next) : this.childNodes.length;
    this.childNodes.splice(at, 0, ...nodes);
    nodes.forEach((each) => { each.parentNode = this; });
  }
  append(...nodes) { this.insert(this.childNodes.length, nodes); }
  prepend(...nodes) { this.insert(0, nodes); }
  replaceChildren(...nodes) {
    this.childNodes.forEach((each) => { each.parentNode = null; });
    this.childNodes = [];
    this.append(...nodes);
  }
  get place() { return this.parentNode.childNodes.indexOf(this); }
  before(...nodes) { this.parentNode.insert(this.place, nodes); }
  after(...nodes) { this.parentNode.insert(this.place + 1, nodes); }
  replaceWith(...nodes) {
    this.before(...nodes);
    this.remove();
  }
  remove() {
    if (!this.parentNode) return;
    this.parentNode.childNodes.splice(this.place, 1);
    this.parentNode = null;
  }
  // The first element inside that passes a test, or null.
  found(matches) {
    for (const each of this.childNodes) {
      if (each.nodeType !== 1) continue;
      if (matches(each)) return each;
      const inside = each.found(matches);
      if (inside) return inside;
    }
    return null;
  }
  querySelector(text) { return this.found(selector(text)); }
  querySelectorAll(text) {
    const [found, matches] = [[], selector(text)];
    this.found((each) => { if (matches(each)) found.push(each); });
    return found;
  }
  addEventListener(kind, work) { (this.handlers[kind] ??= []).push(work); }
  handle(event) {
    this[`on${event.type}`]?.(event);
    for (const each of this.handlers[event.type] || []) each(event);
  }
}

class Text extends Node {
  nodeType = 3;
  constructor(data) {
    super();
    this.data = data;
  }
  get textContent() { return this.data; }
  cloneNode() { return new Text(this.data); }
}

const dashed = (name) => `data-${name.replace(/[A-Z]/g, (each) => `-${each.toLowerCase()}`)}`;
const REFLECTED = { className: "class", id: "id", title: "title", lang: "lang", type: "type", tabIndex: "tabindex" };
const FLAGS = ["hidden", "disabled", "open"];

class Element extends Node {
  nodeType = 1;
  attributes = new Map();
  value = "";
  checked = false;
  scrollTop = 0;
  constructor(name, document) {
    super();
    this.localName = name;
    this.ownerDocument = document;
    const { attributes } = this;
    this.dataset = new Proxy({}, {
      get: (_, key) => attributes.get(dashed(key)),
      set: (_, key, value) => { attributes.set(dashed(key), String(value)); return true; },
      has: (_, key) => attributes.has(dashed(key)),
      deleteProperty: (_, key) => { attributes.delete(dashed(key)); return true; },
    });
    const names = () => (attributes.get("class") || "").split(/\s+/).filter(Boolean);
    const write = (held) => attributes.set("class", held.join(" "));
    this.classList = {
      contains: (name) => names().includes(name),
      add: (...more) => write([...new Set([...names(), ...more])]),
      remove: (...less) => write(names().filter((each) => !less.includes(each))),
      toggle: (name, wanted = !names().includes(name)) =>
        (wanted ? this.classList.add(name) : this.classList.remove(name)),
    };
    this.styles = {};
    this.style = { setProperty: (name, value) => { this.styles[name] = String(value); } };
  }
  get tagName() { return this.localName.toUpperCase(); }
  getAttribute(name) { return this.attributes.get(name) ?? null; }
  setAttribute(name, value) { this.attributes.set(name, String(value)); }
  removeAttribute(name) { this.attributes.delete(name); }
  hasAttribute(name) { return this.attributes.has(name); }
  matches(text) { return selector(text)(this); }
  closest(text) {
    for (let it = this; it instanceof Element; it = it.parentNode) if (it.matches(text)) return it;
    return null;
  }
  get siblings() { return this.parentNode?.children ?? [this]; }
  get previousElementSibling() { return this.siblings[this.siblings.indexOf(this) - 1] ?? null; }
  get nextElementSibling() { return this.siblings[this.siblings.indexOf(this) + 1] ?? null; }
  get href() { return this.getAttribute("href") ?? ""; }
  set href(value) { this.setAttribute("href", value); }
  get hash() { return this.href.includes("#") ? this.href.slice(this.href.indexOf("#")) : ""; }
  set innerHTML(text) {
    this.replaceChildren();
    parsed(text, this, this.ownerDocument);
  }
  cloneNode(deep) {
    const copy = new Element(this.localName, this.ownerDocument);
    for (const [name, value] of this.attributes) copy.attributes.set(name, value);
    if (deep) copy.append(...this.childNodes.map((each) => each.cloneNode(true)));
    return copy;
  }
  get clientWidth() { return this.ownerDocument.size(this).width; }
  get clientHeight() { return this.ownerDocument.size(this).height; }
  get scrollWidth() { return this.clientWidth; }
  get scrollHeight() { return this.clientHeight; }
  get offsetHeight() { return this.clientHeight; }
  get offsetTop() { return 0; }
  getBoundingClientRect() {
    const { width, height } = this.ownerDocument.size(this);
    return { left: 0, top: 0, right: width, bottom: height, width, height };
  }
  scrollIntoView() { this.ownerDocument.scrolled = this; }
  focus() { this.ownerDocument.activeElement = this; }
  setPointerCapture() { this.captured = true; }
  hasPointerCapture() { return Boolean(this.captured); }
  select() {}
  setSelectionRange(start, end) { Object.assign(this, { selectionStart: start, selectionEnd: end }); }
  showModal() { this.open = true; }
  close() { this.open = false; }
  click() { this.fire("click"); }
  fire(type, more = {}) {
    const event = { type, target: this, prevented: false, ...more };
    event.preventDefault = () => { event.prevented = true; };
    for (let it = this; it; it = it.parentNode) it.handle(event);
    if (this.isConnected) this.ownerDocument.window.handle(event);
    const link = type === "click" && !event.prevented && this.closest("a[href]");
    if (link && link.hash !== "" && !link.download) this.ownerDocument.location.hash = link.hash;
    return event;
  }
  // Tables.
  get tHead() { return this.querySelector("thead"); }
  get tBodies() { return this.querySelectorAll("tbody"); }
  get rows() { return this.querySelectorAll("tr"); }
  set rows(number) { this.setAttribute("rows", number); }
  get cells() { return this.children; }
  get cellIndex() { return this.siblings.indexOf(this); }
}
for (const [name, attribute] of Object.entries(REFLECTED)) {
  Object.defineProperty(Element.prototype, name, {
    get() { return this.getAttribute(attribute) ?? ""; },
    set(value) { this.setAttribute(attribute, value); },
  });
}
for (const name of FLAGS) {
  Object.defineProperty(Element.prototype, name, {
    get() { return this.hasAttribute(name); },
    set(value) {
      if (value) this.setAttribute(name, "");
      else this.removeAttribute(name);
    },
  });
}

class Document extends Node {
  styleSheets = [{ rules: [], insertRule(rule) { this.rules.push(rule); } }];
  title = "";
  size = () => ({ width: 0, height: 0 });
  get documentElement() { return this.children[0]; }
  get body() { return this.querySelector("body"); }
  // What an address names is looked for first where it was found before.
  places = new Map();
  querySelector(text) {
    const held = this.places.get(text);
    if (held?.isConnected && `#${held.id}` === text) return held;
    const found = super.querySelector(text);
    this.places.set(text, found);
    return found;
  }
  getElementById(id) { return this.querySelector(`#${id}`); }
  createElement(name) { return new Element(name, this); }
  createElementNS(_, name) { return new Element(name, this); }
}

// Where an element can begin: whatever else is open ends before it.
const INSIDE = { tr: /^(table|thead|tbody)$/, td: /^tr$/, th: /^tr$/, li: /^[uo]l$/, dt: /^dl$/, dd: /^dl$/ };

// Puts what a text in HTML says into an element.
function parsed(text, into, document) {
  const open = [into];
  const token = /<!--[^]*?-->|<!DOCTYPE[^>]*>|<\/([\w-]+)\s*>|<([\w-]+)((?:\s+[^\s=>/]+(?:=(?:"[^"]*"|'[^']*'|[^\s>]*))?)*)\s*(\/?)>/gi;
  let at = 0;
  const write = (end) => { if (end > at) open.at(-1).append(new Text(decoded(text.slice(at, end)))); };
  for (let found = token.exec(text); found; found = token.exec(text)) {
    write(found.index);
    at = token.lastIndex;
    const [, closed, name, given, alone] = found;
    if (closed) {
      while (open.length > 1 && open.pop().localName !== closed);
    } else if (name) {
      const element = new Element(name, document);
      for (const [, key, one, two, three] of given.matchAll(/([^\s=>/]+)(?:=(?:"([^"]*)"|'([^']*)'|(\S*)))?/g)) {
        element.setAttribute(key, decoded(one ?? two ?? three ?? ""));
      }
      while (INSIDE[name] && open.length > 1 && !INSIDE[name].test(open.at(-1).localName)) open.pop();
      element.value = element.getAttribute("value") ?? "";
      open.at(-1).append(element);
      if (RAW.has(name)) {
        const end = text.indexOf(`</${name}>`, at);
        if (end > at) element.append(new Text(name === "title" ? decoded(text.slice(at, end)) : text.slice(at, end)));
        at = end + name.length + 3;
        token.lastIndex = at;
      } else if (!VOID.has(name) && !alone) open.push(element);
    }
  }
  write(text.length);
}

// --- the window -----------------------------------------------------------------------------------

// What a script of an address sees: globals, with `settle` and `pass` for the test.
export function browser(html, address, { languages = ["en"], ...more } = {}) {
  const document = new Document();
  const window = new Node();
  const [base, fragment = ""] = address.split("#");
  const tasks = [];
  const timers = new Map();
  let clock = 0;
  let timer = 0;
  let hash = fragment && `#${fragment}`;
  const location = {
    protocol: `${base.split(":")[0]}:`,
    get href() { return base + hash; },
    get hash() { return hash; },
    set hash(value) {
      const next = value && value !== "#" ? `#${value.replace(/^#/, "")}` : "";
      if (next === hash) return;
      hash = next;
      tasks.push(() => window.handle({ type: "hashchange" }));
    },
    replace(to) { location.hash = to; },
    reload() { window.reloaded = true; },
  };
  const later = (work, after, every) => {
    timer += 1;
    timers.set(timer, { work, at: clock + after, every });
    return timer;
  };
  const forget = (id) => timers.delete(id);
  Object.assign(document, { window, location });
  parsed(html, document, document);
  document.activeElement = document.body;
  const held = [];
  window.saved = held;
  const globals = {
    window, document, location, Node, console, Blob,
    history: { replaceState: (_, __, to) => { hash = to.slice(to.indexOf("#")); } },
    navigator: { languages, clipboard: { writeText: async (text) => { held.push(["copied", text]); } } },
    addEventListener: (kind, work) => window.addEventListener(kind, work),
    scrollTo: () => {},
    print: () => held.push(["printed"]),
    setTimeout: (work, after = 0) => later(work, after, 0),
    setInterval: (work, every) => later(work, every, every),
    clearTimeout: forget,
    clearInterval: forget,
    Image: class {
      set src(value) {
        held.push(["painted", value]);
        tasks.push(() => this.onload());
      }
    },
    Option: function option(text, value, _, chosen) {
      const made = document.createElement("option");
      made.append(String(text));
      made.value = String(value);
      if (chosen) tasks.push(() => { made.parentNode.value = made.value; });
      return made;
    },
    ...more,
  };
  return {
    ...globals,
    globals,
    // Runs what waits, without letting time pass.
    settle() { while (tasks.length) tasks.shift()(); },
    // Lets milliseconds pass.
    pass(by) {
      const end = clock + by;
      for (;;) {
        const due = [...timers].filter(([, each]) => each.at <= end).sort(([, one], [, two]) => one.at - two.at)[0];
        if (!due) break;
        const [id, each] = due;
        clock = each.at;
        if (each.every) each.at += each.every;
        else timers.delete(id);
        each.work();
      }
      clock = end;
    },
  };
}
