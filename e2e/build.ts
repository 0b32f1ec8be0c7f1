import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { buildIfStale } from '@hengfu/tools/build-if-stale';
import { operatorBundle } from '@hengfu/tools/server-bundle';
import { prepareDemo } from './product.ts';

const run = promisify(execFile);

/**
 * Builds what the product and the stories need, and writes the demo data, before the workers start a product each. Returns the function
 * that deletes the data.
 */
export default async function build(): Promise<() => void> {
  const root = join(import.meta.dirname, '..');
  await run(process.execPath, ['tools/bootstrap.mjs', 'build'], { cwd: root });
  const operator = operatorBundle(root);
  await buildIfStale(root, operator);
  // Inherited by the workers.
  process.env.E2E_OPERATOR = join(operator.dist, 'operatorServer.js');
  return prepareDemo();
}
