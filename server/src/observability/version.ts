import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The product's version, from the package.json at the root. */
export const version: string = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../../package.json'), 'utf8'),
).version;
