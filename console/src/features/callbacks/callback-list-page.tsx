import { callbackEvents } from '@hengfu/contract/callback-endpoints';
import { callbackMessageEndpoints, callbackStates, ownRoute } from '@hengfu/contract/callback-messages';
import { onDemand } from '@hengfu/ui/browser/on-demand.tsx';
import { type Translate, useT } from '@hengfu/ui/language/i18n.ts';
import { detailSkeleton } from '@hengfu/ui/list/list-states.tsx';
import type { FilterNameOf, ListFilter, ListSearch } from '@hengfu/ui/list/list-types.ts';
import { statusOptions } from '@hengfu/ui/values/status-tag.tsx';
import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { queryClient } from '../../platform/query-client.ts';
import { ListPage } from '../../shared/list/list-page.tsx';
import { prefetchList } from '../../shared/list/list-query.ts';
import { callbackColumns } from './callback-columns.tsx';
import { callbackLooks } from './callback-looks.ts';
import { endpointsOptions } from './callbacks.api.ts';
import { SendAgain } from './send-again.tsx';

const CallbackDetail = onDemand(
  () => import('./detail/callback-detail.tsx').then((module) => module.CallbackDetailView),
  detailSkeleton,
);

/** Prefetches the rows for the search parameters, and the endpoints to choose from. */
export const prefetch = (search: ListSearch): void => {
  prefetchList(queryClient, callbackMessageEndpoints.list, search);
  void queryClient.prefetchQuery(endpointsOptions);
};

/** Developers → Callbacks: every callback with its attempts. */
export function CallbackListPage(): ReactElement {
  const t = useT();
  return (
    <ListPage
      name="callbacks"
      title="callbacks.title"
      endpoint={callbackMessageEndpoints.list}
      rowKey={(row) => row.id}
      columns={callbackColumns}
      filters={useFilters(t)}
      topics={['callbacks']}
      empty={{ text: 'callbacks.empty' }}
      rowActions={({ keys }) => (
        <SendAgain ids={keys} label={t('callbacks.sendAgainMany', { count: keys.length })} />
      )}
      detail={{
        title: (id) => t('callbacks.callback', { id }),
        render: (id, row) => <CallbackDetail id={id} row={row} />,
      }}
    />
  );
}

type Filter = ListFilter<FilterNameOf<typeof callbackMessageEndpoints.list>>;

/** The filters, with the merchant's own endpoints. */
function useFilters(t: Translate): readonly Filter[] {
  const { data: endpoints = [] } = useQuery(endpointsOptions);
  return [
    { kind: 'text', name: 'order_no', label: 'callbacks.orderNo', isInline: true },
    {
      kind: 'choice',
      name: 'state',
      label: 'callbacks.stateLabel',
      options: statusOptions(callbackStates, callbackLooks),
    },
    {
      kind: 'choice',
      name: 'event',
      label: 'callbacks.event',
      options: callbackEvents.map((event) => ({ value: event, text: event })),
    },
    {
      kind: 'choice',
      name: 'endpoint',
      label: 'callbacks.endpoint',
      isSingle: true,
      options: [
        { value: ownRoute, text: t('callbacks.ownRoute') },
        ...endpoints.map(({ id, description, url }) => ({
          value: id,
          text: description ?? new URL(url).host,
        })),
      ],
    },
    { kind: 'days', from: 'createdFrom', to: 'createdTo', label: 'callbacks.createdAt' },
  ];
}
