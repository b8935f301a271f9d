// Has the official validator look at files and prints what it says, as JSON, one entry a file.
//
//     node validate.mjs FOLDER_OF_NODE_MODULES FILE...
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const [, , modules, ...files] = process.argv;
const { validateBytes } = createRequire(`${modules}/`)("gltf-validator");

const said = [];
for (const file of files) {
  const { issues } = await validateBytes(new Uint8Array(readFileSync(file)), { maxIssues: 20 });
  said.push(issues.messages.filter((message) => message.severity < 2).map((m) => `${m.code} ${m.pointer}: ${m.message}`));
}
console.log(JSON.stringify(said));
