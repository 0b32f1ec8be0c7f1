import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { EndpointShape } from '@hengfu/contract/endpoint';

const contractFolder = join(import.meta.dirname, '../../../contract/src');

/** Every endpoint that the contract declares: a new one is in it without being named anywhere else. */
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
