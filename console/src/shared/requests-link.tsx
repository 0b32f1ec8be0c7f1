import { useT } from '@hengfu/ui/language/i18n.ts';
import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { HasPerm } from '../platform/session-store.ts';

/** Leads from an order's detail to the signed calls about it, for users who may read the request log. */
export function RequestsLink({ order }: { order: string }): ReactElement {
  const t = useT();
  return (
    <HasPerm any={['requests.read']}>
      <Link to="/developers/requests" search={{ order_no: order }}>
        {t('requestLog.ofOrder')}
      </Link>
    </HasPerm>
  );
}
