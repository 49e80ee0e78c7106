// Starts the language server `canasta lsp` for records.

const { workspace } = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

let client;

exports.activate = () => {
  const [command, ...args] = workspace.getConfiguration("canasta").get("command");
  client = new LanguageClient(
    "canasta",
    "Canasta",
    { command, args },
    { documentSelector: [{ language: "canasta" }], initializationOptions: { inlayHints: true } },
  );
  return client.start();
};

exports.deactivate = () => client?.stop();
