import type { Network } from '@hengfu/contract/wallets';
import { useT } from '@hengfu/ui/language/i18n.ts';
import type { ReactNode } from 'react';

/** A network's name, in the current language. */
export function NetworkName({ of }: { of: Network }): ReactNode {
  return useT()(`withdrawals.networks.${of}`);
}
