import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { callNames } from './call-names.ts';

it('names every call of the Open API', async () => {
  const document = new URL('../../../../sdk/openapi.json', import.meta.url);
  const { paths } = JSON.parse(await readFile(document, 'utf8')) as Document;
  const ids = Object.values(paths).flatMap((methods) =>
    Object.values(methods).map(({ operationId }) => operationId),
  );
  expect(Object.keys(callNames).toSorted()).toEqual(ids.toSorted());
});

interface Document {
  paths: Record<string, Record<string, { operationId: string }>>;
}
