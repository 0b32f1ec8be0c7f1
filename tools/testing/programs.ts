import { join } from 'node:path';
import { say } from '../bootstrap/say.mjs';
import { buildIfStale } from '../build/build-if-stale.ts';
import { operatorBundle, sandboxBundle, serverBundle } from '../build/server-bundle.ts';
import { listFiles, root } from '../sources.ts';

/**
 * Builds the programs that tests start as processes, more than a hundred times in a run: built, a start takes a third of the processor
 * time. Returns the variables by which the tests find them (server/src/testing/product-process.ts); undefined if they cannot be built.
 */
export async function buildPrograms(): Promise<Record<string, string> | undefined> {
  const server = serverBundle(root);
  const operator = operatorBundle(root);
  const files = listFiles();
  try {
    for (const part of [server, sandboxBundle(root), operator]) await buildIfStale(root, part, files);
  } catch (error) {
    say(
      `the programs that tests start could not be built: ${error instanceof Error ? error.message : error}`,
    );
    return undefined;
  }
  return { TEST_SERVER: join(server.dist, 'main.js'), TEST_OPERATOR: join(operator.dist, 'operator.js') };
}
