import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { root } from '../sources.ts';
import { slowFiles } from './slow-files.ts';

it.each(slowFiles)('%s, which starts early, exists', (file) => {
  expect(existsSync(join(root, file))).toBe(true);
});
