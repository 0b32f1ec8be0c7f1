import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '#folders.ts';

/** The product's version, from the package.json at the root. */
export const version: string = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version;
