import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from './sources.ts';
import { inventoryFiles } from './supply-chain/inventory.ts';

/** `npm run sbom`: writes the bill of materials of this version and the list of licences from the lock file. */
for (const [path, text] of inventoryFiles()) {
  const file = join(root, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  console.log(`wrote ${path}`);
}
