"use strict";
// The page shows what Python has computed: tables, words and figures. It has no rules.
(() => {
  const find = (selector, within = document) => within.querySelector(selector);
  const data = JSON.parse(find("#data").textContent);
  data.cards = Object.fromEntries(data.cards.split(" ").map((text, code) => [data.alphabet[code], text]));
  const UNKNOWN = [...data.alphabet].find((char) => data.cards[char] === "_");
  const GLYPHS = { s: "♠", h: "♥", d: "♦", c: "♣" };
  const KINDS = { n: "natural", h: "semi", m: "mixed", w: "wild", s: "sequence" };
  // The label of a meld (K, K/2, s), the letter of its kind, and its cards.
  const MELD = /^(.(?:\/\d)?)(.)(.*)$/;

  // --- words ----------------------------------------------------------------------------------

  // The languages of the page; the document is written in the first one.
  const LANGUAGES = Object.keys(data.words);
  let language = LANGUAGES[0];
  const number = (value) => value.toLocaleString(language).replace("-", "−");
  // The words of a key, with values. If there are two texts, the first is the singular.
  const w = (key, values = {}) => {
    const found = data.words[language][key];
    const text = typeof found === "string" ? found : found[+(new Intl.PluralRules(language).select(values.n) !== "one")];
    return text.replace(/\{(\w)\}/g, (_, name) => (typeof values[name] === "number" ? number(values[name]) : values[name]));
  };
  const letter = (rank) => ("JQKA".includes(rank) ? w("letter_" + rank) : rank === "T" ? "10" : rank);
  // The rank that a letter on a card means in a language.
  const rankOf = (text, spoken) => [..."JQKA"].find((rank) => data.words[spoken]["letter_" + rank] === text) || (text === "10" ? "T" : text);
  // The keys of the words of the document, by their texts.
  const keyOf = {};
  for (const [key, text] of Object.entries(data.words[language])) keyOf[text] = keyOf[text] || key;
  // A card of the document in the language that is shown.
  const cardText = (text) => {
    const key = keyOf[text.replace("\u00a0", " ")];
    if (key) return w(key).replace(" ", "\u00a0");
    return text.replace(/^[A-Z]/, (found) => letter(rankOf(found, LANGUAGES[0])));
  };
  const titleOf = (game) => game.titles[language];
  const sidesOf = (game) => game.players[language];
  const textsOf = (game, field, between = ", ") => (field ? field.split("+").map((place) => game.texts[language][place]).join(between) : "");

  // --- the positions: every table of every deal of every game ---------------------------------

  const spots = [];
  data.games.forEach((game, g) => {
    game.firsts = [];
    game.turns.forEach((turns, d) => {
      game.firsts.push(spots.length);
      for (let turn = 0; turn <= turns; turn += 1) spots.push({ g, d, turn });
    });
  });
  const MARKS = ["blunder", "mistake", "chance"];
  // A game with its deals, which are read when they are needed.
  const gameOf = (g) => {
    const game = data.games[g];
    if (!game.deals) {
      Object.assign(game, JSON.parse(find("#tables" + (g + 1)).textContent));
      game.deals.forEach((deal, d) => {
        deal.first = game.firsts[d];
        deal.names = deal.names || game.names;
        deal.marks = deal.moments.map(([turn, , known]) => [turn, known.split(" ").pop()]).filter(([, kind]) => MARKS.includes(kind));
      });
      game.questions = game.questions.map(([deal, turn, better, played, hand, alike, options]) => {
        return { deal, turn, seat: game.deals[deal - 1].seats[turn - 1], better, played, hand, alike, options };
      });
    }
    return game;
  };
  let at = 0;
  let view = data.games[0].view;
  let shownGame = null;
  let shownDeal = null;
  // What is shown: the list of games; or the cover, the story, the table or the scores of a game.
  let screen = "";
  const many = data.games.length > 1;
  // The seat whose hand a small screen shows; "" follows the play.
  let chosen = "";
  // While the reader guesses: the player of the question, its number, and the points so far.
  let asking = "";
  let round = 0;
  let won = [];

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
  const ranked = (rank) => ("JQKA".includes(rank) ? w("rank_" + rank) : letter(rank));
  const spoken = (text) => {
    if (text === "*") return w("joker");
    if (text === "_") return w("unknown");
    if (/[rb]$/.test(text)) return w(text[1] === "r" ? "red_three" : "black_three");
    return text[1] ? w("card", { r: ranked(text[0]), s: w("suit_" + text[1]) }) : ranked(text[0]);
  };
  // A suit is drawn as a background, because a picture in each card would be slow to lay out.
  const pip = (suit) => / d="([^"]*)"/.exec(data.picture.suits[suit === "j" ? "*" : suit])[1];
  const COLOURS = { s: "1b1e1c", h: "b3162a", d: "b3162a", c: "1b1e1c", j: "6b3fa0" };
  for (const [suit, colour] of Object.entries(COLOURS)) {
    const drawing = "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 20 20'><path fill='#" + colour + "' d='" + pip(suit) + "'/></svg>";
    document.styleSheets[0].insertRule(".card." + suit + '::after { background-image: url("data:image/svg+xml,' + encodeURIComponent(drawing) + '"); }');
  }
  let faces = {};
  const face = (text) => {
    if (text === "_") return make("span", "card back");
    const suit = text === "*" ? "j" : GLYPHS[text[1]] ? text[1] : "plain";
    const ink = /[hdr]$/.test(text) ? " red" : "";
    return make("span", "card " + suit + ink, text === "*" ? "" : make("b", text[0] === "T" ? "ten" : "", letter(text[0])));
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

  // --- the table ------------------------------------------------------------------------------

  const layout = (game) => {
    const seats = game.seats.length;
    return { sides: seats, pile: seats + game.sides.length * 4 };
  };

  // Whose cards are shown: while the reader guesses, only those of the player who is asked.
  const eyes = () => asking || view;
  const unseen = (game, place, kind) => kind !== "end" && eyes() && eyes() !== game.seats[place] && !game.view;
  const heldBy = (game, place, now, kind) => {
    return unseen(game, place, kind) ? UNKNOWN.repeat(now[place].length) : now[place];
  };

  // The parts of the table, in boxes. Each is made only from the values that it is given, so it can
  // stay as it is while they do not change.

  const seatBox = (seat, name, sideAt, held, news, due, packet) => {
    const known = names(held).filter((text) => text !== "_");
    const box = make("section", "seat" + (due ? " due" : ""));
    box.dataset.seat = seat;
    box.dataset.hand = known.join(" ");
    box.dataset.count = held.length;
    const head = make("h2", "side" + sideAt, make("bdi", "", name));
    head.append(make("span", "count", String(held.length)));
    if (packet) head.append(make("span", "packet", packet));
    if (due) head.append(make("span", "badge", w("to_play")));
    const more = held.length - known.length;
    const label = [known.map(spoken).join(", "), more ? w("not_shown", { n: more }) : ""];
    const pick = make("button", "pick");
    pick.type = "button";
    pick.setAttribute("aria-label", w("show_hand", { n: name }));
    pick.addEventListener("click", () => {
      chosen = chosen === seat ? "" : seat;
      show(true);
      find("[data-seat='" + seat + "'] .pick").focus({ preventScroll: true });
    });
    const hand = row("hand", label.filter(Boolean).join(", ") || w("no_cards"), ...cards(held, news));
    hand.style.setProperty("--cards", Math.max(2, held.length));
    box.append(pick, head, hand);
    return box;
  };

  // A meld is a tile: its rank, how many cards it has, and a pip for each natural card.
  const meldBox = (meld, then) => {
    const [, place, letter, chars] = MELD.exec(meld);
    const kind = KINDS[letter.toLowerCase()];
    const text = names(chars);
    const box = make("div", "meld" + (kind ? " canasta " + kind : ""));
    box.dataset.meld = place;
    box.dataset.cards = text.join(" ");
    if (kind) box.dataset.canasta = kind;
    const concealed = kind && letter !== letter.toLowerCase();
    const words = kind ? w((concealed ? "hidden_" : "canasta_") + kind) : "";
    const news = then === null ? [] : fresh(chars, then);
    if (news.includes(true)) box.classList.add("fresh");
    box.setAttribute("role", "img");
    box.setAttribute("aria-label", [called(place), words, w("cards", { n: text.length }), text.map(spoken).join(", ")].filter(Boolean).join(", "));
    box.append(make("b", /^[hd]/.test(place) ? "red" : "", headOf(place)), make("span", "size", String(text.length)), pips(text, news, Boolean(GLYPHS[place[0]])));
    if (kind) {
      const named = w((concealed ? "concealed_" : "") + kind);
      const shown = make("span", "kind", named);
      shown.style.setProperty("--letters", Math.max(...named.split(" ").map((each) => each.length)));
      box.append(shown);
    }
    return box;
  };
  const headOf = (place) => (place[0] === "*" ? "★" : GLYPHS[place[0]] || letter(place[0])) + place.slice(1);
  const called = (place) => {
    const [mark, n] = place.split("/");
    const m = GLYPHS[mark] ? w("sequence_of", { s: w("suit_" + mark) }) : w("melds_" + mark);
    return n ? w("meld_number", { m, n }) : m;
  };
  const pips = (text, news, ranks) => {
    const box = make("span", "pips");
    text.forEach((each, at) => {
      const wild = each === "*" || each[0] === "2";
      const suit = GLYPHS[each[1]] || "";
      const shown = each === "*" ? "★" : each === "_" ? "?" : wild ? "2" + suit : ranks ? letter(each[0]) : suit || "·";
      box.append(make("i", (wild ? "wild" : /[hdr]$/.test(each) ? "red" : "") + (news[at] ? " fresh" : ""), shown));
    });
    return box;
  };

  const sideBox = (place, side, name, words, points, melds, threes, then) => {
    const old = new Map((then ? then[0] : "").split(".").filter(Boolean).map((meld) => MELD.exec(meld)).map(([, place, , chars]) => [place, chars]));
    const box = make("section", "side side" + place);
    box.dataset.side = side;
    box.dataset.threes = names(threes).join(" ");
    const head = make("h2", "", make("b", "", name), make("small", "", [words, points].filter(Boolean).join(" · ")));
    const list = make("div", "melds", ...melds.split(".").filter(Boolean).map((meld) => meldBox(meld, then ? old.get(MELD.exec(meld)[1]) || "" : null)));
    if (threes) {
      const tabled = make("div", "meld threes");
      tabled.setAttribute("role", "img");
      tabled.setAttribute("aria-label", w("tabled_cards", { c: names(threes).map(spoken).join(", ") }));
      tabled.append(make("b", "red", "3"), make("span", "size", String(threes.length)), pips(names(threes), then ? fresh(threes, then[1]) : [], false));
      list.append(tabled);
    }
    if (!list.children.length) list.append(make("p", "none", w("no_melds")));
    box.append(head, list);
    return box;
  };

  const centre = (pile, stock, arrived, words, packets, remarks, over) => {
    const middle = make("section", "centre");
    const stockBox = make("div", "stock", make("span", "card back"), make("span", "size", stock.replace("-", "–")), make("small", "", w("stock")));
    stockBox.dataset.stock = stock;
    const top = names(pile).pop() || "";
    const pileBox = make("div", "pile");
    pileBox.dataset.pile = "";
    pileBox.dataset.top = top;
    pileBox.dataset.count = pile.length;
    pileBox.dataset.cards = names(pile).join(" ");
    const label = top ? w("top_card", { c: spoken(top) }) + ", " + w("cards", { n: pile.length }) : w("empty_pile");
    pileBox.append(row("stack" + (pile.length > 1 ? " deep" : ""), label, top ? card(top, arrived) : make("span", "card empty")));
    pileBox.append(make("span", "size", String(pile.length)), make("small", "", w("pile")));
    middle.append(make("div", "decks", stockBox, pileBox), make("p", "frost", words));
    if (packets) middle.append(make("p", "frost", packets));
    if (remarks) middle.append(make("p", over ? "over" : "frost", remarks));
    if (pile.length > 1) {
      const under = row("under", w("whole_pile", { c: names(pile).map(spoken).join(", ") }), ...cards(pile));
      under.style.setProperty("--cards", pile.length);
      middle.append(under);
    }
    return middle;
  };

  // Draw a table; a box whose values have not changed stays as it is.
  const draw = (felt, game, deal, now, then) => {
    const kind = deal.kind;
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
      const packets = now.at(-1).split(".");
      [...game.seats].forEach((seat, at) => {
        const held = heldBy(game, at, now, kind);
        const news = unseen(game, at, kind) || !then ? null : fresh(held, then[at]);
        put(seatBox, seat, deal.names[at], game.sideOf[at], held, news && news.includes(true) ? news : null, due === seat, textsOf(game, packets[at]));
      });
      put(centre, pile, stock, Boolean(then) && then[fields.pile] !== pile, textsOf(game, words), textsOf(game, packets[game.seats.length]), textsOf(game, remarks, " · "), !due);
      [...game.sides].forEach((side, at) => {
        const [melds, threes, points, standing] = now.slice(fields.sides + at * 4);
        const before = then && then.slice(fields.sides + at * 4, fields.sides + at * 4 + 2);
        const changed = before && (before[0] !== melds || before[1] !== threes);
        const score = points !== "" && !(view && kind !== "end") && (then || !due) ? w(due ? "so_far" : "in_deal", { x: +points }) : "";
        put(sideBox, at, side, sidesOf(game)[at], textsOf(game, standing), score, melds, threes, changed ? before : null);
        felt.children[place - 1].dataset.points = view && kind !== "end" ? "" : points;
      });
    }
    while (felt.children.length > place) felt.lastChild.remove();
  };

  const heading = (spot) => {
    const game = gameOf(spot.g);
    const deal = game.deals[spot.d];
    return w((many ? "game_" : "head_") + (spot.turn ? "turn" : deal.kind), { g: spot.g + 1, d: spot.d + 1, k: game.deals.length, t: spot.turn, m: deal.turns });
  };

  // The written deal of a spot in the shown game.
  const section = (spot) => find("[data-number='" + (spot.d + 1) + "']", find("#record"));
  const line = (spot) => (spot.turn ? find(".turns", section(spot)).children[spot.turn - 1] : null);

  // What was done, without what one seat may not know.
  const shownTurn = (spot) => {
    const item = line(spot);
    if (!item) return null;
    const copy = item.cloneNode(true);
    copy.querySelectorAll("b").forEach((name) => name.removeAttribute("tabindex"));
    if (item.classList.contains("other")) {
      copy.querySelectorAll("u").forEach((hidden) => { hidden.textContent = w("hidden_card"); });
      copy.querySelectorAll("q, em, .finding").forEach((secret) => secret.remove());
      copy.className = "other";
    }
    return copy;
  };

  // The findings outside turns; those of the game are shown with its first deal.
  const elsewhere = (spot) => {
    if (view && !gameOf(spot.g).view) return [];
    const own = [...section(spot).querySelectorAll(".story > .finding")];
    return [...(spot.d ? [] : document.querySelectorAll("#record .cover .finding")), ...own].map((each) => {
      const copy = each.cloneNode(true);
      copy.removeAttribute("data-finding");
      return copy;
    });
  };

  const smallFace = (text, red, joker) => {
    const box = make("span", "face" + (red ? " red" : joker ? " wild" : ""), joker ? "★" : text);
    if (joker) {
      box.setAttribute("role", "img");
      box.setAttribute("aria-label", w("joker"));
    }
    return box;
  };

  // The cards of a turn, drawn as cards.
  const dealt = (box) => {
    for (const each of box.querySelectorAll("var, u")) {
      const text = each.textContent.split(" ").filter(Boolean);
      each.replaceChildren(...text.map((one) => {
        const [joker, red] = [one === w("joker"), /[♥♦]/.test(one) || one.replace("\u00a0", " ") === w("red_three")];
        return smallFace(one, red, joker);
      }));
    }
  };

  // If a turn or a better play lays many cards, only their number: the table shows them.
  const countLaid = (box, word, most) => {
    const runs = [...box.querySelectorAll("i + var")].filter((first) => first.previousElementSibling.textContent === w(word)).map((first) => {
      const run = [];
      for (let each = first; each && each.matches("var, small"); each = each.nextElementSibling) run.push(each);
      return { run, n: run.filter((each) => each.matches("var")).reduce((sum, each) => sum + each.textContent.split(" ").length, 0) };
    });
    if (runs.reduce((sum, { n }) => sum + n, 0) <= most) return;
    for (const { run, n } of runs) {
      run[0].before(w("cards", { n }) + " ");
      run.forEach((each) => each.remove());
    }
  };

  // A sentence with its values, and the key of its template.
  const sentenceOf = (name, key, values) => {
    const text = make("p", name, w(key, values));
    text.dataset.sentence = key;
    return text;
  };
  const inked = (text) => text.split(/((?:10|[2-9A-Z])[♥♦])/).map((part, at) => (at % 2 ? make("span", "red", part) : part));

  const happened = (spot) => {
    const copy = shownTurn(spot);
    const box = make("div", "note");
    box.dataset.note = "";
    if (asking) {
      box.append(question());
      return box;
    }
    if (!copy) {
      box.append(...elsewhere(spot), make("p", "", w("hint_" + gameOf(spot.g).deals[spot.d].kind)), ...[...section(spot).querySelectorAll(".story > q")].map((each) => each.cloneNode(true)));
      return box;
    }
    if (copy.className) box.classList.add(...copy.className.split(" "));
    const cost = find(".cost", copy);
    if (cost) cost.dataset.mark = copy.classList.contains("blunder") ? "blunder" : "mistake";
    else if (copy.classList.contains("chance")) find("em", copy).dataset.mark = "chance";
    const first = make("p", "did");
    while (copy.firstChild && (copy.firstChild.nodeType === Node.TEXT_NODE || copy.firstChild.matches("b, i, u, var"))) first.append(copy.firstChild);
    find("b", first).className = "side" + gameOf(spot.g).sideOf[gameOf(spot.g).seats.indexOf(gameOf(spot.g).deals[spot.d].seats[spot.turn - 1])];
    countLaid(first, "laid", 6);
    dealt(first);
    const many = first.querySelectorAll(".face").length > 12;
    first.classList.toggle("many", many);
    copy.querySelectorAll("em").forEach((each) => {
      countLaid(each, "lay", 12);
      dealt(each);
    });
    box.append(first, ...copy.childNodes);
    const game = gameOf(spot.g);
    const moved = view && !game.view ? 0 : (game.deals[spot.d].moved || [])[spot.turn - 1];
    const [side, x, e] = moved || [];
    const change = x ? sentenceOf("moved", "T1", { s: sidesOf(game)[side], x, e }) : sentenceOf("moved", "T2");
    // Comments come last: a small screen may not show all of them.
    const comment = find("q", box);
    if (moved && comment) comment.before(change);
    else if (moved) box.append(change);
    // Findings come first: a small screen may show no more.
    const rest = find("q, em, .ended, .moved", box);
    box.querySelectorAll(".finding").forEach((found) => {
      found.dataset.finding = found.dataset.code;
      if (rest) rest.before(found);
    });
    return box;
  };

  const sentence = (spot) => {
    const copy = shownTurn(spot);
    if (!copy) return heading(spot) + ".";
    copy.querySelectorAll(".finding .source, .finding small").forEach((more) => more.remove());
    copy.querySelectorAll("q, p, .finding").forEach((part) => part.prepend(". "));
    const text = copy.textContent.replace(/(10|[2-9A-Z])([♠♥♦♣])/g, (_, first, suit) => spoken(rankOf(first, language) + "shdc"["♠♥♦♣".indexOf(suit)]));
    return heading(spot) + ": " + text + ".";
  };

  const show = (quiet) => {
    const spot = spots[at];
    const game = gameOf(spot.g);
    const deal = game.deals[spot.d];
    const position = find("#position");
    Object.assign(position.dataset, { game: spot.g + 1, deal: spot.d + 1, turn: spot.turn });
    showDeal(spot);
    const [now, then] = [tables(deal)[spot.turn], tables(deal)[spot.turn - 1]];
    find("#where").textContent = asking ? w("guess_head", { q: round + 1, k: game.questions.length, d: spot.d + 1, t: spot.turn + 1 }) : heading(spot);
    const dressed = "felt seats" + game.seats.length + " " + deal.kind;
    // Within a deal, cards keep their size if they can.
    if (felt.dressed !== dressed || spot.turn < 2) fitted = null;
    if (!fitted) felt.className = felt.dressed = dressed;
    draw(felt, game, deal, now, then);
    const last = shownSeat(game, deal, spot, now);
    felt.querySelectorAll("[data-seat]").forEach((box) => {
      box.classList.toggle("shown", box.dataset.seat === last);
      find(".pick", box).setAttribute("aria-pressed", box.dataset.seat === last);
    });
    const box = happened(spot);
    box.tabIndex = 0;
    box.setAttribute("role", "group");
    box.setAttribute("aria-label", w("happened"));
    find(".note").replaceWith(box);
    const player = (seat) => deal.names[game.seats.indexOf(seat)];
    find("#view").textContent = view ? w("view_seat", { n: player(view) }) : w("view_all");
    find("#view").hidden = !deal.hands;
    drawCurve(spot);
    fit();
    mark(spot);
    // Still focusable, so that the keyboard does not lose its place at the end.
    document.querySelectorAll("[data-go]").forEach((button) => {
      const place = clamp(GO[button.dataset.go](), 0, spots.length - 1);
      button.setAttribute("aria-disabled", place === at);
    });
    if (!quiet) find("#said").textContent = sentence(spot);
  };

  const shownSeat = (game, deal, spot, now) => {
    if (asking) return asking;
    if (chosen && game.seats.includes(chosen)) return chosen;
    return view || deal.seats[spot.turn - 1] || (now && now[layout(game).pile + 3]) || game.seats[0];
  };

  // --- the size of the cards ------------------------------------------------------------------

  // The ways to draw the table, the first one preferred, each with its greatest card size: tiles;
  // dense tiles; dense without the row of the pile; canastas without pips; melds as chips; chips
  // that do not name the kind of canasta.
  const WAYS = [["", 9], ["dense", 6], ["dense nopile", 4], ["dense nopile short", 4], ["dense nopile lines", 3], ["dense nopile lines plain", 3]];
  // Card sizes in pixels; there are few, because trying one takes long.
  const SIZES = [12, 13, 14, 16, 18, 20, 22, 24, 27, 30];

  const felt = make("div", "felt");
  // How the table was drawn: the way, the sizes of hands and of melds, and how many cards there were.
  let fitted = null;

  // A new window, a new size.
  const room = () => {
    fitted = null;
    if (screen !== "table" && screen !== "guess") return;
    drawCurve(spots[at]);
    fit();
  };

  // Whether a sentence of the note is cut off. Comments and findings may be scrolled.
  const cut = () => {
    const note = find(".note");
    const { bottom } = note.getBoundingClientRect();
    return [...note.querySelectorAll(".did, [data-sentence]")].some((each) =>
      each.getBoundingClientRect().bottom + note.scrollTop > bottom + 0.5);
  };

  // Draw the table and the note into the window. If there is no room for both, the note gets what the
  // smallest table leaves, in smaller type and then in the smallest, and then the window is scrolled.
  const fit = (step = 0) => {
    const bare = !felt.children.length || felt.matches(".scores, .none");
    const { classList, style } = find("#viewer");
    document.documentElement.classList.toggle("bare", bare);
    classList.remove("free");
    classList.toggle("tight", step > 0);
    classList.toggle("tiny", step > 1);
    if (bare || (fitTable(step > 0) && !cut())) return;
    style.setProperty("--room", find(".note").offsetHeight + felt.clientHeight - felt.scrollHeight + "px");
    if (step < 2) fit(step + 1);
    else classList.add("free");
  };

  // Draw the table as large as fits; return whether it fits. The size of the turn before is kept if it
  // fits and the table is about as full; otherwise a new size is searched for.
  const fitTable = (tight) => {
    const fits = () => felt.scrollHeight <= felt.clientHeight && felt.scrollWidth <= felt.clientWidth;
    const load = felt.querySelectorAll(".meld, .shown .hand .card, .under .card").length;
    const sized = (hands, melds) => {
      felt.style.setProperty("--size", SIZES[hands] + "px");
      felt.style.setProperty("--melds", SIZES[melds] + "px");
      return fits();
    };
    const fuller = fitted && load >= 0.8 * fitted.load;
    if (fuller) {
      if (fits()) return true;
      for (let { hands, melds } = fitted, tries = 0; hands + melds > 0 && tries < 3; tries += 1) {
        if (melds > hands) melds -= 1;
        else hands = melds = hands - 1;
        if (sized(hands, melds)) {
          Object.assign(fitted, { hands, melds, load });
          return true;
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
      // The next turn may have more room.
      fitted = tight ? null : { at, hands, melds, load };
      return true;
    }
    fitted = null;
    return false;
  };

  // --- the picture of a moment ----------------------------------------------------------------

  const ESCAPES = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#x27;" };
  const html = (text) => text.replace(/[&<>"']/g, (char) => ESCAPES[char]);
  const clipped = (text, most) => ([...text].length > most ? [...text].slice(0, most - 1).join("") + "…" : text);

  // The table of a moment as SVG, with only what the current view shows. It is drawn in the same steps
  // as by render/diagram.py.
  const picture = (spot) => {
    const game = gameOf(spot.g);
    const deal = game.deals[spot.d];
    const now = tables(deal)[spot.turn];
    const fields = layout(game);
    const [pile, , stock, due, , size, frost, ...needs] = now.slice(fields.pile);
    const lying = now.at(-1).split(".");
    const { style, table, blank, suits, lengths } = data.picture;
    const { width, margin, half, card: [across, down], below, beside, column, line: high, gap } = lengths;
    const code = (char) => data.alphabet.indexOf(char);
    const used = new Set();
    const parts = [];
    let y = margin;
    const write = (text, x, kind) => {
      parts.push('<text x="' + x + '" y="' + (y + 22) + '"' + (kind ? ' class="' + kind + '"' : "") + ">" + html(text) + "</text>");
      y += high;
    };
    const use = (chars, x, place) => {
      const uses = chars.map((char, at) => '<use href="#c' + code(char) + '" ' + place(at) + "/>");
      chars.forEach((char) => used.add(char));
      parts.push('<g transform="translate(' + x + " " + y + ')">' + uses.join("") + "</g>");
    };
    const spread = (chars, x, room) => {
      const step = Math.min(beside, (room - across) / Math.max(1, chars.length - 1));
      use(chars, x, (at) => 'x="' + Math.round(at * step) + '"');
    };
    const suit = (char) => (data.cards[char] === "*" ? "*" : GLYPHS[data.cards[char][1]] ? data.cards[char][1] : "");
    const defined = (char) => {
      const text = data.cards[char];
      const red = /[hdr]$/.test(text);
      const tens = text[0] === "T" ? ' textLength="20" lengthAdjust="spacingAndGlyphs"' : "";
      let drawn = '<text x="3" y="22"' + (red ? "" : ' class="k"') + tens + ">" + letter(text[0]) + "</text>" + (suit(char) ? '<use href="#' + suit(char) + '"/>' : "");
      if (text === "_") drawn = '<rect x="4" y="4" width="36" height="52" rx="3" fill="#274b7a"/>';
      if (text === "*") drawn = '<use href="#j" x="-18"/>';
      return '<g id="c' + code(char) + '"' + (red ? ' class="r"' : text === "*" ? ' fill="#6b3fa0"' : "") + '><use href="#b"/>' + drawn + "</g>";
    };
    const range = (text) => (text.includes("-") ? w("pic_range", { p: text.split("-")[0], q: text.split("-")[1] }) : text);

    const hand = (at, left, alone) => {
      const seat = game.seats[at];
      const held = [...heldBy(game, at, now, deal.kind)];
      const name = deal.names[at] === seat ? "" : " " + clipped(deal.names[at], lengths.name);
      write(w("pic_hand", { s: seat + name, n: held.length }) + (due === seat ? " ▸" : ""), left, "n");
      const most = lengths.row[+alone];
      for (let first = 0; first < held.length; first += most) {
        spread(held.slice(first, first + most), left, alone ? width - 2 * margin : half - gap);
        y += down + (first + most >= held.length ? gap : 4);
      }
      packets(at, left);
    };
    const packets = (owner, left) => {
      for (const place of (lying[owner] || "").split("+").filter(Boolean)) {
        spread([UNKNOWN], left, half);
        parts.push('<text x="' + (left + across + 10) + '" y="' + (y + 37) + '" class="n">' + html(textsOf(game, place)) + "</text>");
        y += down + gap;
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
      spread([UNKNOWN], margin, half);
      spread([...pile].slice(-1), margin + lengths.pile, half);
      const words = textsOf(game, frost);
      const put = (text, x, y2) => parts.push('<text x="' + x + '" y="' + (y + y2) + '" class="n">' + html(text) + "</text>");
      put(w("pic_stock", { x: range(stock) }), margin + across + 10, 37);
      put(w("pic_pile", { x: range(size || String(pile.length)) }), margin + lengths.pile + across + 10, words ? 24 : 37);
      if (words) put(words, margin + lengths.pile + across + 10, 48);
      y += down + gap;
      packets(game.seats.length, margin);
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
      const score = points && !(view && deal.kind !== "end") ? w("pic_points", { s: game.sides[at], x: points }) : game.sides[at];
      write([score, textsOf(game, needs[at])].filter(Boolean).join(", "), margin);
      const columns = melds.split(".").filter(Boolean).map((meld) => {
        const [, , letter, text] = MELD.exec(meld);
        const kind = KINDS[letter.toLowerCase()];
        const chars = [...text];
        return [kind ? chars.slice(-1) : chars, [chars.length, kind && w(kind)].filter(Boolean)];
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

    const dealt = w(spot.turn ? "pic_turn" : deal.kind === "end" ? "pic_end" : "pic_play", { d: spot.d + 1, t: spot.turn });
    const place = view ? w("pic_seat", { p: dealt, n: view }) : dealt;
    const capital = (text) => text[0].toUpperCase() + text.slice(1);
    const title = game.event ? game.event + ": " + place : capital(place);
    const long = game.event && [...title].length > lengths.heading;
    (long ? [game.event, capital(place)] : [title]).forEach((text) => write(clipped(text, lengths.heading), margin));
    const [above, under] = lengths.round[game.seats.length];
    above.forEach(hands);
    decks();
    [...game.sides].forEach((_, at) => side(at));
    under.forEach(hands);
    const shown = [...data.alphabet].filter((char) => used.has(char));
    const kinds = Object.keys(suits).filter((each) => shown.some((char) => suit(char) === each));
    const all = blank + kinds.map((each) => suits[each]).join("") + shown.map(defined).join("");
    const height = y + margin - gap;
    const text = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ' + width + " " + height + '" role="img" aria-labelledby="title desc"><title id="title">' + html(title)
      + '</title><desc id="desc">' + html(sentence(spot)) + "</desc><style>" + style + "</style><defs>" + all
      + '</defs><rect width="' + width + '" height="' + height + '" rx="20" fill="' + table + '"/>' + parts.join("") + "</svg>";
    return { text, width, height };
  };

  const fileName = (kind) => "canasta-game-" + (spots[at].g + 1) + "-deal-" + (spots[at].d + 1) + "-turn-" + spots[at].turn + "." + kind;
  const keep = (blob, name) => {
    const link = make("a");
    link.href = URL.createObjectURL(blob);
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
    find("#done").textContent = w("saved", { f: link.download });
  };
  const save = (kind) => {
    const { text, width, height } = picture(spots[at]);
    if (kind === "svg") {
      keep(new Blob([text], { type: "image/svg+xml" }), fileName(kind));
      return;
    }
    const sized = text.replace("<svg", '<svg width="' + width + '" height="' + height + '"');
    painted(sized, 2 * width, 2 * height, fileName(kind));
  };
  // Save an SVG as PNG.
  const painted = (svg, width, height, name) => {
    const image = new Image();
    image.onload = () => {
      const canvas = make("canvas");
      [canvas.width, canvas.height] = [width, height];
      canvas.getContext("2d").drawImage(image, 0, 0, width, height);
      canvas.toBlob((blob) => keep(blob, name), "image/png");
    };
    image.src = "data:image/svg+xml," + encodeURIComponent(svg);
  };
  const saveGame = () => painted(gameOf(spots[at].g).picture[language], 1200, 630, "canasta-game-" + (spots[at].g + 1) + ".png");

  // --- the record: cover, story, turns and scores of the shown game ---------------------------

  // On a page of several games, the record of a game is made when it is opened.
  const openGame = (g) => {
    if (shownGame === g) return;
    const written = find("#record" + (g + 1));
    if (written) find("#record").innerHTML = written.textContent;
    document.querySelectorAll(".games tbody tr").forEach((row) => row.classList.toggle("open", +row.cells[0].dataset.by === g + 1));
    shownGame = g;
    shownDeal = null;
    drawnCurve = "";
    translate(find("#record"), gameOf(g).said);
  };

  const showDeal = (spot) => {
    openGame(spot.g);
    const shown = section(spot);
    const game = gameOf(spot.g);
    const oneSeat = view !== "" && !game.view;
    document.body.classList.toggle("one-seat", oneSeat);
    const seenBy = oneSeat ? view : "";
    if (shown !== shownDeal || shown.seenBy !== seenBy) listTurns(spot, seenBy);
    shownDeal = shown;
    if (shown.seenBy === seenBy) return;
    shown.seenBy = seenBy;
    shown.querySelectorAll(".turns li").forEach((item, place) => {
      item.classList.toggle("other", oneSeat && game.deals[spot.d].seats[place] !== view);
    });
  };

  // The turns of a deal in brief: mark, number, player, what was taken, laid and discarded. Who sees
  // only one hand does not see the marks of others.
  const listTurns = (spot, seenBy) => {
    const game = gameOf(spot.g);
    const deal = game.deals[spot.d];
    const kinds = Object.fromEntries(deal.marks);
    find("#viewer .list").replaceChildren(...deal.acts.map((act, place) => {
      const [took = "", laid = "", discard = "", out = ""] = act.split(",");
      const seat = game.seats.indexOf(deal.seats[place]);
      const link = make("a", "", make("span", "mark " + (((!seenBy || seenBy === deal.seats[place]) && kinds[place + 1]) || "")), make("span", "turn", String(place + 1)),
        make("b", "side" + game.sideOf[seat], deal.names[seat]), make("span", "", took && w("list_took", { n: +took })), make("span", "", laid && w("list_laid", { n: +laid })), out ? make("b", "", w("list_out")) : discard && card(discard));
      link.href = address({ ...spot, turn: place + 1 });
      return make("li", "", link);
    }));
  };

  let marked = null;
  const mark = (spot) => {
    const list = find("#viewer .list");
    const item = spot.turn ? list.children[spot.turn - 1] : null;
    if (marked) find("a", marked).removeAttribute("aria-current");
    marked = item;
    if (!item) {
      list.scrollTop = 0;
      return;
    }
    find("a", item).setAttribute("aria-current", "step");
    const top = item.offsetTop - list.offsetTop;
    if (top < list.scrollTop || top + item.offsetHeight > list.scrollTop + list.clientHeight) list.scrollTop = top - list.clientHeight / 3;
  };

  // --- the curve of the game ------------------------------------------------------------------

  // The game of the curve, and the places of its moments and points.
  let drawnCurve = "";
  let scale = null;
  const RIM = 4;
  // The width of the figure at the cursor, and the name beside it.
  const LEAD = 150;
  const leadName = (game, width) => clipped(sidesOf(game)[0], Math.floor((width - LEAD) / 7));

  const shape = (name, attributes, ...children) => {
    const element = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    element.append(...children);
    return element;
  };

  const drawCurve = (spot) => {
    const svg = find("#viewer .curve");
    const [width, height] = [svg.clientWidth, svg.clientHeight];
    const key = [spot.g, width, height].join();
    if (!width) return;
    if (drawnCurve !== key) {
      drawnCurve = key;
      drawLines(svg, gameOf(spot.g), width, height);
    }
    const place = at - gameOf(spot.g).firsts[0];
    const [x, y] = [scale.x(place), scale.at(0, place)];
    const [value, error] = [scale.lines[0][place], scale.errors[place]];
    const words = value === null ? "" : said(gameOf(spot.g), value, error);
    const here = [shape("path", { class: "here", d: "M" + x + " 0V" + (height - 14) })];
    if (y !== null && scale.lines.length === 1) {
      here.push(shape("circle", { class: "dot", cx: x, cy: y, r: 4.5 }));
      // Left of the cursor if it hides the right end, and there is room beside the name.
      const right = x > width - LEAD && x > LEAD + 7 * leadName(gameOf(spot.g), width).length;
      const side = value > 0 ? " side0" : value < 0 ? " side1" : "";
      here.push(shape("text", { class: "lead" + side, x: right ? x - 8 : width - RIM, y: 11, "text-anchor": "end" }, said(gameOf(spot.g), value, error, "lead")));
    }
    find(".cursor", svg).replaceChildren(...here);
    svg.setAttribute("aria-valuenow", place);
    svg.setAttribute("aria-valuetext", w(words && scale.lines.length === 1 ? "at_turn_said" : "at_turn", { d: spot.d + 1, t: spot.turn, w: words }));
  };

  // The figure at the cursor: exact, or rounded with its errors.
  const said = (game, value, error, key = "ahead") => {
    const fives = Math.abs(value) < 100 ? 5 : 10;
    const [near, most] = [fives * Math.round(Math.abs(value) / fives), fives * Math.ceil(error / fives)];
    if (error && most >= near) return w("close_call");
    if (!value) return w("even");
    const s = sidesOf(game)[value > 0 ? 0 : 1];
    return error ? w(key + "_about", { s, x: near, e: most }) : w(key, { s, x: Math.abs(value) });
  };

  const drawLines = (svg, game, width, height) => {
    const low = height - 14;
    const lines = game.deals[0].lines.map((_, line) => game.deals.flatMap((deal) => deal.lines[line]));
    const errors = game.deals.flatMap((deal) => deal.errors || deal.lines[0].map(() => 0));
    const known = lines.flat().filter((each) => each !== null);
    const most = Math.max(1, ...known.map(Math.abs));
    const [top, bottom] = lines.length === 1 ? [most, -most] : [Math.max(1, ...known), Math.min(0, ...known)];
    const x = (place) => Math.round(10 * (RIM + (place * (width - 2 * RIM)) / Math.max(1, lines[0].length - 1))) / 10;
    const y = (value) => Math.round(10 * (4 + ((top - Math.max(bottom, Math.min(top, value))) * (low - 8)) / (top - bottom))) / 10;
    scale = { x, lines, errors, at: (line, place) => (lines[line][place] === null ? null : y(lines[line][place])) };
    const path = (line) => line.map((value, place) => (value === null ? "" : x(place) + " " + y(value))).filter(Boolean).join("L");
    const parts = [shape("path", { class: "axis", d: "M0 " + y(0) + "H" + width + "M0 " + (low + 1) + "H" + width })];
    let first = 0;
    game.deals.forEach((deal, d) => {
      const end = first + deal.lines[0].length - 1;
      if (d) parts.push(shape("path", { class: "axis", d: "M" + (x(first) - 1) + " 0V" + height }));
      if (x(end) - x(first) > 8 * String(d + 1).length) parts.push(shape("text", { x: (x(first) + x(end)) / 2, y: height - 3, "text-anchor": "middle" }, x(end) - x(first) > 50 ? w("deal", { n: d + 1 }) : d + 1));
      first = end + 1;
    });
    if (!known.length) parts.length = 1;
    else if (lines.length === 1) {
      const line = lines[0];
      if (errors.some(Boolean)) {
        const band = (sign) => line.map((value, place) => (value === null ? "" : x(place) + " " + y(value + sign * errors[place]))).filter(Boolean);
        parts.push(shape("path", { class: "band", d: "M" + [...band(1), ...band(-1).reverse()].join("L") + "Z" }));
      }
      for (const [side, from, tall] of [[0, 0, y(0)], [1, y(0), low - y(0)]]) {
        parts.push(shape("clipPath", { id: "half" + side }, shape("rect", { y: from, width, height: Math.max(0, tall) })));
        parts.push(shape("path", { class: "line side" + side, d: "M" + path(line), "clip-path": "url(#half" + side + ")" }));
      }
      // A narrow curve has room only for the figure at the cursor.
      if (width > 300) parts.push(shape("text", { class: "side0", x: 5, y: 11 }, leadName(game, width)), shape("text", { class: "side1", x: 5, y: low - 4 }, sidesOf(game)[1]));
    } else {
      lines.forEach((line, side) => parts.push(shape("path", { class: "line side" + side, d: "M" + path(line) })));
      const legend = sidesOf(game).map((name, side) => shape("tspan", { class: "side" + side, dx: side ? 8 : 0 }, clipped(name, 16)));
      parts.push(shape("text", { x: 5, y: 11 }, ...legend));
    }
    let start = 0;
    for (const deal of game.deals) {
      for (const [turn, kind] of deal.marks) {
        const place = start + turn;
        const height = scale.at(0, place);
        if (height !== null) parts.push(shape(...sign(kind, x(place), height)));
      }
      start += deal.lines[0].length;
    }
    svg.setAttribute("viewBox", "0 0 " + width + " " + height);
    svg.setAttribute("aria-valuemax", lines[0].length - 1);
    svg.replaceChildren(...parts, shape("g", { class: "cursor" }));
  };

  const sign = (kind, x, y) => {
    const given = { class: "mark " + kind, "data-mark": kind };
    if (kind === "blunder") return ["circle", { ...given, cx: x, cy: y, r: 3.6 }];
    if (kind === "mistake") return ["path", { ...given, d: "M" + x + " " + (y - 4.4) + "l4.4 4.4-4.4 4.4-4.4-4.4z" }];
    return ["circle", { ...given, cx: x, cy: y, r: 2.6 }];
  };

  // --- moving ---------------------------------------------------------------------------------

  const clamp = (place, least, most) => Math.min(Math.max(place, least), most);
  const dealOf = (place) => gameOf(spots[place].g).deals[spots[place].d];
  // What one seat cannot know about another's turn is not a moment in its view.
  const momentOf = (game, deal, [turn, seen, known]) => {
    const other = view !== "" && !game.view && deal.seats[turn - 1] !== view;
    const keys = [seen, other ? "" : known].join(" ").split(" ").filter(Boolean);
    return keys.map((key) => (data.words[language]["event_" + key] ? w("event_" + key) : key)).join(", ");
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
    PageDown: "next-deal", PageUp: "previous-deal", Home: "first", End: "last", n: "next-event", p: "previous-event",
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

  const prefix = (g) => (many ? "g" + (g + 1) : "");
  const address = (spot) => "#" + prefix(spot.g) + "d" + (spot.d + 1) + "t" + spot.turn + (view && !gameOf(spot.g).view ? "&seat=" + view : "");

  const remember = () => {
    if (data.embedded) return;
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
    find("#said").textContent = view ? w("only_sees", { n: dealOf(at).names[gameOf(spots[at].g).seats.indexOf(view)] }) : w("all_cards");
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

  const listMoments = () => {
    const spot = spots[at];
    const game = gameOf(spot.g);
    const deal = game.deals[spot.d];
    find("#moments").replaceChildren(...deal.moments.filter((each) => momentOf(game, deal, each)).map((each) => {
      const link = make("a", "", w("event", { t: each[0], n: find("b", line({ ...spot, turn: each[0] })).textContent, m: momentOf(game, deal, each) }));
      link.href = address({ ...spot, turn: each[0] });
      link.addEventListener("click", () => find("#more").close());
      return make("li", "", link);
    }));
    if (!find("#moments").children.length) find("#moments").append(make("li", "none", w("no_events")));
  };

  const toggleMore = () => {
    find("#done").textContent = "";
    listMoments();
    toggle(find("#more"), find("#menu"));
  };

  // A file on this device has no address that another person could open.
  const alone = location.protocol !== "https:" && location.protocol !== "http:";
  const copyLink = async () => {
    const place = screen === "share" ? to("cover", spots[at].g) : address(spots[at]);
    const text = (alone ? "" : location.href.split("#")[0]) + place;
    try {
      await navigator.clipboard.writeText(text);
      find("#done").textContent = w(alone ? "copied_part" : "copied", { x: text });
    } catch {
      const field = make("input", "link");
      field.value = text;
      field.readOnly = true;
      field.setAttribute("aria-label", w("link"));
      find("#done").replaceChildren(w("no_copy"), field);
      field.select();
    }
  };

  // --- guessing -------------------------------------------------------------------------------

  const questions = () => gameOf(shownGame).questions;
  const CARD = /\*|[2-9TJQKA][shdc]|3[rb]/g;

  // The cards that a play lays, by melds, and what it discards: a record spells it "K:KsKhKd -4s #".
  const spelled = (play) => {
    const tokens = play.split(" ").map((token) => token.split(":"));
    const laid = tokens.filter(([, cards]) => cards).map(([meld, cards]) => [meld, cards.match(CARD)]);
    return { laid, discarded: tokens.filter(([token]) => token[0] === "-").map(([token]) => token.slice(1)) };
  };
  // A play in words; "+" is to draw, and "^" to take the pile.
  const played = (play) => {
    if (play === "+" || play === "^") return [make("i", "", w(play === "+" ? "draw_card" : "take_pile"))];
    const { laid, discarded } = spelled(play);
    const parts = laid.length ? [make("i", "", w("lay"))] : [];
    for (const [meld, cards] of laid) {
      parts.push(make("span", "faces", ...cards.map(faced)));
      // Wild cards do not show on which meld they are laid; a special hand has a longer name.
      if (!/^(\*|[a-z]{2})/.test(meld) && cards.every((text) => text === "*" || text[0] === "2")) parts.push(make("small", "", w("onto", { r: called(meld) })));
    }
    if (discarded.length) parts.push(make("i", "", w("discard")), make("span", "faces", ...discarded.map(faced)));
    return play.includes("#") ? [...parts, make("i", "", w("go_out"))] : parts;
  };
  const faced = (text) => smallFace(letter(text[0]) + (GLYPHS[text[1]] || ""), /[hdr]$/.test(text), text === "*");

  const question = () => {
    const game = gameOf(shownGame);
    const asked = questions()[round];
    const drawn = make("p", "did");
    // What the player had drawn or taken before deciding what to lay.
    const done = line(spotOf(asked)).querySelectorAll("i, u, var");
    if (asked.hand) for (const part of done) {
      if (part.matches("i") && drawn.children.length && !/^\(\d+\)$/.test(part.textContent)) break;
      drawn.append(part.cloneNode(true), " ");
    }
    dealt(drawn);
    const box = make("article", "question", sentenceOf("ended", asked.hand ? "Q2" : "Q1", { n: nameOf(game, asked) }), drawn);
    if (asked.hand) box.append(...tapping(game, asked, (place) => answer(game, asked, place, box)));
    const options = make("p", "options", ...asked.options.map(([play], place) => {
      const button = make("button", "", ...played(play));
      button.type = "button";
      button.addEventListener("click", () => answer(game, asked, place, box));
      return button;
    }));
    box.append(options);
    return box;
  };

  // The hand of a question: a tap lays a card, a second one discards it, a third one keeps it.
  const tapping = (game, asked, choose) => {
    const marks = [...asked.hand].map(() => 0);
    const held = tables(game.deals[asked.deal - 1])[asked.turn - 1][game.seats.indexOf(asked.seat)];
    const news = fresh(asked.hand, held);
    const line = make("p", "untried", w("tap_hint"));
    const ready = make("button", "first", w("play_tapped"));
    ready.type = "button";
    const put = (place, mark) => {
      marks[place] = mark;
      const button = hand.children[place];
      const text = data.cards[asked.hand[place]];
      button.dataset.tapped = ["", "lay", "discard"][mark];
      button.lastChild.textContent = mark ? w(button.dataset.tapped) : "";
      button.setAttribute("aria-label", spoken(text) + (mark ? ", " + w(button.dataset.tapped) : ""));
      ready.hidden = !marks.some(Boolean);
    };
    const tap = (place) => {
      const mark = (marks[place] + 1) % 3;
      if (mark === 2 && marks.includes(2)) put(marks.indexOf(2), 0);
      put(place, mark);
    };
    const hand = make("p", "tapping", ...[...asked.hand].map((char, place) => {
      const button = make("button", "", card(data.cards[char], news[place]), make("small"));
      button.type = "button";
      button.addEventListener("click", () => tap(place));
      return button;
    }));
    marks.forEach((_, place) => put(place, 0));
    const marked = (mark) => [...asked.hand].filter((_, place) => marks[place] === mark);
    ready.addEventListener("click", () => {
      const key = inKinds(asked, marked(1), marked(2));
      const found = asked.options.flatMap(([play], place) => (tapped(asked, play) === key ? place : []));
      if (found.length === 1) choose(found[0]);
      else line.textContent = w("untried");
    });
    return [hand, line, make("p", "go", ready)];
  };

  // What is laid and discarded, each card as the first in the hand that counts as the same, in order.
  const inKinds = (asked, ...parts) => parts.map((chars) => {
    const kinds = chars.map((char) => asked.alike[asked.hand.indexOf(char)]);
    return [...data.alphabet].flatMap((char) => kinds.filter((each) => each === char)).join("");
  }).join("-");
  // The same of a play.
  const tapped = (asked, play) => {
    const { laid, discarded } = spelled(play);
    const chars = (texts) => texts.map((text) => [...data.alphabet].find((char) => data.cards[char] === text));
    return inKinds(asked, chars(laid.flatMap(([, cards]) => cards)), chars(discarded));
  };

  const nameOf = (game, asked) => game.deals[asked.deal - 1].names[game.seats.indexOf(asked.seat)];
  const spotOf = (asked) => ({ g: shownGame, d: asked.deal - 1, turn: asked.turn });

  // The answer: the points, then what was chosen, what was better and what was played.
  const answer = (game, asked, chosen, box) => {
    const points = asked.options[chosen][1];
    won[round] = points;
    const rows = [["yours", chosen], ["found_better", asked.better], ["was_played", asked.played]];
    const table = make("dl", "answer", ...rows.filter(([, place], at) => !at || place !== chosen).flatMap(([key, place]) => {
      const [play, , x, e] = asked.options[place];
      const figures = place === asked.played ? "" : make("b", "", w(x > 0 ? "A4" : x < 0 ? "A5" : "A6", { x: Math.abs(x), e }));
      return [make("dt", "", w(key)), make("dd", "", ...played(play), " ", figures)];
    }));
    const said = make("p", "ended", w("answer_" + (points === null ? "close" : points), { n: nameOf(game, asked) }));
    said.dataset.sentence = points === null ? "A3" : "A" + points;
    const next = make("button", "first", w(round + 1 < questions().length ? "next_question" : "your_score"));
    next.type = "button";
    next.addEventListener("click", () => {
      round += 1;
      guess();
      find(".note").focus({ preventScroll: true });
    });
    box.querySelectorAll(".tapping, .untried, .go").forEach((each) => each.remove());
    find(".options", box).replaceWith(said, table, make("p", "go", next));
    room();
    find("#said").textContent = said.textContent;
    next.focus();
  };

  const guess = () => {
    const all = questions();
    if (round >= all.length) {
      score();
      return;
    }
    asking = all[round].seat;
    scrollTo(0, 0);
    document.body.classList.toggle("tapped", Boolean(all[round].hand));
    at = gameOf(shownGame).firsts[all[round].deal - 1] + all[round].turn - 1;
    show(true);
    find("#said").textContent = find(".question p").textContent;
  };

  const SQUARES = ["🟥", "🟨", "🟩"];
  const score = () => {
    const counted = won.filter((each) => each !== null);
    const [n, m] = [counted.reduce((sum, each) => sum + each, 0), 2 * counted.length];
    const squares = won.map((each) => (each === null ? "⬜" : SQUARES[each])).join("");
    const text = [w("guess_share", { e: titleOf(data.games[shownGame]), n, m }), squares, w("guess_dare")].join("\n");
    const field = make("pre", "share", text);
    const share = make("button", "first", w(navigator.share ? "share" : "copy_text"));
    share.type = "button";
    share.hidden = data.embedded;
    share.addEventListener("click", async () => {
      if (navigator.share) await navigator.share({ text }).catch(() => {});
      else share.textContent = await navigator.clipboard.writeText(text).then(() => w("copied_text"), () => w("select_text"));
    });
    const again = make("button", "", w("again"));
    again.type = "button";
    again.addEventListener("click", () => {
      [round, won] = [0, []];
      guess();
    });
    find(".note").replaceChildren(make("p", "ended", w("guess_score", { n, m })), field, make("p", "go", share, again));
  };

  // --- automatic play ----------------------------------------------------------------------

  let timer = 0;
  const stop = () => {
    clearInterval(timer);
    timer = 0;
    find("#play").textContent = w("play");
  };
  const play = () => {
    if (timer) {
      stop();
      return;
    }
    find("#play").textContent = w("pause");
    find("#more").close();
    timer = setInterval(() => {
      go(at + 1);
      if (at === spots.length - 1 || (find("#pause").checked && isEvent(spots[at]))) stop();
    }, +find("#pace").value);
  };

  // --- where the address leads ----------------------------------------------------------------

  const SHORT = /^(?:g(\d{1,6}))?(?:(story|scores|list|guess|share)|s(\d{1,6})|d(\d{1,6})t(\d{1,6}))?$/;
  const LONG = /^(game|deal|turn)=(\d{1,6})$/;

  // What an address names: the screen, the game, the deal and the turn; and the parts that name
  // nothing on this page. A number beyond the last means the last.
  const target = (fragment) => {
    const found = { screen: "cover", g: shownGame || 0, deal: 1, turn: 0, seat: "", wrong: [] };
    const long = {};
    for (const part of fragment.split("&").filter(Boolean)) {
      const [, seat] = /^seat=(\w)$/.exec(part) || [];
      const [, name, number] = LONG.exec(part) || [];
      const short = SHORT.exec(part);
      if (seat) found.seat = seat;
      else if (name) long[name] = +number;
      else if (short) {
        const [, g, word, storied, deal, turn] = short;
        if (g) found.g = +g - 1;
        if (word === "list" && !many) found.wrong.push(part);
        else if (word) found.screen = word;
        if (storied) Object.assign(found, { screen: "story", deal: +storied, jump: true });
        if (deal) Object.assign(found, { screen: "table", deal: +deal, turn: +turn });
      } else found.wrong.push(part);
    }
    if (Object.keys(long).length) Object.assign(found, { screen: "table", g: (long.game || 1) - 1, deal: long.deal || 1, turn: long.turn || 0 });
    else if (found.seat && !/^[^&]*d\d/.test(fragment)) found.screen = "table";
    found.g = clamp(found.g, 0, data.games.length - 1);
    const game = gameOf(found.g);
    found.deal = clamp(found.deal, 1, Math.max(1, game.deals.length));
    const last = game.deals.length ? game.deals[found.deal - 1].changes.length : 0;
    found.turn = clamp(found.turn, 0, last);
    const seats = game.view ? [game.view] : game.seats;
    if (found.seat && !seats.includes(found.seat)) {
      found.wrong.push("seat=" + found.seat);
      found.seat = "";
    }
    if (found.wrong.length) Object.assign(found, { screen: many ? "list" : "cover" });
    found.seat = found.seat || game.view;
    return found;
  };

  const TABS = { cover: "", story: "story", scores: "scores", share: "share" };
  const to = (name, g) => "#" + (name === "list" ? "" : name === "table" ? address({ g, d: 0, turn: 0 }).slice(1) : prefix(g) + TABS[name]);

  // Show a screen. The table keeps its place.
  const turnTo = (name, g) => {
    screen = name;
    const main = find("main");
    main.dataset.screen = name;
    document.body.className = (name === "guess" ? "at-table at-" : "at-") + name + (many ? " many" : "");
    find("#viewer").hidden = name !== "table" && name !== "guess";
    // The buttons to share are on a screen of their own, and in the menu of the table.
    const giving = name === "share";
    find("#giving").hidden = !giving;
    find(giving ? "#giving h1" : "#more-title").after(find("#sharing"), find("#done"));
    find("#done").textContent = "";
    find("#copy").hidden = giving && alone && !many;
    find("#back").textContent = w(name === "guess" ? "back_result" : "back_story");
    if (name !== "table") for (const key of ["game", "deal", "turn"]) delete find("#position").dataset[key];
    find("#back").href = "#" + prefix(g) + (name === "guess" ? "" : "s" + (spots[at].d + 1));
    document.querySelectorAll(".tabs a").forEach((tab) => {
      tab.href = to(tab.dataset.tab, g);
      if (tab.dataset.tab === name) tab.setAttribute("aria-current", "page");
      else tab.removeAttribute("aria-current");
    });
  };

  // Follow a link of the page. An embedded page leaves the address alone.
  const follow = (hash) => {
    if (data.embedded) arrive(hash);
    else location.hash = hash;
  };

  const open = (hash) => {
    let fragment = hash.slice(1);
    try {
      fragment = decodeURIComponent(fragment);
    } catch {
      // It stays as it is written.
    }
    const found = target(fragment);
    if (many && !fragment) found.screen = "list";
    const problem = find("#problem");
    problem.hidden = !found.wrong.length;
    problem.textContent = w("no_such", { x: found.wrong.join(", ") });
    const game = gameOf(found.g);
    view = found.seat;
    if (game.deals.length) at = game.firsts[found.deal - 1] + found.turn;
    openGame(found.g);
    document.title = found.screen === "table" ? w("title_deal", { e: titleOf(game), d: found.deal }) : titleOf(game);
    if (found.screen === "guess" && !questions().length) found.screen = "cover";
    turnTo(found.screen, found.g);
    asking = "";
    if (found.screen === "table") {
      show(true);
      remember();
    } else stop();
    if (found.screen === "guess") {
      [round, won] = [0, []];
      guess();
    }
    const article = found.jump && find("#s" + found.deal);
    if (article) article.scrollIntoView();
    else scrollTo(0, 0);
  };

  // --- the language ---------------------------------------------------------------------------

  // Write a part of the document in the current language; the original text is kept.
  const translate = (box, texts) => {
    const put = (elements, written) => elements.forEach((each) => {
      each.first = each.first || [...each.childNodes];
      each.replaceChildren(...(language === LANGUAGES[0] ? each.first : written(each)));
    });
    const at = (each) => texts[language][each.dataset.t];
    const plain = (each) => each.first.map((node) => node.textContent).join("");
    put(box.querySelectorAll("[data-t]:not(.sides)"), (each) => inked(at(each)));
    put(box.querySelectorAll(".sides"), (each) => coloured(at(each)));
    put(box.querySelectorAll("[data-n]"), (each) => [number(+plain(each).replace(/[.,]/g, "").replace("−", "-"))]);
    put(box.querySelectorAll(".turns i"), (each) => [keyOf[plain(each)] ? w(keyOf[plain(each)]) : plain(each)]);
    put(box.querySelectorAll(".turns :is(var, u), .fan .face"), (each) => [plain(each).split(" ").map(cardText).join(" ")]);
  };

  // A headline, with each side in its colour: after its name stands a sign and its place.
  const coloured = (text) => text.split(/\0(\d)/).flatMap((part, at, all) => {
    if (at % 2) return [];
    if (at + 1 === all.length) return [part];
    const name = sidesOf(data.games[shownGame])[all[at + 1]];
    return [part.slice(0, -name.length), make("span", "side" + all[at + 1], name)];
  });

  const speak = (chosen) => {
    language = chosen;
    document.documentElement.lang = language;
    faces = {};
    document.querySelectorAll("[data-w]").forEach((each) => { each.textContent = w(each.dataset.w); });
    document.querySelectorAll("[data-l]").forEach((each) => {
      each.setAttribute("aria-label", w(each.dataset.l));
      if (each.matches("button")) each.title = w(each.dataset.l);
    });
    document.querySelectorAll("[data-language]").forEach((each) => each.setAttribute("aria-pressed", each.dataset.language === language));
    find("#pace").replaceChildren(...[500, 1000, 2000, 4000, 8000].map((pace) => new Option(pace < 1000 ? w("half_second") : w("seconds", { n: pace / 1000 }), pace, false, pace === 2000)));
    document.querySelectorAll("footer, .index").forEach((each) => translate(each, data.said));
    if (list) search();
    if (shownGame === null) return;
    translate(find("#record"), gameOf(shownGame).said);
    felt.replaceChildren();
    fitted = null;
    drawnCurve = "";
    shownDeal = null;
    open(data.embedded ? "#" : location.hash);
  };

  // --- begin ----------------------------------------------------------------------------------

  if (!spots.length) return;
  document.documentElement.classList.add("live");
  find(".tabs").hidden = false;
  find("#position").append(felt);
  document.querySelectorAll("[data-go]").forEach((button) => button.addEventListener("click", () => move(button.dataset.go)));
  find("#view").addEventListener("click", turnView);
  find("#view").disabled = data.games.every((game) => game.view);
  find("#menu").addEventListener("click", toggleMore);
  find("#play").addEventListener("click", play);
  find("#copy").addEventListener("click", copyLink);
  find("#share").hidden = !navigator.share;
  find("#share").addEventListener("click", () => navigator.share({ title: document.title, url: location.href }).catch(() => {}));
  find("#save-svg").addEventListener("click", () => save("svg"));
  find("#save-png").addEventListener("click", () => save("png"));
  find("#save-game").addEventListener("click", saveGame);
  find("#print").addEventListener("click", () => print());
  addEventListener("resize", room);
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
  // On the curve, a tap or a drag goes to the turn there.
  const curve = find("#viewer .curve");
  const point = (event) => {
    const box = curve.getBoundingClientRect();
    const part = (event.clientX - box.left - RIM) / Math.max(1, box.width - 2 * RIM);
    const game = gameOf(spots[at].g);
    goTo(game.firsts[0] + Math.round(clamp(part, 0, 1) * (scale.lines[0].length - 1)));
  };
  curve.addEventListener("pointerdown", (event) => {
    curve.setPointerCapture(event.pointerId);
    point(event);
  });
  curve.addEventListener("pointermove", (event) => { if (curve.hasPointerCapture(event.pointerId)) point(event); });

  // --- the list of games ----------------------------------------------------------------------

  const list = find(".games");
  const rows = list ? [...list.tBodies[0].rows] : [];
  const search = () => {
    const words = find("#search").value.toLowerCase().split(/\s+/);
    rows.forEach((each) => { each.hidden = !words.every((word) => each.textContent.toLowerCase().includes(word)); });
    find("#found").textContent = w("found", { n: rows.filter((each) => !each.hidden).length });
  };
  if (list) {
    const sort = (head) => {
      const down = head.getAttribute("aria-sort") === "ascending";
      for (const each of list.tHead.rows[0].cells) each.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", down ? "descending" : "ascending");
      const key = (each) => each.cells[head.cellIndex].dataset.by;
      rows.sort((one, two) => (down ? -1 : 1) * key(one).localeCompare(key(two), "en", { numeric: true }));
      list.tBodies[0].append(...rows);
    };
    for (const head of list.tHead.rows[0].cells) {
      const button = make("button", "", ...head.childNodes);
      button.type = "button";
      button.addEventListener("click", () => sort(head));
      head.append(button);
    }
    find("#tools").hidden = false;
    find("#search").addEventListener("input", search);
  }

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || screen !== "table") return;
    const typing = event.target.matches("select, input");
    if ((event.key === "m" || event.key === "?") && !typing) toggleMore();
    else if (find("dialog[open]") || typing) return;
    else if (event.key === "s") turnView();
    else if (event.key === " " && !event.target.matches("button, a")) play();
    else if (event.key === "Escape") follow(find("#back").hash);
    else if (KEYS[event.key]) move(KEYS[event.key]);
    else return;
    event.preventDefault();
  });
  const arrive = (hash) => {
    stop();
    find("#more").close();
    open(hash);
    const heading = screen === "table" ? find("#where") : find("main h1:not([hidden])");
    if (screen === "table" && heading) heading.focus({ preventScroll: true });
  };
  if (data.embedded) {
    find("#sharing").hidden = find("[data-tab=share]").hidden = true;
    document.addEventListener("click", (event) => {
      const link = event.target.closest("a[href]");
      if (!link) return;
      event.preventDefault();
      arrive(link.hash);
    });
  } else addEventListener("hashchange", () => arrive(location.hash));
  find("#languages")?.removeAttribute("hidden");
  document.querySelectorAll("[data-language]").forEach((each) => each.addEventListener("click", () => speak(each.dataset.language)));
  const own = (navigator.languages || []).map((each) => each.slice(0, 2)).find((each) => LANGUAGES.includes(each));
  speak(own || language);
  open(data.embedded ? "" : location.hash);
})();
