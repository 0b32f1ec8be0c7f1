import type { Network } from '@hengfu/contract/wallets';
import type { ReactNode } from 'react';
import { useT } from '../platform/i18n.ts';

/** A network's name, with the brackets of the reader's language. */
export function NetworkName({ of }: { of: Network }): ReactNode {
  return useT()(`withdrawals.networks.${of}`);
}
