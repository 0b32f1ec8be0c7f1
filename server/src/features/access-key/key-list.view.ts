import type { AccessKeyRow } from '@hengfu/contract/access-keys';
import { formatBlock } from '#security/addresses.ts';
import { keyVersion } from './key-flows.ts';
import type { ListedKey } from './key-list.sql.ts';
import { firstKey } from './new-key.ts';

/** Converts listed keys to their API form. */
export function toKeyRows(keys: readonly ListedKey[]): AccessKeyRow[] {
  const first = firstKey(keys.filter(({ state }) => state === 'active' || state === 'off'));
  return keys.map((key) => toRow(key, key === first));
}

function toRow(
  { usedAt, usedFrom, usedFor, addresses, createdAt, endsAt, ...key }: ListedKey,
  isFirst: boolean,
): AccessKeyRow {
  const isEnabled = key.state !== 'off';
  return {
    ...key,
    isFirst,
    version: keyVersion({ ...key, isEnabled, addresses, endsAt }),
    addresses: addresses?.map(formatBlock) ?? null,
    createdAt: createdAt.toISOString(),
    endsAt: endsAt?.toISOString() ?? null,
    lastUse:
      usedAt && usedFrom && usedFor ? { at: usedAt.toISOString(), address: usedFrom, call: usedFor } : null,
  };
}
