// npx node scripts/docs.mjs: writes anew what the documentation has from the code. A test fails while it is out of date.
import './require-node.mjs';
import { readFile, writeFile } from 'node:fs/promises';

// put in by the build; nothing that is generated here has it
globalThis.__VERSION__ = '';
// the build puts it into the code; no document says it
globalThis.__VERSION__ = '';
const { render } = await import('./docs/render.ts');
const { GENERATED_DOCS } = await import('./docs/files.ts');
const root = new URL('../', import.meta.url);

for (const path of GENERATED_DOCS) {
  const file = new URL(path, root);
  const before = await readFile(file, 'utf8');
  const after = await render(before);
  if (after === before) continue;
  await writeFile(file, after);
  console.log(`${path} is new`);
}
