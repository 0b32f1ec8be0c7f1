import type { CallbackEndpoint } from '@hengfu/contract/callback-endpoints';
import { Button } from '@hengfu/ui/controls/button.tsx';
import { Notice } from '@hengfu/ui/controls/notice.tsx';
import { useT } from '@hengfu/ui/language/i18n.ts';
import { Page } from '@hengfu/ui/page/page.tsx';
import { useQuery } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import { useLive } from '../../platform/live.ts';
import { queryClient } from '../../platform/query-client.ts';
import { HasPerm } from '../../platform/session-store.ts';
import { AccessApproval } from '../../shared/access/access-approval.tsx';
import { Failure } from '../../shared/failure.tsx';
import { Loading } from '../../shared/loading.tsx';
import { NeedsTwoFactor } from '../../shared/payments/needs-two-factor.tsx';
import { addressesOptions, endpointsOptions } from './callbacks.api.ts';
import styles from './callbacks.module.css';
import { EndpointCard } from './endpoint-card.tsx';
import { EndpointDialog } from './endpoint-dialog.tsx';
import { KeyAddresses } from './key-addresses.tsx';

/** Prefetches the page's data. */
export const prefetch = (): void => {
  void queryClient.prefetchQuery(endpointsOptions);
  void queryClient.prefetchQuery(addressesOptions);
};

/** Developers → Callback endpoints: where the callbacks of all orders go, and what is wrong with a receiver. */
export function EndpointsPage(): ReactElement {
  const t = useT();
  const { data, error, refetch } = useQuery(endpointsOptions);
  const [edited, setEdited] = useState<CallbackEndpoint | 'new'>();
  // An approval adds an endpoint, or changes it.
  useLive(['callbacks', 'approvals'], endpointsOptions.queryKey);
  return (
    <Page title={t('endpoints.title')} intro={t('endpoints.intro')}>
      {error && <Failure error={error} isStale={data !== undefined} onRetry={() => void refetch()} />}
      {data === undefined && !error && <Loading />}
      <HasPerm any={['access.read']}>
        <AccessApproval setting="endpoint" />
      </HasPerm>
      {data && (
        <div className={styles.endpoints}>
          {data.length === 0 && <Notice tone="calm">{t('endpoints.none')}</Notice>}
          <HasPerm any={['callbacks.manage']}>
            <NeedsTwoFactor>
              <p>
                <Button look="primary" onClick={() => setEdited('new')}>
                  {t('endpoints.add')}
                </Button>
              </p>
            </NeedsTwoFactor>
          </HasPerm>
          {data.map((endpoint) => (
            <EndpointCard key={endpoint.id} endpoint={endpoint} onEdit={() => setEdited(endpoint)} />
          ))}
        </div>
      )}
      {data && <KeyAddresses />}
      {edited && (
        <EndpointDialog
          endpoint={edited === 'new' ? undefined : edited}
          onClose={() => setEdited(undefined)}
        />
      )}
    </Page>
  );
}
