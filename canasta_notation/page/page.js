"use strict";
// The page shows what Python has worked out: tables, words and figures. No rule stands here.
(() => {
  const find = (selector, within = document) => within.querySelector(selector);
  const data = JSON.parse(find("#data").textContent);
  const SUITS = { s: "spades", h: "hearts", d: "diamonds", c: "clubs" };
  const RANKS = { T: "10", J: "jack", Q: "queen", K: "king", A: "ace" };
  const KINDS = { n: "natural", m: "mixed", w: "wild", s: "sequence" };
  // The label of a meld (K, K/2, s), the letter of its kind, and its cards.
  const MELD = /^(.(?:\/\d)?)(.)(.*)$/;

  // --- the positions: every table of every deal of every game ---------------------------------

  const spots = [];
  data.games.forEach((game, g) => {
    game.firsts = [];
    game.turns.forEach((turns, d) => {
      game.firsts.push(spots.length);
      for (let turn = 0; turn <= turns; turn += 1) spots.push({ g, d, turn });
    });
  });
  // A game with its deals, which are read when they are wanted.
  const gameOf = (g) => {
    const game = data.games[g];
    if (!game.deals) {
      Object.assign(game, JSON.parse(find("#tables" + (g + 1)).textContent));
      game.deals.forEach((deal, d) => { deal.first = game.firsts[d]; });
    }
    return game;
  };
  let at = 0;
  let view = data.games[0].view;
  let shownGame = null;
  let shownDeal = null;
  // The seat whose hand a small screen shows; "" follows the play.
  let chosen = "";
  // The mistakes whose answer was asked for, and the seat whose play is hidden now, "" without one.
  const answered = new Set();
  let asking = "";

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
  const rank = (text) => (text[0] === "T" ? "10" : text[0]);
  const spoken = (text) => {
    if (text === "*") return "joker";
    if (text === "_") return "unknown card";
    const name = RANKS[text[0]] || text[0];
    if (text[1] === "r" || text[1] === "b") return (text[1] === "r" ? "red " : "black ") + name;
    return SUITS[text[1]] ? name + " of " + SUITS[text[1]] : name;
  };
  // A suit is drawn as a background: a picture of its own in each card would be slow to lay out.
  const pip = (suit) => find("#" + suit + " path").getAttribute("d");
  const COLOURS = { s: "1b1e1c", h: "b3162a", d: "b3162a", c: "1b1e1c", j: "6b3fa0" };
  for (const [suit, colour] of Object.entries(COLOURS)) {
    const drawing = "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 20 20'><path fill='#" + colour + "' d='" + pip(suit) + "'/></svg>";
    document.styleSheets[0].insertRule(".card." + suit + '::after { background-image: url("data:image/svg+xml,' + encodeURIComponent(drawing) + '"); }');
  }
  const faces = {};
  const face = (text) => {
    if (text === "_") return make("span", "card back");
    const suit = text === "*" ? "j" : SUITS[text[1]] ? text[1] : "plain";
    const ink = /[hdr]$/.test(text) ? " red" : "";
    return make("span", "card " + suit + ink, text === "*" ? "" : make("b", text[0] === "T" ? "ten" : "", rank(text)));
  };
  const card = (text, fresh) => {
    faces[text] = faces[text] || face(text);
    const copy = faces[text].cloneNode(true);
    if (fresh && text !== "_") copy.classList.add("fresh");
    return copy;
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
  const cards = (chars, news) => [...chars].map((char, place) => card(data.cards[char], news && news[place]));
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

  // Whose cards are shown: while the reader guesses, only those of the player to play.
  const eyes = () => view || asking;
  const unseen = (game, place, kind) => kind !== "end" && eyes() && eyes() !== game.seats[place] && !game.view;
  const heldBy = (game, place, now, kind) => {
    const unknown = Object.keys(data.cards).find((char) => data.cards[char] === "_");
    return unseen(game, place, kind) ? unknown.repeat(now[place].length) : now[place];
  };

  // What stands on the table, in boxes. Each is made from the values that it is given and nothing
  // else, so that it can stay as it is while they do.

  const seatBox = (seat, name, held, news, due) => {
    const known = names(held).filter((text) => text !== "_");
    const box = make("section", "seat" + (due ? " due" : ""));
    box.dataset.seat = seat;
    box.dataset.hand = known.join(" ");
    box.dataset.count = held.length;
    const head = make("h3", "", make("b", "", seat), " ", make("bdi", "", name === seat ? "" : name));
    head.append(make("span", "count", String(held.length)));
    if (due) head.append(make("span", "badge", "to play"));
    const more = held.length - known.length;
    const label = [known.map(spoken).join(", "), more ? plural(more, known.length ? "more card" : "card") + " not shown" : ""];
    const pick = make("button", "pick");
    pick.type = "button";
    pick.setAttribute("aria-label", "Show the hand of " + name);
    pick.addEventListener("click", () => {
      chosen = chosen === seat ? "" : seat;
      show(true);
      find("[data-seat='" + seat + "'] .pick").focus({ preventScroll: true });
    });
    const hand = row("hand", label.filter(Boolean).join(", ") || "no cards", ...cards(held, news));
    hand.style.setProperty("--cards", Math.max(2, held.length));
    box.append(pick, head, hand);
    return box;
  };

  const meldBox = (meld, then) => {
    const [, place, letter, chars] = MELD.exec(meld);
    const kind = KINDS[letter.toLowerCase()];
    const text = names(chars);
    const box = make("div", "meld" + (kind ? " canasta " + kind : ""));
    box.dataset.meld = place;
    box.dataset.cards = text.join(" ");
    if (kind) box.dataset.canasta = kind;
    const concealed = kind && letter !== letter.toLowerCase();
    const words = (concealed ? "concealed " : "") + (kind ? kind + " canasta" : "");
    const label = plural(text.length, "card") + ": " + text.map(spoken).join(", ");
    const news = then === null ? [] : fresh(chars, then);
    const drawn = kind ? [card(text[text.length - 1], news.includes(true))] : cards(chars, news);
    box.append(row("stack", words ? words + ", " + label : label, ...drawn));
    box.append(make("span", "size", String(text.length)));
    if (kind) box.append(make("span", "kind", (concealed ? "concealed " : "") + kind));
    return box;
  };

  const sideBox = (place, side, words, points, melds, threes, then) => {
    const old = new Map((then ? then[0] : "").split(".").filter(Boolean).map((meld) => MELD.exec(meld)).map(([, place, , chars]) => [place, chars]));
    const box = make("section", "side side" + place);
    box.dataset.side = side;
    box.dataset.threes = names(threes).join(" ");
    const head = make("h3", "", make("b", "", side), make("small", "", words));
    if (points) head.append(make("span", "points", points));
    const list = make("div", "melds", ...melds.split(".").filter(Boolean).map((meld) => meldBox(meld, then ? old.get(MELD.exec(meld)[1]) || "" : null)));
    if (threes) {
      const tabled = make("div", "meld threes");
      tabled.append(row("stack", "tabled: " + names(threes).map(spoken).join(", "), ...cards(threes, then && fresh(threes, then[1]))));
      tabled.append(make("span", "kind", "threes"));
      list.append(tabled);
    }
    if (!list.children.length) list.append(make("p", "none", "no melds yet"));
    box.append(head, list);
    return box;
  };

  const centre = (pile, stock, arrived, words, remarks, over) => {
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
    pileBox.append(row("stack" + (pile.length > 1 ? " deep" : ""), label, top ? card(top, arrived) : make("span", "card empty")));
    pileBox.append(make("span", "size", String(pile.length)), make("small", "", "pile"));
    middle.append(make("div", "decks", stockBox, pileBox), make("p", "frost", words));
    if (remarks) middle.append(make("p", over ? "over" : "frost", remarks));
    if (pile.length > 1) {
      const under = row("under", "the pile, bottom card first: " + names(pile).map(spoken).join(", "), ...cards(pile));
      under.style.setProperty("--cards", pile.length);
      middle.append(under);
    }
    return middle;
  };

  // Draw a table; a box whose values have not changed stays as it is.
  const draw = (felt, game, kind, now, then) => {
    let place = 0;
    const put = (build, ...values) => {
      const key = JSON.stringify([build.name, ...values]);
      const old = felt.children[place];
      place += 1;
      if (old && old.key === key) return;
      const box = build(...values);
      box.key = key;
      if (old) old.replaceWith(box);
      else felt.append(box);
    };
    if (now) {
      const fields = layout(game);
      const [pile, words, stock, due, remarks] = now.slice(fields.pile);
      [...game.seats].forEach((seat, at) => {
        const held = heldBy(game, at, now, kind);
        const news = unseen(game, at, kind) || !then ? null : fresh(held, then[at]);
        put(seatBox, seat, game.names[at], held, news && news.includes(true) ? news : null, due === seat);
      });
      put(centre, pile, stock, Boolean(then) && then[fields.pile] !== pile, game.texts[words] || "", game.texts[remarks] || "", !due);
      [...game.sides].forEach((side, at) => {
        const [melds, threes, points, standing] = now.slice(fields.sides + at * 4);
        const before = then && then.slice(fields.sides + at * 4, fields.sides + at * 4 + 2);
        const changed = before && (before[0] !== melds || before[1] !== threes);
        const score = points !== "" && !(view && kind !== "end") && (then || !due) ? "this deal " + (due ? "so far " : "") + (+points).toLocaleString("en") : "";
        put(sideBox, at, side, game.texts[standing] || "", score, melds, threes, changed ? before : null);
        felt.children[place - 1].dataset.points = view && kind !== "end" ? "" : points;
      });
    }
    while (felt.children.length > place) felt.lastChild.remove();
  };

  const STARTS = { play: "as dealt", end: "the table at the end", scores: "scores only", none: "no play to show" };

  const heading = (spot) => {
    const game = gameOf(spot.g);
    const deal = game.deals[spot.d];
    const where = data.games.length > 1 ? "Game " + (spot.g + 1) + ", deal " : "Deal ";
    const turn = spot.turn ? "turn " + spot.turn + " of " + deal.turns : STARTS[deal.kind];
    return where + (spot.d + 1) + " of " + game.deals.length + ", " + turn;
  };

  // The written deal of a spot in the shown game.
  const section = (spot) => find("[data-number='" + (spot.d + 1) + "']", find("#record"));
  const line = (spot) => (spot.turn ? find(".turns", section(spot)).children[spot.turn - 1] : null);

  const placeOf = (spot) => gameOf(spot.g).firsts[spot.d] + spot.turn;
  // Whether what was played is hidden until the reader asks for it.
  const isAsked = (spot) => {
    const item = spot.turn && find("#guess") && find("#guess").checked ? line(spot) : null;
    return Boolean(item && item.dataset.question) && !item.classList.contains("other") && !answered.has(placeOf(spot));
  };
  // While it is hidden, the table is that before the turn.
  const seen = (spot) => (asking ? { ...spot, turn: spot.turn - 1 } : spot);

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
    play: "Step through the deal with the arrow keys or the buttons, or swipe over the table.",
    end: "Only the table at the end of this deal was recorded.",
    scores: "Only the scores of this deal were recorded.",
    none: "The play of this deal cannot be shown.",
  };

  // The findings of no turn: those of the game are shown with its first deal.
  const elsewhere = (spot) => {
    if (view && !gameOf(spot.g).view) return [];
    const within = spot.d ? [section(spot)] : [section(spot).parentNode, section(spot)];
    return within.flatMap((each) => [...each.children]).filter((each) => each.classList.contains("finding")).map((each) => {
      const copy = each.cloneNode(true);
      copy.removeAttribute("data-finding");
      return copy;
    });
  };

  const question = (spot) => {
    const item = line(spot);
    const box = make("div", "happened", find("#asked").content.cloneNode(true));
    find("p", box).append(find("b", item).cloneNode(true), " " + item.dataset.question);
    find("button", box).addEventListener("click", () => {
      answered.add(placeOf(spot));
      show(false);
      find(".happened").focus({ preventScroll: true });
    });
    return box;
  };

  const happened = (spot) => {
    if (isAsked(spot)) return question(spot);
    const copy = told(spot);
    if (!copy) return make("div", "happened", ...elsewhere(spot), make("p", "", HINTS[gameOf(spot.g).deals[spot.d].kind]));
    const box = make("div", "happened");
    box.append(...copy.childNodes);
    // Findings come first: a small screen may show no more.
    const rest = find("q, em", box);
    box.querySelectorAll(".finding").forEach((found) => {
      found.dataset.finding = found.dataset.code;
      if (rest) rest.before(found);
    });
    return box;
  };

  const sentence = (spot) => {
    if (isAsked(spot)) return heading(spot) + ": " + find("p", question(spot)).textContent;
    const copy = told(spot);
    if (!copy) return heading(spot) + ".";
    copy.querySelectorAll(".finding .source, .finding small").forEach((more) => more.remove());
    copy.querySelectorAll("q, em, i, .finding").forEach((part) => part.prepend(". "));
    const text = copy.textContent.replace(/([0-9TJQKA]+)([♠♥♦♣])/g, (_, first, suit) => spoken((first === "10" ? "T" : first) + "shdc"["♠♥♦♣".indexOf(suit)]));
    return heading(spot) + ": " + text + ".";
  };

  const show = (quiet) => {
    const spot = spots[at];
    const game = gameOf(spot.g);
    const deal = game.deals[spot.d];
    const position = find("#position");
    Object.assign(position.dataset, { game: spot.g + 1, deal: spot.d + 1, turn: spot.turn });
    showDeal(spot);
    asking = isAsked(spot) ? deal.seats[spot.turn - 1] : "";
    document.body.classList.toggle("asking", asking !== "");
    const { turn } = seen(spot);
    const [now, then] = [tables(deal)[turn], tables(deal)[turn - 1]];
    find("#where").textContent = heading(spot);
    const dressed = "felt seats" + game.seats.length + " " + deal.kind;
    // Within a deal, cards keep their size if they can.
    if (felt.dressed !== dressed || spot.turn < 2) fitted = null;
    if (!fitted) felt.className = felt.dressed = dressed;
    draw(felt, game, deal.kind, now, then);
    const last = shownSeat(game, deal, spot, now);
    felt.querySelectorAll("[data-seat]").forEach((box) => {
      box.classList.toggle("shown", box.dataset.seat === last);
      find(".pick", box).setAttribute("aria-pressed", box.dataset.seat === last);
    });
    const box = happened(spot);
    box.tabIndex = 0;
    box.setAttribute("role", "group");
    box.setAttribute("aria-label", "What happened");
    find(".happened").replaceWith(box);
    const slider = find("#slider");
    slider.max = deal.changes.length;
    slider.value = spot.turn;
    slider.setAttribute("aria-valuetext", heading(spot));
    const called = (seat) => game.names[game.seats.indexOf(seat)];
    const [shown, next] = [eyes() ? "as " + called(eyes()) + " sees it" : "all cards", nextView()];
    find("#view").textContent = shown;
    find("#view").hidden = !deal.hands;
    find("#view").setAttribute("aria-label", shown + (game.view ? "" : ": show " + (next ? "what " + called(next) + " sees" : "all cards")));
    fit();
    veil(spot);
    mark(spot);
    // Still focusable, so that the keyboard does not lose its place at the end.
    document.querySelectorAll("[data-go]").forEach((button) => {
      const place = clamp(GO[button.dataset.go](), 0, spots.length - 1);
      button.setAttribute("aria-disabled", place === at);
    });
    if (!quiet) find("#said").textContent = sentence(spot);
  };

  const shownSeat = (game, deal, spot, now) => {
    if (chosen && game.seats.includes(chosen)) return chosen;
    return view || deal.seats[spot.turn - 1] || (now && now[layout(game).pile + 3]) || game.seats[0];
  };

  // --- the size of the cards ------------------------------------------------------------------

  // The ways to draw the table, the first one preferred, each with its greatest size of cards: cards;
  // short cards in melds; no row of the pile; melds as chips; the hand in one row.
  const WAYS = [["", 9], ["short", 5], ["short nopile", 3], ["chips", 6], ["chips nopile tight", 4]];
  // Sizes of cards in pixels: few, because it takes long to try one.
  const SIZES = [12, 13, 14, 16, 18, 20, 22, 24, 27, 30];

  const felt = make("div", "felt");
  // How the table was drawn: the way, the sizes of hands and of melds, and how many cards there were.
  let fitted = null;

  // Give the viewer the height of the window.
  const room = () => {
    const viewer = find("#viewer");
    const top = find(".index") ? 0 : viewer.getBoundingClientRect().top + scrollY;
    viewer.style.setProperty("--room", Math.max(340, innerHeight - top) + "px");
    fitted = null;
    fit();
  };

  // Draw the table as large as the window has room for it. The size of the turn before stays if it
  // fits and the table is about as full; otherwise a new one is looked for.
  const fit = () => {
    const bare = !felt.children.length || felt.matches(".scores, .none");
    document.documentElement.classList.toggle("bare", bare);
    find("#viewer").classList.remove("free");
    if (bare) return;
    const fits = () => felt.scrollHeight <= felt.clientHeight && felt.scrollWidth <= felt.clientWidth;
    const load = felt.querySelectorAll(".meld .card, .shown .hand .card, .under .card").length;
    const sized = (hands, melds) => {
      felt.style.setProperty("--size", SIZES[hands] + "px");
      felt.style.setProperty("--melds", SIZES[melds] + "px");
      return fits();
    };
    const fuller = fitted && load >= 0.8 * fitted.load;
    if (fuller) {
      if (fits()) return;
      for (let { hands, melds } = fitted, tries = 0; hands + melds > 0 && tries < 3; tries += 1) {
        if (melds > hands) melds -= 1;
        else hands = melds = hands - 1;
        if (sized(hands, melds)) {
          Object.assign(fitted, { hands, melds, load });
          return;
        }
      }
    }
    const greatest = (low, high, good) => {
      while (low < high) {
        const middle = Math.ceil((low + high) / 2);
        if (good(middle)) low = middle;
        else high = middle - 1;
      }
      return low;
    };
    // A fuller table is not drawn in a way that has failed for an emptier one.
    for (let at = fuller ? fitted.at : 0; at < WAYS.length; at += 1) {
      const [way, most] = WAYS[at];
      felt.className = felt.dressed + (way && " " + way);
      if (!sized(0, 0)) continue;
      const hands = greatest(0, most, (size) => sized(size, size));
      const melds = greatest(hands, most, (size) => sized(hands, size));
      sized(hands, melds);
      fitted = { at, hands, melds, load };
      return;
    }
    // A window as small as this one is scrolled.
    fitted = null;
    find("#viewer").classList.add("free");
  };

  // --- the picture of a moment ----------------------------------------------------------------

  const ESCAPES = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#x27;" };
  const html = (text) => text.replace(/[&<>"']/g, (char) => ESCAPES[char]);
  const clipped = (text, most) => ([...text].length > most ? [...text].slice(0, most - 1).join("") + "…" : text);

  // The table of a moment as SVG, with only what the shown view has: what page/diagram.py draws,
  // in the same steps.
  const picture = (spot) => {
    const game = gameOf(spot.g);
    const deal = game.deals[spot.d];
    const now = tables(deal)[spot.turn];
    const fields = layout(game);
    const [pile, , stock, due, , size, frost, ...needs] = now.slice(fields.pile);
    const { style, table, blank, suits, faces, lengths } = data.picture;
    const { width, margin, half, card: [across, down], below, beside, column, line: high, gap } = lengths;
    const codes = Object.fromEntries(faces.map(([char], code) => [char, code]));
    const used = new Set();
    const parts = [];
    let y = margin;
    const write = (text, x, kind) => {
      parts.push('<text x="' + x + '" y="' + (y + 22) + '"' + (kind ? ' class="' + kind + '"' : "") + ">" + html(text) + "</text>");
      y += high;
    };
    const use = (chars, x, place) => {
      const uses = chars.map((char, at) => '<use href="#c' + codes[char] + '" ' + place(at) + "/>");
      chars.forEach((char) => used.add(char));
      parts.push('<g transform="translate(' + x + " " + y + ')">' + uses.join("") + "</g>");
    };
    const spread = (chars, x, room) => {
      const step = Math.min(beside, (room - across) / Math.max(1, chars.length - 1));
      use(chars, x, (at) => 'x="' + Math.round(at * step) + '"');
    };
    const unknown = faces.find((each) => data.cards[each[0]] === "_")[0];

    const hand = (at, left, alone) => {
      const seat = game.seats[at];
      const held = [...heldBy(game, at, now, deal.kind)];
      const name = game.names[at] === seat ? "" : " " + clipped(game.names[at], lengths.name);
      write(seat + name + ", " + plural(held.length, "card") + (due === seat ? " ▸" : ""), left, "n");
      const most = lengths.row[+alone];
      for (let first = 0; first < held.length; first += most) {
        spread(held.slice(first, first + most), left, alone ? width - 2 * margin : half - gap);
        y += down + (first + most >= held.length ? gap : 4);
      }
    };
    const hands = (places) => {
      const top = y;
      const ends = places.map((at, place) => {
        y = top;
        hand(at, margin + place * half, places.length === 1);
        return y;
      });
      y = Math.max(...ends);
    };
    const decks = () => {
      spread([unknown], margin, half);
      spread([...pile].slice(-1), margin + lengths.pile, half);
      const words = game.texts[frost];
      const put = (text, x, y2) => parts.push('<text x="' + x + '" y="' + (y + y2) + '" class="n">' + html(text) + "</text>");
      put("stock " + stock.replace("-", " to "), margin + across + 10, 37);
      put("pile " + (game.texts[size] || pile.length), margin + lengths.pile + across + 10, words ? 24 : 37);
      if (words) put(words, margin + lengths.pile + across + 10, 48);
      y += down + gap;
    };
    const stack = (chars, labels, x) => {
      use(chars, x, (at) => 'y="' + at * below + '"');
      let tall = down + below * (chars.length - 1);
      labels.forEach((label, at) => {
        tall += at ? 18 : 22;
        parts.push('<text class="' + "nw"[at] + '" x="' + (x + 2) + '" y="' + (y + tall - 2) + '">' + label + "</text>");
      });
      return tall;
    };
    const side = (at) => {
      const [melds, threes, points] = now.slice(fields.sides + at * 4);
      const score = points && !(view && deal.kind !== "end") ? ", " + points + " points" : "";
      write(game.sides[at] + score + (needs[at] ? ", " + game.texts[needs[at]] : ""), margin);
      const columns = melds.split(".").filter(Boolean).map((meld) => {
        const [, , letter, text] = MELD.exec(meld);
        const kind = KINDS[letter.toLowerCase()];
        const chars = [...text];
        return [kind ? chars.slice(-1) : chars, [chars.length, kind].filter(Boolean)];
      });
      if (threes) columns.push([[...threes], []]);
      let x = margin;
      let tallest = 0;
      columns.forEach(([chars, labels]) => {
        if (x + across > width - margin) {
          y += tallest + gap;
          [x, tallest] = [margin, 0];
        }
        tallest = Math.max(tallest, stack(chars, labels, x));
        x += column;
      });
      y += tallest + gap;
    };

    const place = "deal " + (spot.d + 1) + ", " + (spot.turn ? "after turn " + spot.turn : STARTS[deal.kind]) + (view ? ", as " + view + " sees it" : "");
    const capital = (text) => text[0].toUpperCase() + text.slice(1);
    const title = game.event ? game.event + ": " + place : capital(place);
    const long = game.event && [...title].length > lengths.heading;
    (long ? [game.event, capital(place)] : [title]).forEach((text) => write(clipped(text, lengths.heading), margin));
    const [above, under] = lengths.round[game.seats.length];
    above.forEach(hands);
    decks();
    [...game.sides].forEach((_, at) => side(at));
    under.forEach(hands);
    const shown = faces.filter(([char]) => used.has(char));
    const kinds = Object.keys(suits).filter((suit) => shown.some((each) => each[1] === suit));
    const defined = blank + kinds.map((suit) => suits[suit]).join("") + shown.map((each) => each[2]).join("");
    const height = y + margin - gap;
    const text = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ' + width + " " + height + '" role="img" aria-labelledby="title desc"><title id="title">' + html(title)
      + '</title><desc id="desc">' + html(sentence(spot)) + "</desc><style>" + style + "</style><defs>" + defined
      + '</defs><rect width="' + width + '" height="' + height + '" rx="20" fill="' + table + '"/>' + parts.join("") + "</svg>";
    return { text, width, height };
  };

  const fileName = (kind) => "canasta-game-" + (spots[at].g + 1) + "-deal-" + (spots[at].d + 1) + "-turn-" + spots[at].turn + "." + kind;
  const keep = (blob, kind) => {
    const link = make("a");
    link.href = URL.createObjectURL(blob);
    link.download = fileName(kind);
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
    find("#done").textContent = "Saved as " + link.download + ".";
  };
  const save = (kind) => {
    const { text, width, height } = picture(seen(spots[at]));
    if (kind === "svg") {
      keep(new Blob([text], { type: "image/svg+xml" }), kind);
      return;
    }
    const image = new Image();
    image.onload = () => {
      const canvas = make("canvas");
      [canvas.width, canvas.height] = [2 * width, 2 * height];
      canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
      canvas.toBlob((blob) => keep(blob, kind), "image/png");
    };
    const sized = text.replace("<svg", '<svg width="' + width + '" height="' + height + '"');
    image.src = "data:image/svg+xml," + encodeURIComponent(sized);
  };

  // In print, each deal has the tables of its key moments, in text.
  const addPictures = () => spots.forEach((spot) => {
    if (spot.g !== shownGame || !isEvent(spot) || isAsked(spot)) return;
    const written = section(spot);
    if (!find(".pictures", written)) {
      paintSuits(written);
      written.insertBefore(make("div", "pictures"), find(".scores", written));
    }
    const game = gameOf(spot.g);
    const deal = game.deals[spot.d];
    const table = make("div", "felt chips nopile " + deal.kind);
    draw(table, game, deal.kind, tables(deal)[spot.turn], null);
    const item = told(spot);
    item.querySelectorAll("q, .finding").forEach((more) => more.remove());
    find(".pictures", written).append(make("figure", "moment", make("figcaption", "", spot.turn + ". ", ...item.childNodes), table));
  });
  const removePictures = () => document.querySelectorAll(".pictures").forEach((each) => each.remove());

  // --- the record beside the table ------------------------------------------------------------

  // Of many games, the record of one is made when it is opened.
  const openGame = (g) => {
    const written = find("#record" + (g + 1));
    if (written) {
      find("#title").textContent = written.dataset.title;
      find("#about").textContent = written.dataset.about;
      find("#record").innerHTML = written.textContent;
    }
    document.querySelectorAll(".turns").forEach((list) => {
      list.tabIndex = 0;
      list.setAttribute("aria-label", "Turns");
    });
    document.querySelectorAll(".games tbody tr").forEach((row) => row.classList.toggle("open", +row.cells[0].dataset.by === g + 1));
    shownGame = g;
  };

  const showDeal = (spot) => {
    if (shownGame !== spot.g) openGame(spot.g);
    const shown = section(spot);
    if (shown !== shownDeal) {
      document.querySelectorAll("#record .deal").forEach((each) => { each.hidden = each !== shown; });
      shownDeal = shown;
      paintSuits(shown);
    }
    const game = gameOf(spot.g);
    const oneSeat = view !== "" && !game.view;
    document.body.classList.toggle("one-seat", oneSeat);
    if (shown.seenBy === (oneSeat ? view : "")) return;
    shown.seenBy = oneSeat ? view : "";
    shown.querySelectorAll(".turns li").forEach((item, place) => {
      hide(item, oneSeat && game.deals[spot.d].seats[place] !== view);
    });
  };

  const hide = (item, other) => {
    item.classList.toggle("other", other);
    item.querySelectorAll("u").forEach((hidden) => {
      if (!hidden.cards) hidden.cards = [...hidden.childNodes];
      hidden.replaceChildren(...(other ? ["(unseen)"] : hidden.cards));
    });
  };

  const paintSuits = (shown) => shown.querySelectorAll(".turns li, .score small").forEach((item) => {
    for (const node of [...item.childNodes, ...[...item.querySelectorAll("u, em")].flatMap((each) => [...each.childNodes])]) {
      if (node.nodeType !== Node.TEXT_NODE || !/[♥♦]/.test(node.data)) continue;
      node.replaceWith(...node.data.split(/((?:10|[2-9JQKA])[♥♦])/).map((part, place) => (place % 2 ? make("span", "red", part) : part)));
    }
  });

  // Hide in the written deal, and on its curve, what is still to be guessed.
  const veil = (spot) => {
    section(spot).querySelectorAll("[data-question]").forEach((item) => {
      const turn = [...item.parentNode.children].indexOf(item) + 1;
      item.classList.toggle("guess", isAsked({ ...spot, turn }));
    });
    section(spot).querySelectorAll("circle").forEach((dot) => {
      const title = find("title", dot);
      dot.dataset.words ||= title.textContent;
      title.textContent = isAsked({ ...spot, turn: Number(dot.dataset.turn) }) ? "guess first" : dot.dataset.words;
    });
  };

  let marked = null;
  const mark = (spot) => {
    const item = line(spot);
    const list = find(".turns", section(spot));
    if (list) {
      const [top, bottom] = item ? [item.offsetTop, item.offsetTop + item.offsetHeight] : [0, 0];
      if (top < list.scrollTop || bottom > list.scrollTop + list.clientHeight) list.scrollTop = top - list.clientHeight / 3;
    }
    if (marked) {
      marked.classList.remove("here");
      marked.removeAttribute("aria-current");
    }
    marked = item;
    if (item) {
      item.classList.add("here");
      item.setAttribute("aria-current", "step");
    }
    const chart = find(".chart", section(spot).parentNode);
    if (!chart) return;
    const deals = gameOf(spot.g).deals;
    const width = +chart.dataset.width;
    const count = Math.max(1, deals[deals.length - 1].first + deals[deals.length - 1].changes.length - deals[0].first);
    const x = ((at - deals[0].first) * width) / count;
    find(".here", chart).setAttribute("d", "M" + x + " 0V220");
  };

  // --- moving ---------------------------------------------------------------------------------

  const clamp = (place, least, most) => Math.min(Math.max(place, least), most);
  const dealOf = (place) => gameOf(spots[place].g).deals[spots[place].d];
  // What one seat cannot know of another's turn is no moment in its view.
  const momentOf = (game, deal, [turn, seen, known]) => {
    const other = view !== "" && !game.view && deal.seats[turn - 1] !== view;
    return [seen, other ? "" : known].filter(Boolean).join(", ");
  };
  const isEvent = (spot) => {
    const game = gameOf(spot.g);
    const deal = game.deals[spot.d];
    return deal.moments.some((each) => each[0] === spot.turn && momentOf(game, deal, each));
  };
  const seek = (by) => {
    for (let place = at + by; place >= 0 && place < spots.length; place += by) if (isEvent(spots[place])) return place;
    return at;
  };
  const GO = {
    next: () => at + 1,
    previous: () => at - 1,
    first: () => gameOf(spots[at].g).deals[0].first,
    last: () => {
      const deals = gameOf(spots[at].g).deals;
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
    const own = gameOf(spots[at].g);
    if (own.view) view = own.view;
    else if (view && !own.seats.includes(view)) view = "";
    find("#problem").hidden = true;
    show(false);
    remember();
  };

  const goTo = (place) => {
    stop();
    go(place);
  };
  const move = (name) => goTo(GO[name]());

  const address = (spot) => {
    const parts = ["game=" + (spot.g + 1), "deal=" + (spot.d + 1), "turn=" + spot.turn];
    if (view) parts.push("seat=" + view);
    return "#" + parts.join("&");
  };

  const remember = () => {
    try {
      history.replaceState(null, "", address(spots[at]));
    } catch {
      // A page inside another document has no address of its own.
    }
  };

  const nextView = () => {
    const views = ["", ...gameOf(spots[at].g).seats];
    return views[(views.indexOf(view) + 1) % views.length];
  };

  const turnView = () => {
    if (gameOf(spots[at].g).view || !dealOf(at).hands) return;
    view = nextView();
    show(true);
    find("#said").textContent = view ? "Only what " + gameOf(spots[at].g).names[gameOf(spots[at].g).seats.indexOf(view)] + " sees" : "All cards";
    remember();
  };

  const toggle = (dialog, button) => {
    if (dialog.open) {
      dialog.close();
      return;
    }
    stop();
    // When a dialog closes, the focus goes back to where it was: without a place, to the button.
    if (document.activeElement === document.body) button.focus({ preventScroll: true });
    dialog.showModal();
  };

  const toggleHelp = () => {
    const game = gameOf(spots[at].g);
    const help = find("#help");
    help.querySelectorAll(".side").forEach((each) => each.remove());
    game.sides.forEach((side, place) => {
      const [name, ...players] = game.players[place].split(", ");
      if (players.length) find("#signs").append(make("dt", "side", name), make("dd", "side", players.join(", ")));
    });
    toggle(help, find("#ask"));
  };

  const listMoments = () => {
    const spot = spots[at];
    const game = gameOf(spot.g);
    const deal = game.deals[spot.d];
    find("#moments").replaceChildren(...deal.moments.filter((each) => momentOf(game, deal, each)).map((each) => {
      const link = make("a", "", "turn " + each[0] + ": " + find("b", line({ ...spot, turn: each[0] })).textContent + ": " + (isAsked({ ...spot, turn: each[0] }) ? "guess first" : momentOf(game, deal, each)));
      link.href = location.href.split("#")[0] + address({ ...spot, turn: each[0] });
      link.addEventListener("click", () => find("#more").close());
      return make("li", "", link);
    }));
    if (!find("#moments").children.length) find("#moments").append(make("li", "none", "none in this deal"));
  };

  const toggleMore = () => {
    find("#done").textContent = "";
    listMoments();
    toggle(find("#more"), find("#menu"));
  };

  const copyLink = async () => {
    const text = location.href.split("#")[0].replace(/^(about|data|blob):.*/, "") + address(spots[at]);
    try {
      await navigator.clipboard.writeText(text);
      find("#done").textContent = "Copied: " + text;
    } catch {
      const field = make("input", "link");
      field.value = text;
      field.readOnly = true;
      field.setAttribute("aria-label", "Link to this moment");
      find("#done").replaceChildren("The browser did not let the page copy. Copy this: ", field);
      field.select();
    }
  };

  // --- playing by itself ----------------------------------------------------------------------

  let timer = 0;
  const stop = () => {
    clearInterval(timer);
    timer = 0;
    find("#play").classList.remove("playing");
    find("#play").setAttribute("aria-label", "Play");
  };
  const play = () => {
    if (timer) {
      stop();
      return;
    }
    find("#play").classList.add("playing");
    find("#play").setAttribute("aria-label", "Pause");
    timer = setInterval(() => {
      go(at + 1);
      if (at === spots.length - 1 || asking || (find("#pause").checked && isEvent(spots[at]))) stop();
    }, +find("#pace").value);
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
    const game = gameOf(number("game", 1, data.games.length) - 1);
    const deal = game.deals[number("deal", 1, game.deals.length) - 1];
    if (!deal) return { place: 0, seat: data.games[spots[0].g].view, wrong: [fragment] };
    const place = deal.first + number("turn", 0, deal.changes.length);
    const seats = game.view ? [game.view] : ["", ...game.seats];
    const seat = said.seat === undefined ? game.view : said.seat;
    if (!seats.includes(seat)) wrong.push("seat=" + seat);
    return { place, seat: seats.includes(seat) ? seat : game.view, wrong };
  };

  // Without an address, the page opens at the first error.
  const start = () => {
    const g = data.games.findIndex((game) => game.error);
    const game = gameOf(Math.max(0, g));
    const [deal, turn] = game.error || [1, 0];
    const place = game.deals.length ? game.deals[deal - 1].first + turn : 0;
    return { place, seat: game.view, wrong: [] };
  };

  const open = () => {
    let fragment = location.hash.slice(1);
    try {
      fragment = decodeURIComponent(fragment);
    } catch {
      // It stays as it is written.
    }
    const { place, seat, wrong } = fragment ? target(fragment) : start();
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
  find("#position").append(make("div", "happened"), felt);
  document.querySelectorAll("[data-go]").forEach((button) => button.addEventListener("click", () => move(button.dataset.go)));
  find("#slider").addEventListener("input", (event) => goTo(dealOf(at).first + +event.target.value));
  find("#view").addEventListener("click", turnView);
  find("#view").disabled = data.games.every((game) => game.view);
  if (find("#guess")) find("#guess").addEventListener("change", () => { show(true); listMoments(); });
  find("#ask").addEventListener("click", toggleHelp);
  find("#menu").addEventListener("click", toggleMore);
  find("#play").addEventListener("click", play);
  find("#copy").addEventListener("click", copyLink);
  find("#save-svg").addEventListener("click", () => save("svg"));
  find("#save-png").addEventListener("click", () => save("png"));
  find("#print").addEventListener("click", () => print());
  addEventListener("beforeprint", addPictures);
  addEventListener("afterprint", removePictures);
  addEventListener("resize", room);
  room();
  // A swipe steps: to the left for the next turn, to the right for the previous one.
  let touched = null;
  find("#position").addEventListener("touchstart", (event) => {
    touched = event.touches.length === 1 ? event.touches[0] : null;
  }, { passive: true });
  find("#position").addEventListener("touchend", (event) => {
    if (!touched) return;
    const across = event.changedTouches[0].clientX - touched.clientX;
    const down = event.changedTouches[0].clientY - touched.clientY;
    if (Math.abs(across) > 40 && Math.abs(across) > 2 * Math.abs(down)) move(across < 0 ? "next" : "previous");
  }, { passive: true });
  find("#record").addEventListener("click", (event) => {
    const item = event.target.closest(".turns li");
    const dot = event.target.closest("circle");
    if (dot) goTo(dealOf(at).first + +dot.dataset.turn);
    if (item) goTo(dealOf(at).first + [...item.parentNode.children].indexOf(item) + 1);
    const chart = event.target.closest(".chart");
    if (!chart) return;
    const deals = gameOf(spots[at].g).deals;
    const last = deals[deals.length - 1];
    const box = chart.getBoundingClientRect();
    goTo(deals[0].first + Math.round(((event.clientX - box.left) / box.width) * (last.first + last.changes.length - deals[0].first)));
  });

  // --- the list of games ----------------------------------------------------------------------

  const list = find(".games");
  if (list) {
    const rows = [...list.tBodies[0].rows];
    const search = () => {
      const words = find("#search").value.toLowerCase().split(/\s+/);
      rows.forEach((each) => { each.hidden = !words.every((word) => each.textContent.toLowerCase().includes(word)); });
      find("#found").textContent = plural(rows.filter((each) => !each.hidden).length, "game");
    };
    const sort = (head) => {
      const down = head.getAttribute("aria-sort") === "ascending";
      for (const each of list.tHead.rows[0].cells) each.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", down ? "descending" : "ascending");
      const key = (each) => each.cells[head.cellIndex].dataset.by;
      rows.sort((one, two) => (down ? -1 : 1) * key(one).localeCompare(key(two), "en", { numeric: true }));
      list.tBodies[0].append(...rows);
    };
    for (const head of list.tHead.rows[0].cells) {
      const button = make("button", "wide", ...head.childNodes);
      button.type = "button";
      button.addEventListener("click", () => sort(head));
      head.append(button);
    }
    find("#tools").hidden = false;
    find("#search").addEventListener("input", search);
    find("#all").addEventListener("click", () => {
      find(".index").scrollIntoView();
      find("#search").focus({ preventScroll: true });
    });
    search();
  }

  const SCROLLS = ["ArrowUp", "ArrowDown", "PageUp", "PageDown", "Home", "End"];
  // Below the standings, a game may be out of sight: then these keys scroll to it.
  const inView = () => {
    const box = find("#viewer").getBoundingClientRect();
    return box.top < innerHeight / 2 && box.bottom > 0;
  };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.key === "?" && !find("#more").open) toggleHelp();
    else if (event.key === "m" && !find("#help").open) toggleMore();
    else if (find("dialog[open]") || event.target.matches("select, input:not(#slider)")) return;
    else if (SCROLLS.includes(event.key) && !inView()) return;
    else if (event.key === "s") turnView();
    else if (event.key === "p") play();
    else if (KEYS[event.key]) move(KEYS[event.key]);
    else return;
    event.preventDefault();
  });
  const arrive = () => {
    open();
    // The browser has scrolled to the written game of that name.
    if (location.hash) (find(".index") ? find("#viewer") : document.body).scrollIntoView();
  };
  addEventListener("hashchange", () => {
    stop();
    find("#more").close();
    arrive();
    find("#where").focus({ preventScroll: true });
  });
  arrive();
})();
