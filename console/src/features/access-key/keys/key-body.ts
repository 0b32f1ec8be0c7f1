import { type AccessKeyRow, accessKeysEndpoints } from '@hengfu/contract/access-keys';
import { type KeyScope, keyScopes } from '@hengfu/contract/key-scopes';
import { addDays, dayOf, startOfDay } from '@hengfu/ui/language/zone.ts';
import * as z from 'zod';

/** Names of the form's checkboxes. */
export const scopeName = (scope: KeyScope): string => `scope-${scope}`;

/** The last day of a key, in the user's zone; '' if it does not expire. */
export function lastDayOf(endsAt: string | null, zone: string): string {
  return endsAt === null ? '' : dayOf(Date.parse(endsAt) - 1, zone);
}

/** The instant at which a key ends whose last day is given. A day that was not changed keeps its instant. */
export function endOf(lastDay: string, zone: string, before: string | null = null): string | null {
  if (lastDay === '') return null;
  if (before !== null && lastDay === lastDayOf(before, zone)) return before;
  return new Date(startOfDay(addDays(lastDay, 1), zone)).toISOString();
}

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
