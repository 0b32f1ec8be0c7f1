import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { EndpointShape } from '@hengfu/contract/endpoint';

const contractFolder = join(import.meta.dirname, '../../../contract/src');

/** Collects every endpoint of the merchants' door: all exports of the contract whose names end in `Endpoints`. */
export function everyEndpoint(): Promise<EndpointShape[]> {
  return endpointsIn(contractFolder);
}

/** Collects every endpoint of the back office. */
export function everyStaffEndpoint(): Promise<EndpointShape[]> {
  return endpointsIn(join(contractFolder, 'staff'));
}

async function endpointsIn(folder: string): Promise<EndpointShape[]> {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'));
  const modules: Record<string, unknown>[] = await Promise.all(
    files.map((file) => import(join(folder, file))),
  );
  return modules.flatMap((exports) =>
    Object.entries(exports)
      .filter(([name]) => name.endsWith('Endpoints'))
      .flatMap(([, group]) => Object.values(group as Record<string, EndpointShape>)),
  );
}
