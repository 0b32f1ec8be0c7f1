import type { AccessSettingChange } from '@hengfu/contract/access-requests';
import type { StoredAccessChange } from '#domain/access-approval.sql.ts';
import { formatBlock } from '#security/addresses.ts';
import { openBlocks } from '#security/open-blocks.ts';

/** Converts a change of the access key, the whitelist or a callback endpoint to its API form. */
export function toAccessChange(change: StoredAccessChange): AccessSettingChange {
  switch (change.action) {
    case 'newKey': {
      const { action, keyId, overlapHours } = change;
      return { action, keyId, overlapHours };
    }
    case 'keySettings': {
      const { action, keyId, before, after } = change;
      return { action, keyId, before, after };
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
