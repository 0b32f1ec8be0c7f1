import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { EndpointShape } from '@hengfu/contract/endpoint';
import { hiddenFields, loggedFields, loggedSentences } from '@hengfu/contract/logged-fields';
import { openError } from '@hengfu/contract/open-api';
import { expect, test } from 'vitest';
import * as z from 'zod';

const isSigned = (value: unknown): value is EndpointShape =>
  typeof value === 'object' && value !== null && 'access' in value && value.access === 'signed';

/** Every signed endpoint of the contract, whatever file it is in: a new group cannot be forgotten here. */
const contract = join(import.meta.dirname, '../../../../contract/src');
const files = (await readdir(contract)).filter((name) => /^[^.].*(?<!\.test)\.ts$/.test(name));
const modules: object[] = await Promise.all(
  files.map((name) => import(/* @vite-ignore */ join(contract, name))),
);
const endpoints = modules
  .flatMap((module) => Object.values(module))
  .filter((value) => typeof value === 'object' && value !== null)
  .flatMap((group) => Object.values(group))
  .filter(isSigned);

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
  // One of each group shows that the search finds them.
  const paths = endpoints.map(({ path }) => path.split('/')[3]);
  expect(paths).toEqual(
    expect.arrayContaining(['collections', 'refunds', 'payouts', 'balance', 'settlements']),
  );
  const names = endpoints
    .flatMap(({ body, query, reply }) => [body, query, reply])
    .concat(openError)
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
