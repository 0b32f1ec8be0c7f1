import type { Network } from '@hengfu/contract/wallets';
import type { ReactNode } from 'react';
import { useT } from '../platform/i18n.ts';

/** A network's name, in the current language. */
export function NetworkName({ of }: { of: Network }): ReactNode {
  return useT()(`withdrawals.networks.${of}`);
}
