import { expect, test } from 'vitest';
import * as z from 'zod';
import { openCollectionEndpoints } from './collections.open.ts';
import type { EndpointShape } from './endpoint.ts';
import { hiddenFields, loggedFields, loggedSentences } from './logged-fields.ts';
import { openPayoutEndpoints } from './payouts.open.ts';
import { openRefundEndpoints } from './refunds.open.ts';

const endpoints: EndpointShape[] = [
  openCollectionEndpoints,
  openPayoutEndpoints,
  openRefundEndpoints,
].flatMap((group) => Object.values(group));

/** Lists the names of all properties of a JSON schema, at every depth. */
function namesIn(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  return Object.entries(schema).flatMap(([key, value]) =>
    key === 'properties' && typeof value === 'object' && value !== null
      ? [...Object.keys(value), ...Object.values(value).flatMap(namesIn)]
      : namesIn(value),
  );
}

test('the request log shows, masks or hides each field of signed calls on purpose', () => {
  const names = endpoints
    .flatMap(({ body, query, reply }) => [body, query, reply])
    .filter((schema) => schema !== undefined)
    .flatMap((schema) => namesIn(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })));
  expect(names.length).toBeGreaterThan(50);
  const known = [...Object.keys(loggedFields), ...loggedSentences, ...hiddenFields];
  expect([...new Set(names)].filter((name) => !known.includes(name))).toEqual([]);
  expect(hiddenFields.filter((name) => Object.hasOwn(loggedFields, name))).toEqual([]);
});

test('the names of people and their accounts are never shown', () => {
  for (const name of [
    'payee',
    'payeeAccount',
    'taxId',
    'bankReference',
    'cashierUrl',
    'notifyUrl',
    'returnUrl',
  ])
    expect([name, loggedFields[name]]).not.toEqual([name, 'shown']);
});
