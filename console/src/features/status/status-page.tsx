import type { StatusReport } from '@hengfu/contract/status';
import { Notice } from '@hengfu/ui/controls/notice.tsx';
import { formatInstant, offsetText } from '@hengfu/ui/language/format.ts';
import { useLanguage, useT } from '@hengfu/ui/language/i18n.ts';
import { Page } from '@hengfu/ui/page/page.tsx';
import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { queryClient } from '../../platform/query-client.ts';
import { Loading } from '../../shared/loading.tsx';
import { ComponentList } from './component-list.tsx';
import { IncidentList } from './incident-list.tsx';
import { Overall, Unreachable } from './overall.tsx';
import { statusOptions } from './status.api.ts';
import { isSampleOld } from './status.rules.ts';

/** Prefetches the page's data. */
export const prefetch = (): void => void queryClient.prefetchQuery(statusOptions);

/** The state of the service now and over ninety days, and its incidents. Refreshes by itself. */
export function StatusPage(): ReactElement {
  const t = useT();
  const language = useLanguage();
  const { data, error, refetch } = useQuery(statusOptions);
  const timeOf = (at: string, zone: string) => formatInstant(at, zone, language);
  const intro = ({ sampledAt, asOf, zone }: StatusReport) => {
    const sampled =
      sampledAt === null ? t('status.neverSampled') : t('status.sampled', { time: timeOf(sampledAt, zone) });
    return `${sampled} · ${t('ui.zone', { zone, offset: offsetText(Date.parse(asOf), zone) })}`;
  };
  return (
    <Page title={t('status.title')} intro={data && intro(data)}>
      {error && <Unreachable error={error} onRetry={() => void refetch()} />}
      {error && data && (
        <Notice tone="waiting">{t('status.old', { time: timeOf(data.asOf, data.zone) })}</Notice>
      )}
      {data && !error && <Overall report={data} />}
      {data && isSampleOld(data.asOf, data.sampledAt) && (
        <Notice tone="waiting">{t('status.samplesOld')}</Notice>
      )}
      {data && <ComponentList report={data} />}
      {data && <IncidentList incidents={data.incidents} zone={data.zone} />}
      {!data && !error && <Loading />}
    </Page>
  );
}
