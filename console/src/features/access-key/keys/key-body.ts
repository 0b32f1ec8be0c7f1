import { type AccessKeyRow, accessKeysEndpoints } from '@hengfu/contract/access-keys';
import { type KeyScope, keyScopes } from '@hengfu/contract/key-scopes';
import * as z from 'zod';
import { endOf } from '../../../shared/forms/last-day.ts';

/** Names of the form's checkboxes. */
export const scopeName = (scope: KeyScope): string => `scope-${scope}`;

const input = accessKeysEndpoints.create.body;

/** Returns the schema that reads the form's fields, which are texts, as the settings of a key. */
export function keyBody(zone: string, key?: AccessKeyRow): z.ZodType<z.input<typeof input>> {
  return z.preprocess((fields) => bodyOf(fields as Record<string, unknown>, zone, key), input) as never;
}

function bodyOf(fields: Record<string, unknown>, zone: string, key: AccessKeyRow | undefined): object {
  const text = (name: string) => String(fields[name] ?? '').trim();
  return {
    name: text('name'),
    scopes: keyScopes.filter((scope) => text(scopeName(scope)) !== ''),
    addresses: text('addresses'),
    expiresAt: endOf(text('expiresAt'), zone, key?.endsAt),
    callbackUrl: text('callbackUrl'),
    code: text('code'),
  };
}
