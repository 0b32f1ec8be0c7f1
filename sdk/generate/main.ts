import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { sdkFolder, staleFiles } from './files.ts';

/** `npm run sdk`: writes the generated files of the libraries anew where they differ. */
const files = await staleFiles();
for (const { path, expected } of files) {
  const target = join(sdkFolder, path);
  if (expected === undefined) {
    rmSync(target);
  } else {
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, expected);
  }
  console.log(`${expected === undefined ? 'removed' : 'wrote'} sdk/${path}`);
}
if (files.length === 0) console.log('The generated files of the libraries are up to date.');
