import { expect, it } from 'vitest';
import { everyEndpoint } from '../testing/endpoints.ts';
import { openApiDocument } from './openapi-document.ts';

interface Operation {
  requestBody?: object;
  responses: object;
}
interface Document {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: { Error: { properties: { code: object } } } };
}

/** Counts the objects that forbid further fields, at every depth. */
function closedIn(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const isClosed = 'additionalProperties' in value && value.additionalProperties === false;
  return Object.values(value).reduce((count, each) => count + closedIn(each), isClosed ? 1 : 0);
}

const signed = (await everyEndpoint()).filter(({ access }) => access === 'signed');
const document = openApiDocument('Open API', signed) as Document;
const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));

it('lets replies and errors get new fields, and refuses fields of requests that it does not know', () => {
  expect(operations.map(({ responses }) => closedIn(responses)).filter((count) => count > 0)).toEqual([]);
  expect(closedIn(document.components)).toBe(0);
  const bodies = operations.flatMap(({ requestBody }) => requestBody ?? []);
  expect(bodies.length).toBeGreaterThan(2);
  expect(bodies.filter((body) => closedIn(body) === 0)).toEqual([]);
});

it('lets errors get new codes, and names none that signed calls do not return', () => {
  expect(document.components.schemas.Error.properties.code).toEqual({
    type: 'string',
    description: expect.stringContaining('/docs/errors/<code>'),
  });
});
