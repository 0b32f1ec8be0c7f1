import type { KeySettings } from '@hengfu/contract/access-requests';
import { isInBlock, parseBlock } from '#security/addresses.ts';

/**
 * Returns the part of a change that allows nothing which was not allowed before: each setting that allows more stays as it was. The rest
 * takes effect without approval, because nobody should have to wait to stop a leak.
 */
export function narrowedBy(before: KeySettings, wanted: KeySettings): KeySettings {
  return {
    callbackUrl: wanted.callbackUrl === null ? null : before.callbackUrl,
    isEnabled: wanted.isEnabled && before.isEnabled,
    scopes: narrowedScopes(before, wanted),
    addresses: areNarrower(wanted.addresses, before.addresses) ? wanted.addresses : before.addresses,
    endsAt: isSooner(wanted.endsAt, before.endsAt) ? wanted.endsAt : before.endsAt,
  };
}

/** The scopes of both; those before if none is left, as a key has at least one. */
function narrowedScopes(before: KeySettings, wanted: KeySettings): KeySettings['scopes'] {
  const kept = wanted.scopes.filter((scope) => before.scopes.includes(scope));
  return kept.length > 0 ? kept : before.scopes;
}

/** Whether a key's own list allows no address that another one does not. No list of its own allows whatever the merchant's does. */
function areNarrower(wanted: readonly string[] | null, before: readonly string[] | null): boolean {
  if (before === null) return true;
  if (wanted === null) return false;
  const wide = before.flatMap((text) => parseBlock(text) ?? []);
  return wanted.every((text) => {
    const block = parseBlock(text);
    return wide.some(
      (other) => block && block.prefixLength >= other.prefixLength && isInBlock(block.network, other),
    );
  });
}

function isSooner(wanted: string | null, before: string | null): boolean {
  if (before === null) return true;
  return wanted !== null && Date.parse(wanted) <= Date.parse(before);
}
