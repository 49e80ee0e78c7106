// Starts the VS Code extension with a stand-in for VS Code, opens a record, and prints its diagnostics:
// `node vscode_client.cjs FOLDER RECORD COMMAND...`. FOLDER is the extension with what it needs.

const { readFileSync } = require("node:fs");
const Module = require("node:module");
const { join, resolve } = require("node:path");
const { pathToFileURL } = require("node:url");

const [folder, record, ...command] = process.argv.slice(2);
const { main, engines } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));

// Whatever the client asks for that no test needs: every part of it is the same again.
const anything = new Proxy(class {}, {
  apply: () => anything,
  get: (target, name) =>
    name in target ? target[name] : name === "then" || typeof name === "symbol" ? undefined : anything,
});

class Uri {
  constructor(address) {
    const parts = new URL(address);
    Object.assign(this, { address, scheme: parts.protocol.slice(0, -1), path: decodeURI(parts.pathname) });
    this.fsPath = this.path;
  }
  static parse = (address) => new Uri(address);
  static file = (path) => new Uri(pathToFileURL(path).href);
  toString = () => this.address;
}

const document = {
  uri: Uri.file(resolve(record)),
  languageId: "canasta",
  version: 1,
  getText: () => readFileSync(record, "utf8"),
};

class Position {
  constructor(line, character) {
    Object.assign(this, { line, character });
  }
}

class Range {
  constructor(line, character, endLine, endCharacter) {
    this.start = new Position(line, character);
    this.end = new Position(endLine, endCharacter);
  }
}

class Diagnostic {
  constructor(range, message, severity) {
    Object.assign(this, { range, message, severity });
  }
}

class CancellationTokenSource {
  token = { isCancellationRequested: false };
  dispose = () => {};
}

class Disposable {
  constructor(dispose) {
    this.dispose = dispose;
  }
}

class EventEmitter {
  listeners = [];
  event = (listener) => (this.listeners.push(listener), anything);
  fire = (value) => this.listeners.forEach((listener) => listener(value));
  dispose = () => {};
}

async function show(uri, diagnostics) {
  console.log(JSON.stringify({ uri: uri.toString(), diagnostics }));
  await extension.deactivate();
  process.exit();
}

const known = {
  CancellationTokenSource,
  Diagnostic,
  Disposable,
  EventEmitter,
  Position,
  Range,
  Uri,
  DiagnosticSeverity: { Error: 0, Warning: 1, Information: 2, Hint: 3 },
  version: engines.vscode.replace("^", ""),
  env: { appName: "stand-in", language: "en" },
  languages: {
    createDiagnosticCollection: () => ({ set: show, dispose() {} }),
    match: (selector, { languageId }) => Number([selector].flat().some((each) => each.language === languageId)),
  },
  window: { activeTextEditor: { document }, visibleTextEditors: [], tabGroups: { all: [] } },
  workspace: {
    getConfiguration: () => ({ get: (name, other) => (name === "command" ? command : other) }),
    textDocuments: [document],
    workspaceFolders: undefined,
  },
};
const standIn = (part) =>
  new Proxy(part, {
    get: (target, name) => {
      if (!(name in target)) return anything;
      const value = target[name];
      return value?.constructor === Object ? standIn(value) : value;
    },
  });

const load = Module._load;
Module._load = (request, ...more) => (request === "vscode" ? standIn(known) : load(request, ...more));
const extension = require(resolve(folder, main));
extension.activate();
