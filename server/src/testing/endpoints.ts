import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { EndpointShape } from '@hengfu/contract/endpoint';

const contractFolder = join(import.meta.dirname, '../../../contract/src');

/** Collects every endpoint that the contract declares: all exports whose names end in `Endpoints`. */
export async function everyEndpoint(): Promise<EndpointShape[]> {
  const files = (await readdir(contractFolder)).filter((file) => !file.endsWith('.test.ts'));
  const modules: Record<string, unknown>[] = await Promise.all(
    files.map((file) => import(join(contractFolder, file))),
  );
  return modules.flatMap((exports) =>
    Object.entries(exports)
      .filter(([name]) => name.endsWith('Endpoints'))
      .flatMap(([, group]) => Object.values(group as Record<string, EndpointShape>)),
  );
}
