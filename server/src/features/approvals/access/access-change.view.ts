import type { AccessSettingChange, KeyLimits } from '@hengfu/contract/access-requests';
import type { StoredAccessChange, StoredKeySettings } from '#domain/access-approval.sql.ts';
import { formatBlock } from '#security/addresses.ts';
import { openBlocks } from '#security/open-blocks.ts';

/** Converts a change of the access key, the whitelist or a callback endpoint to its API form. */
export function toAccessChange(change: StoredAccessChange): AccessSettingChange {
  switch (change.action) {
    case 'addKey': {
      const { action, name, callbackUrl } = change;
      return { action, name, callbackUrl, ...shownLimits(change) };
    }
    case 'newKey': {
      const { action, keyId, overlapHours, endsAt = null } = change;
      return { action, keyId, overlapHours, endsAt };
    }
    case 'keySettings': {
      const { action, keyId, before, after } = change;
      return { action, keyId, before: shownSettings(before), after: shownSettings(after) };
    }
    case 'endpoint': {
      const { action, before, after } = change;
      return { action, before, after };
    }
    case 'whitelist': {
      const { action, before, after } = change;
      return {
        action,
        added: after.filter((block) => !before.includes(block)).map(formatBlock),
        removed: before.filter((block) => !after.includes(block)).map(formatBlock),
        isOpen: openBlocks(after).length > 0,
      };
    }
  }
}

function shownLimits({ scopes, addresses, endsAt }: KeyLimits): KeyLimits {
  return { scopes, addresses: addresses?.map(formatBlock) ?? null, endsAt };
}

function shownSettings({ addresses, ...settings }: StoredKeySettings): StoredKeySettings {
  return {
    ...settings,
    ...(addresses !== undefined && { addresses: addresses?.map(formatBlock) ?? null }),
  };
}
