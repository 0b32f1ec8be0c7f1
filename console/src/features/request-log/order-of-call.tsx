import type { RequestRow } from '@hengfu/contract/request-log';
import { nothing } from '@hengfu/ui/language/format.ts';
import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { hasPerm, useUser } from '../../platform/session-store.ts';

/** The number of the order that a call is about; a link for users who may see the order. */
export function OrderOfCall({ of: { trade_no: number, path } }: { of: RequestRow }): ReactElement {
  const user = useUser();
  if (number === null) return <>{nothing}</>;
  if (/^\/openapi\/v\d+\/payouts/.test(path) && hasPerm(user, 'payouts.read'))
    return (
      <Link to="/behalfPay/transfers" search={{ trade_no: number, open: number }}>
        {number}
      </Link>
    );
  if (/^\/openapi\/v\d+\/(collections|refunds)/.test(path) && hasPerm(user, 'collections.read'))
    return (
      <Link to="/collection/payments" search={{ trade_no: number, open: number }}>
        {number}
      </Link>
    );
  return <>{number}</>;
}
