"use strict";
// The page shows what Python has worked out: tables, words and figures. No rule stands here.
(() => {
  const find = (selector, within = document) => within.querySelector(selector);
  const data = JSON.parse(find("#data").textContent);
  const SUITS = { s: "spades", h: "hearts", d: "diamonds", c: "clubs" };
  const RANKS = { T: "10", J: "jack", Q: "queen", K: "king", A: "ace" };
  const KINDS = { n: "natural", m: "mixed", w: "wild" };

  // --- the positions: every table of every deal of every game ---------------------------------

  const spots = [];
  data.games.forEach((game, g) => game.deals.forEach((deal, d) => {
    deal.first = spots.length;
    for (let turn = 0; turn <= deal.changes.length; turn += 1) spots.push({ g, d, turn });
  }));
  let at = 0;
  let view = data.games[0].view;
  let shownDeal = null;

  const tables = (deal) => {
    if (!deal.tables && deal.start) {
      let fields = deal.start.split(" ");
      deal.tables = [fields];
      for (const line of deal.changes) {
        fields = [...fields];
        for (const change of line ? line.split(" ") : []) splice(fields, change);
        deal.tables.push(fields);
      }
    }
    return deal.tables || [];
  };

  const splice = (fields, change) => {
    const place = parseInt(change[0], 36);
    if (change[1] === "=") {
      fields[place] = change.slice(2);
      return;
    }
    const [, before, after, text] = /^(\d+),(\d+),(.*)$/.exec(change.slice(1));
    const old = fields[place];
    fields[place] = old.slice(0, +before) + text + old.slice(old.length - after);
  };

  // --- elements -------------------------------------------------------------------------------

  const make = (tag, name, ...children) => {
    const element = document.createElement(tag);
    if (name) element.className = name;
    element.append(...children);
    return element;
  };
  const symbol = (name) => {
    const space = "http://www.w3.org/2000/svg";
    const svg = document.createElementNS(space, "svg");
    const use = document.createElementNS(space, "use");
    use.setAttribute("href", "#" + name);
    svg.append(use);
    return svg;
  };
  const rank = (text) => (text[0] === "T" ? "10" : text[0]);
  const spoken = (text) => {
    if (text === "*") return "joker";
    if (text === "_") return "unknown card";
    const name = RANKS[text[0]] || text[0];
    if (text[1] === "r" || text[1] === "b") return (text[1] === "r" ? "red " : "black ") + name;
    return SUITS[text[1]] ? name + " of " + SUITS[text[1]] : name;
  };
  const card = (text, fresh) => {
    if (text === "_") return make("span", "card back");
    const face = make("span", "card" + (/[hdr]$/.test(text) ? " red" : "") + (fresh ? " fresh" : ""));
    if (text === "*") {
      face.classList.add("joker");
      face.append(symbol("j"));
    } else {
      face.append(make("b", text[0] === "T" ? "ten" : "", rank(text)));
      if (SUITS[text[1]]) face.append(symbol(text[1]));
    }
    return face;
  };
  // Cards that were not there a turn ago.
  const fresh = (now, then) => {
    const left = [...(then || "")];
    return [...now].map((char) => {
      const place = left.indexOf(char);
      if (place >= 0) left.splice(place, 1);
      return place < 0;
    });
  };
  const cards = (chars, then) => {
    const news = then === null ? [] : fresh(chars, then);
    return [...chars].map((char, place) => card(data.cards[char], news[place]));
  };
  const names = (chars) => [...chars].map((char) => data.cards[char]);
  const row = (name, label, ...children) => {
    const element = make("div", name, ...children);
    element.setAttribute("role", "img");
    element.setAttribute("aria-label", label);
    return element;
  };
  const plural = (count, noun) => count + " " + noun + (count === 1 ? "" : "s");

  // --- the table ------------------------------------------------------------------------------

  const layout = (game) => {
    const seats = game.seats.length;
    return { sides: seats, pile: seats + game.sides.length * 4 };
  };

  const seatBox = (game, place, now, then, kind) => {
    const seat = game.seats[place];
    const hidden = kind !== "end" && view && view !== seat && !game.view;
    const unknown = Object.keys(data.cards).find((char) => data.cards[char] === "_");
    const held = hidden ? unknown.repeat(now[place].length) : now[place];
    const known = names(held).filter((text) => text !== "_");
    const due = now[layout(game).pile + 3] === seat;
    const box = make("section", "seat" + (due ? " due" : ""));
    box.dataset.seat = seat;
    box.dataset.hand = known.join(" ");
    box.dataset.count = now[place].length;
    const head = make("h3", "", make("b", "", seat), " ", make("bdi", "", game.names[place] === seat ? "" : game.names[place]));
    head.append(make("span", "count", String(now[place].length)));
    if (due) head.append(make("span", "badge", "to play"));
    const more = now[place].length - known.length;
    const label = [known.map(spoken).join(", "), more ? plural(more, known.length ? "more card" : "card") + " not shown" : ""];
    box.append(head, row("hand", label.filter(Boolean).join(", ") || "no cards", ...cards(held, hidden || !then ? null : then[place])));
    return box;
  };

  const meldBox = (meld, then) => {
    const kind = KINDS[meld[1].toLowerCase()];
    const chars = meld.slice(2);
    const text = names(chars);
    const box = make("div", "meld" + (kind ? " canasta " + kind : ""));
    box.dataset.meld = meld[0];
    box.dataset.cards = text.join(" ");
    if (kind) box.dataset.canasta = kind;
    const concealed = kind && meld[1] !== meld[1].toLowerCase();
    const words = (concealed ? "concealed " : "") + (kind ? kind + " canasta" : "");
    const label = plural(text.length, "card") + ": " + text.map(spoken).join(", ");
    const news = then === null ? null : then;
    const drawn = kind ? cards(chars, news).slice(-1) : cards(chars, news);
    if (kind && news !== null && chars.length !== news.length) drawn[0].classList.add("fresh");
    box.append(row("stack", words ? words + ", " + label : label, ...drawn));
    box.append(make("span", "size", String(text.length)));
    if (kind) box.append(make("span", "kind", (concealed ? "concealed " : "") + kind));
    return box;
  };

  const sideBox = (game, place, now, then, kind) => {
    const side = game.sides[place];
    const field = layout(game).sides + place * 4;
    const [melds, threes, points, words] = now.slice(field, field + 4);
    const old = new Map((then ? then[field] : "").split(".").filter(Boolean).map((meld) => [meld[0], meld.slice(2)]));
    const box = make("section", "side side" + place);
    box.dataset.side = side;
    box.dataset.threes = names(threes).join(" ");
    const score = view && kind !== "end" ? "" : points;
    box.dataset.points = score;
    const head = make("h3", "", make("b", "", side));
    head.append(make("small", "", game.texts[words] || ""));
    const due = now[layout(game).pile + 3];
    if (score !== "" && (then || !due)) head.append(make("span", "points", "this deal " + (due ? "so far " : "") + (+score).toLocaleString("en")));
    const list = make("div", "melds", ...melds.split(".").filter(Boolean).map((meld) => meldBox(meld, then ? old.get(meld[0]) || "" : null)));
    if (threes) {
      const tabled = make("div", "meld threes");
      tabled.append(row("stack", "tabled: " + names(threes).map(spoken).join(", "), ...cards(threes, then ? then[field + 1] : null)));
      tabled.append(make("span", "kind", "threes"));
      list.append(tabled);
    }
    if (!list.children.length) list.append(make("p", "none", "no melds yet"));
    box.append(head, list);
    return box;
  };

  const centre = (game, now, then) => {
    const [pile, words, stock, due, remarks] = now.slice(layout(game).pile);
    const middle = make("section", "centre");
    const stockBox = make("div", "stock", make("span", "card back"), make("span", "size", stock.replace("-", "–")), make("small", "", "stock"));
    stockBox.dataset.stock = stock;
    const top = names(pile).pop() || "";
    const pileBox = make("div", "pile");
    pileBox.dataset.pile = "";
    pileBox.dataset.top = top;
    pileBox.dataset.count = pile.length;
    pileBox.dataset.cards = names(pile).join(" ");
    const label = top ? "top " + spoken(top) + ", " + plural(pile.length, "card") : "empty pile";
    pileBox.append(row("stack" + (pile.length > 1 ? " deep" : ""), label, top ? card(top, then && then[layout(game).pile] !== pile) : make("span", "card empty")));
    pileBox.append(make("span", "size", String(pile.length)), make("small", "", "pile"));
    const state = make("p", "frost", (game.texts[words] || ""));
    middle.append(make("div", "decks", stockBox, pileBox), state);
    if (remarks) middle.append(make("p", due ? "frost" : "over", game.texts[remarks]));
    if (pile.length > 1) middle.append(row("under", "the pile, bottom card first: " + names(pile).map(spoken).join(", "), ...cards(pile, null)));
    return middle;
  };

  const STARTS = { play: "as dealt", end: "the table at the end", scores: "scores only", none: "no play to show" };

  const heading = (spot) => {
    const game = data.games[spot.g];
    const deal = game.deals[spot.d];
    const where = data.games.length > 1 ? "Game " + (spot.g + 1) + ", deal " : "Deal ";
    const turn = spot.turn ? "turn " + spot.turn + " of " + deal.turns : STARTS[deal.kind];
    return where + (spot.d + 1) + " of " + game.deals.length + ", " + turn;
  };

  const section = (spot) => document.getElementById("game=" + (spot.g + 1) + "&deal=" + (spot.d + 1));
  const line = (spot) => (spot.turn ? find(".turns", section(spot)).children[spot.turn - 1] : null);

  // What was done, with what one seat may not know left out.
  const told = (spot) => {
    const item = line(spot);
    if (!item) return null;
    const copy = item.cloneNode(true);
    copy.querySelectorAll("b").forEach((name) => name.removeAttribute("tabindex"));
    if (item.classList.contains("other")) {
      copy.querySelectorAll("u").forEach((hidden) => { hidden.textContent = "(unseen)"; });
      copy.querySelectorAll("q, em, .finding").forEach((secret) => secret.remove());
    }
    return copy;
  };

  const HINTS = {
    play: "Step through the deal with the arrow keys or the buttons under the table.",
    end: "Only the table at the end of this deal was recorded.",
    scores: "Only the scores of this deal were recorded.",
    none: "The play of this deal cannot be shown.",
  };

  const happened = (spot) => {
    const copy = told(spot);
    if (!copy) return make("p", "happened", HINTS[data.games[spot.g].deals[spot.d].kind]);
    copy.querySelectorAll(".finding").forEach((found) => { found.dataset.finding = found.dataset.code; });
    const box = make("div", "happened");
    box.append(...copy.childNodes);
    return box;
  };

  const sentence = (spot) => {
    const copy = told(spot);
    if (!copy) return heading(spot) + ".";
    copy.querySelectorAll(".finding .source, .finding small").forEach((more) => more.remove());
    copy.querySelectorAll("q, em, i, .finding").forEach((part) => part.prepend(". "));
    const text = copy.textContent.replace(/([0-9TJQKA]+)([♠♥♦♣])/g, (_, first, suit) => spoken((first === "10" ? "T" : first) + "shdc"["♠♥♦♣".indexOf(suit)]));
    return heading(spot) + ": " + text + ".";
  };

  const show = (quiet) => {
    const spot = spots[at];
    const game = data.games[spot.g];
    const deal = game.deals[spot.d];
    const [now, then] = [tables(deal)[spot.turn], tables(deal)[spot.turn - 1]];
    const position = find("#position");
    Object.assign(position.dataset, { game: spot.g + 1, deal: spot.d + 1, turn: spot.turn });
    showDeal(spot);
    find("#where").textContent = heading(spot);
    const felt = make("div", "felt seats" + game.seats.length + " " + deal.kind);
    if (now) {
      for (let place = 0; place < game.seats.length; place += 1) felt.append(seatBox(game, place, now, then, deal.kind));
      felt.append(centre(game, now, then));
      for (let place = 0; place < game.sides.length; place += 1) felt.append(sideBox(game, place, now, then, deal.kind));
    }
    position.replaceChildren(happened(spot), felt);
    const slider = find("#slider");
    slider.max = deal.changes.length;
    slider.value = spot.turn;
    slider.setAttribute("aria-valuetext", heading(spot));
    const [shown, next] = [view ? "as " + view + " sees it" : "all cards", nextView()];
    find("#view").textContent = shown;
    find("#view").hidden = !deal.hands;
    find("#view").setAttribute("aria-label", shown + (game.view ? "" : ": show " + (next ? "what " + next + " sees" : "all cards")));
    const viewer = find("#viewer");
    viewer.style.top = Math.min(0, innerHeight - viewer.offsetHeight) + "px";
    mark(spot);
    // Still focusable, so that the keyboard does not lose its place at the end.
    document.querySelectorAll("[data-go]").forEach((button) => {
      const place = clamp(GO[button.dataset.go](), 0, spots.length - 1);
      button.setAttribute("aria-disabled", place === at);
    });
    if (!quiet) find("#said").textContent = sentence(spot);
  };

  // --- the record beside the table ------------------------------------------------------------

  const showDeal = (spot) => {
    const shown = section(spot);
    if (shown !== shownDeal) {
      document.querySelectorAll(".game, .deal").forEach((each) => { each.hidden = !each.contains(shown) && each !== shown; });
      shownDeal = shown;
      paintSuits(shown);
    }
    const game = data.games[spot.g];
    document.body.classList.toggle("one-seat", view !== "" && !game.view);
    [...(find(".turns", shown) || { children: [] }).children].forEach((item, place) => {
      const other = view !== "" && !game.view && game.deals[spot.d].seats[place] !== view;
      if (item.classList.contains("other") !== other) hide(item, other);
    });
  };

  const hide = (item, other) => {
    item.classList.toggle("other", other);
    item.querySelectorAll("u").forEach((hidden) => {
      if (!hidden.dataset.cards) hidden.dataset.cards = hidden.textContent;
      hidden.textContent = other ? "(unseen)" : hidden.dataset.cards;
    });
  };

  const paintSuits = (shown) => shown.querySelectorAll(".turns li, .score small").forEach((item) => {
    for (const node of [...item.childNodes, ...[...item.querySelectorAll("u")].flatMap((each) => [...each.childNodes])]) {
      if (node.nodeType !== Node.TEXT_NODE || !/[♥♦]/.test(node.data)) continue;
      node.replaceWith(...node.data.split(/((?:10|[2-9JQKA])[♥♦])/).map((part, place) => (place % 2 ? make("span", "red", part) : part)));
    }
  });

  const mark = (spot) => {
    document.querySelectorAll(".turns .here").forEach((item) => {
      item.classList.remove("here");
      item.removeAttribute("aria-current");
    });
    const item = line(spot);
    if (item) {
      item.classList.add("here");
      item.setAttribute("aria-current", "step");
      const list = item.parentNode;
      const top = item.offsetTop;
      if (top < list.scrollTop || top + item.offsetHeight > list.scrollTop + list.clientHeight) {
        list.scrollTop = top - list.clientHeight / 3;
      }
    } else if (find(".turns", section(spot))) {
      find(".turns", section(spot)).scrollTop = 0;
    }
    const chart = find(".chart", section(spot).parentNode);
    if (!chart) return;
    const deals = data.games[spot.g].deals;
    const width = +chart.dataset.width;
    const count = Math.max(1, deals[deals.length - 1].first + deals[deals.length - 1].changes.length - deals[0].first);
    const x = ((at - deals[0].first) * width) / count;
    find(".here", chart).setAttribute("d", "M" + x + " 0V220");
  };

  // --- moving ---------------------------------------------------------------------------------

  const clamp = (place, least, most) => Math.min(Math.max(place, least), most);
  const dealOf = (place) => data.games[spots[place].g].deals[spots[place].d];
  const isEvent = (spot) => data.games[spot.g].deals[spot.d].events.includes(spot.turn);
  const seek = (by) => {
    for (let place = at + by; place >= 0 && place < spots.length; place += by) if (isEvent(spots[place])) return place;
    return at;
  };
  const GO = {
    next: () => at + 1,
    previous: () => at - 1,
    first: () => data.games[spots[at].g].deals[0].first,
    last: () => {
      const deals = data.games[spots[at].g].deals;
      return deals[deals.length - 1].first + deals[deals.length - 1].changes.length;
    },
    "next-deal": () => {
      const next = dealOf(at).first + dealOf(at).changes.length + 1;
      return next < spots.length ? next : at;
    },
    "previous-deal": () => {
      const first = dealOf(at).first;
      return first > 0 ? dealOf(first - 1).first : 0;
    },
    "next-event": () => seek(1),
    "previous-event": () => seek(-1),
  };
  const KEYS = {
    ArrowRight: "next", ArrowLeft: "previous", ArrowUp: "previous-event", ArrowDown: "next-event",
    PageDown: "next-deal", PageUp: "previous-deal", Home: "first", End: "last",
  };

  const go = (place) => {
    at = clamp(place, 0, spots.length - 1);
    const own = data.games[spots[at].g];
    if (own.view) view = own.view;
    else if (view && !own.seats.includes(view)) view = "";
    find("#problem").hidden = true;
    show(false);
    remember();
  };

  const remember = () => {
    const spot = spots[at];
    const parts = ["game=" + (spot.g + 1), "deal=" + (spot.d + 1), "turn=" + spot.turn];
    if (view) parts.push("seat=" + view);
    try {
      history.replaceState(null, "", "#" + parts.join("&"));
    } catch {
      // A page inside another document has no address of its own.
    }
  };

  const nextView = () => {
    const views = ["", ...data.games[spots[at].g].seats];
    return views[(views.indexOf(view) + 1) % views.length];
  };

  const turnView = () => {
    if (data.games[spots[at].g].view || !dealOf(at).hands) return;
    view = nextView();
    show(true);
    find("#said").textContent = view ? "Only what " + view + " sees" : "All cards";
    remember();
  };

  const toggleHelp = () => {
    const help = find("#help");
    if (help.open) {
      help.close();
      return;
    }
    // When the help closes, the focus goes back to where it was: without a place, to the button.
    if (document.activeElement === document.body) find("#ask").focus({ preventScroll: true });
    help.showModal();
  };

  // --- where the address leads ----------------------------------------------------------------

  // The place that an address names, and the parts of it that name nothing here.
  const target = (fragment) => {
    const said = {};
    const wrong = [];
    for (const part of fragment.split("&").filter(Boolean)) {
      const [, name, value] = /^(game|deal|turn|seat)=(\w{1,6})$/.exec(part) || [];
      if (name) said[name] = value;
      else wrong.push(part);
    }
    const number = (name, first, last) => {
      const text = said[name];
      if (text === undefined) return first;
      if (/^\d+$/.test(text) && +text >= first && +text <= last) return +text;
      wrong.push(name + "=" + text);
      // A turn or a deal of something that is not here is not one of something else.
      if (name !== "turn") said.turn = undefined;
      if (name === "game") said.deal = undefined;
      return first;
    };
    const game = data.games[number("game", 1, data.games.length) - 1];
    const deal = game.deals[number("deal", 1, game.deals.length) - 1];
    if (!deal) return { place: 0, seat: data.games[spots[0].g].view, wrong: [fragment] };
    const place = deal.first + number("turn", 0, deal.changes.length);
    const seats = game.view ? [game.view] : ["", ...game.seats];
    const seat = said.seat === undefined ? game.view : said.seat;
    if (!seats.includes(seat)) wrong.push("seat=" + seat);
    return { place, seat: seats.includes(seat) ? seat : game.view, wrong };
  };

  const open = () => {
    let fragment = location.hash.slice(1);
    try {
      fragment = decodeURIComponent(fragment);
    } catch {
      // It stays as it is written.
    }
    const { place, seat, wrong } = target(fragment);
    const problem = find("#problem");
    problem.hidden = !wrong.length;
    problem.textContent = "Nothing on this page is called " + wrong.join(" or ") + ". Correct the end of the address, after the #, or go on from here with the buttons.";
    at = place;
    view = seat;
    show(true);
  };

  // --- begin ----------------------------------------------------------------------------------

  if (!spots.length) return;
  document.documentElement.classList.add("live");
  find("#viewer").hidden = false;
  document.querySelectorAll("[data-go]").forEach((button) => button.addEventListener("click", () => go(GO[button.dataset.go]())));
  find("#slider").addEventListener("input", (event) => go(dealOf(at).first + +event.target.value));
  find("#view").addEventListener("click", turnView);
  find("#view").disabled = data.games.every((game) => game.view);
  find("#ask").addEventListener("click", toggleHelp);
  document.querySelectorAll(".turns").forEach((list) => {
    list.tabIndex = 0;
    list.setAttribute("aria-label", "Turns");
    list.addEventListener("click", (event) => {
      const item = event.target.closest("li");
      if (item) go(dealOf(at).first + [...list.children].indexOf(item) + 1);
    });
  });
  document.querySelectorAll(".chart").forEach((chart) => chart.addEventListener("click", (event) => {
    const deals = data.games[spots[at].g].deals;
    const last = deals[deals.length - 1];
    const box = chart.getBoundingClientRect();
    go(deals[0].first + Math.round(((event.clientX - box.left) / box.width) * (last.first + last.changes.length - deals[0].first)));
  }));
  const SCROLLS = ["ArrowUp", "ArrowDown", "PageUp", "PageDown", "Home", "End"];
  // Below the standings, a game may be out of sight: then these keys scroll to it.
  const inView = () => {
    const box = find("#viewer").getBoundingClientRect();
    return box.top < innerHeight / 2 && box.bottom > 0;
  };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.key === "?") toggleHelp();
    else if (find("#help").open) return;
    else if (SCROLLS.includes(event.key) && !inView()) return;
    else if (event.key === "s") turnView();
    else if (KEYS[event.key]) go(GO[KEYS[event.key]]());
    else return;
    event.preventDefault();
  });
  const arrive = () => {
    open();
    // The browser has scrolled to the written game of that name.
    if (location.hash) (find(".index") ? find("#viewer") : document.body).scrollIntoView();
  };
  addEventListener("hashchange", () => {
    arrive();
    find("#where").focus({ preventScroll: true });
  });
  arrive();
})();
