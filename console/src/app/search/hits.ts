import { permOfKind, type SearchHit, type SearchKind, searchKinds } from '@hengfu/contract/search';
import type { CurrentUser } from '@hengfu/contract/session';
import type { PhraseKey } from '@hengfu/phrases/phrases';
import { stringifyPlainSearch } from '@hengfu/ui/browser/search.ts';
import type { IconName } from '@hengfu/ui/controls/icon.tsx';
import { openHref } from '@hengfu/ui/list/list-search.ts';
import { collectionLooks } from '@hengfu/ui/orders/collection-looks.ts';
import { payoutLooks } from '@hengfu/ui/orders/payout-looks.ts';
import { batchLooks } from '@hengfu/ui/orders/settlement-looks.ts';
import type { StatusLook } from '@hengfu/ui/values/status-tag.tsx';
import { exportLooks } from '../../features/exports/export-looks.ts';
import { payoutBatchLooks } from '../../features/payout-batches/batch-looks.ts';
import { topupLooks } from '../../features/topups/topup-looks.ts';
import { withdrawalLooks } from '../../features/withdrawals/withdrawal-looks.ts';
import { hasPerm } from '../../platform/session-store.ts';
import { batchTarget } from '../../shared/payments/batch-target.ts';
import type { PagePath } from '../menu.ts';

/** How a kind of search result is shown, and the list page that opens its detail. */
interface KindLook {
  title: PhraseKey;
  icon: IconName;
  path: PagePath;
}

export const kindLooks: Readonly<Record<SearchKind, KindLook>> = {
  collection: { title: 'search.kind.collection', icon: 'receive', path: '/collection/payments' },
  payout: { title: 'search.kind.payout', icon: 'send', path: '/behalfPay/transfers' },
  topup: { title: 'search.kind.topup', icon: 'topUp', path: '/recharge/record' },
  withdrawal: { title: 'search.kind.withdrawal', icon: 'withdraw', path: '/withdrawal/record' },
  settlement: { title: 'search.kind.settlement', icon: 'receive', path: '/collection/Settlements' },
  export: { title: 'search.kind.export', icon: 'exports', path: '/lineExport' },
  batch: { title: 'search.kind.batch', icon: 'send', path: '/behalfPay/apply' },
};

/** The look of a hit's status, the same as in its list. */
export function lookOf(hit: SearchHit): StatusLook {
  switch (hit.kind) {
    case 'collection':
      return collectionLooks[hit.status];
    case 'payout':
      return payoutLooks[hit.status];
    case 'topup':
      return topupLooks[hit.status];
    case 'withdrawal':
      return withdrawalLooks[hit.status];
    case 'settlement':
      return batchLooks[hit.status];
    case 'export':
      return exportLooks[hit.status];
    case 'batch':
      return payoutBatchLooks[hit.status];
  }
}

/** The kinds that a user is permitted to find. */
export function kindsOf(user: CurrentUser): SearchKind[] {
  return searchKinds.filter((kind) => hasPerm(user, permOfKind[kind]));
}

/** The address that opens a search result. */
export function hrefOf(kind: SearchKind, number: string, user: CurrentUser): string {
  const { path } = kindLooks[kind];
  if (kind === 'export') return path;
  if (kind !== 'batch') return path + openHref(number);
  const { to, search } = batchTarget(user, number);
  return to + stringifyPlainSearch(search);
}
