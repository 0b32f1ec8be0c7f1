import { channelCodes } from '@hengfu/contract/channels';
import type { MoneyPlace } from '@hengfu/contract/staff/today';
import { networkCodes, networks } from '@hengfu/contract/wallets';
import type { Translate } from '@hengfu/ui/language/i18n.ts';

/** Names an account of the ledger: by its kind, and the channel or network that it belongs to. */
export function placeName({ kind, reference }: Pick<MoneyPlace, 'kind' | 'reference'>, t: Translate): string {
  if (kind === 'clearing') {
    const channel = channelCodes.find((code) => code === reference);
    return t('office.places.clearing', { name: channel ? t(`channels.${channel}`) : reference });
  }
  if (kind === 'crypto') {
    const network = networkCodes.find((code) => code === reference);
    return t('office.places.crypto', { name: network ? networks[network].name : reference });
  }
  return t(`office.places.${kind}`);
}
