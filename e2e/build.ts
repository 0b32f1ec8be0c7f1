import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Builds what the product needs before the workers start a product each, so that no two of them build at once. */
export default async function build(): Promise<void> {
  await run(process.execPath, ['tools/bootstrap.mjs', 'build'], { cwd: join(import.meta.dirname, '..') });
}
