import type { DashboardAgenda, WaitingKind } from '@hengfu/contract/dashboard';
import type { PhraseKey } from '@hengfu/phrases/phrases';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';

type Waiting = DashboardAgenda['waiting'][number];

/** How something that waits is shown: its name, and the list of it. */
interface WaitingLine {
  label: PhraseKey;
  link: (waiting: Waiting, text: ReactNode) => ReactNode;
}

/** Everything that can wait, in display order. A feature adds its own kind here and in the contract's `waitingKinds`. */
export const waitingLines: Readonly<Record<WaitingKind, WaitingLine>> = {
  batchRows: {
    label: 'dashboard.waiting.batchRows',
    // The page of batches lists the latest ones; a single batch opens at once.
    link: ({ subject }, text) => (
      <Link to="/behalfPay/apply" search={{ mode: 'batch', ...(subject !== null && { batch: subject }) }}>
        {text}
      </Link>
    ),
  },
  callbacks: {
    label: 'dashboard.waiting.callbacks',
    link: ({ from, to }, text) => (
      <Link to="/collection/payments" search={{ status: 'paid', paidFrom: from, paidTo: to }}>
        {text}
      </Link>
    ),
  },
  rejectedPayouts: {
    label: 'dashboard.waiting.rejectedPayouts',
    link: ({ from, to }, text) => (
      <Link to="/behalfPay/transfers" search={{ status: 'rejected', createdFrom: from, createdTo: to }}>
        {text}
      </Link>
    ),
  },
  failedExports: {
    label: 'dashboard.waiting.failedExports',
    link: (_, text) => (
      <Link to="/lineExport" search={{ status: 'failed' }}>
        {text}
      </Link>
    ),
  },
};
