import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from './sources.ts';
import { inventoryFiles } from './supply-chain/inventory.ts';

/** `npm run sbom`: writes this version's bill of materials and the list of licenses from the lock file. */
for (const [path, text] of inventoryFiles()) {
  const file = join(root, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  console.log(`wrote ${path}`);
}
