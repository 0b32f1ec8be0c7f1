import type { ChannelCode } from '@hengfu/contract/channels';
import { reconciliationEndpoints } from '@hengfu/contract/staff/reconciliation';
import { type DayDetail, type DifferenceKind, differenceKinds } from '@hengfu/contract/staff/statement-days';
import { Button } from '@hengfu/ui/controls/button.tsx';
import { Notice } from '@hengfu/ui/controls/notice.tsx';
import { formatDay } from '@hengfu/ui/language/format.ts';
import { useLanguage, useT } from '@hengfu/ui/language/i18n.ts';
import { Fields } from '@hengfu/ui/page/fields.tsx';
import { Figure, Figures } from '@hengfu/ui/page/figure-card.tsx';
import { Page } from '@hengfu/ui/page/page.tsx';
import { Section } from '@hengfu/ui/page/section.tsx';
import { Count } from '@hengfu/ui/values/count.tsx';
import { Money } from '@hengfu/ui/values/money.tsx';
import { StatusTag } from '@hengfu/ui/values/status-tag.tsx';
import { TimeText } from '@hengfu/ui/values/time-text.tsx';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactElement, useState } from 'react';
import { useLive } from '../../platform/live.ts';
import { reading } from '../../platform/reading.ts';
import { useHasPerm } from '../../platform/session.ts';
import { Failure } from '../../shared/failure.tsx';
import { DayActions } from './day-actions.tsx';
import { DifferenceTable } from './difference-table.tsx';
import { LineTable } from './line-table.tsx';
import { dayLooks } from './looks.ts';
import styles from './reconciliation.module.css';

/** One day of a channel: its figures, its differences by kind, and what can be done. */
export function DayPage({ channel, day }: { channel: ChannelCode; day: string }): ReactElement {
  const t = useT();
  const language = useLanguage();
  const { data, error, refetch } = useQuery(
    reading(reconciliationEndpoints.day, { params: { channel, day } }),
  );
  useLive(
    ['reconciliation', 'staffRequests'],
    [reconciliationEndpoints.day.path],
    [reconciliationEndpoints.differences.path],
  );
  return (
    <Page
      title={`${t(`channels.${channel}`)} · ${formatDay(day, language)}`}
      intro={<Link to="/reconciliation">{t('officeReconciliation.back')}</Link>}
    >
      {error && <Failure error={error} onRetry={() => void refetch()} />}
      {data && <Shown detail={data} />}
    </Page>
  );
}

function Shown({ detail }: { detail: DayDetail }): ReactElement {
  const t = useT();
  const canWrite = useHasPerm('reconciliation.write');
  const { state, currency } = detail;
  const money = (amount: string | null) =>
    amount === null ? undefined : <Money amount={amount} currency={currency} />;
  return (
    <>
      <Section title={t('officeReconciliation.figures')} isCard extra={<StatusTag look={dayLooks[state]} />}>
        {state === 'failed' && <FaultNotice detail={detail} />}
        {state === 'loading' && (
          <Notice tone="calm">{t('officeReconciliation.loadingText', { count: detail.lines })}</Notice>
        )}
        {state !== 'failed' && (
          <Figures isBusy={state === 'loading'}>
            <Figure label={t('officeReconciliation.statement')} value={money(detail.statement)} />
            <Figure label={t('officeReconciliation.clearing')} value={money(detail.clearing)} />
            <Figure label={t('officeReconciliation.difference')} value={money(detail.difference)} />
            <Figure label={t('officeReconciliation.matched')} value={<Count of={detail.matched} />} />
          </Figures>
        )}
        <div className={styles.facts}>
          <Fields fields={factsOf(detail, t, money)} />
          {canWrite && <DayActions detail={detail} />}
        </div>
      </Section>
      {(state === 'open' || state === 'closed') && <Parts detail={detail} />}
    </>
  );
}

function FaultNotice({ detail: { fault, faultLine } }: { detail: DayDetail }): ReactElement {
  const t = useT();
  const text = t(`officeReconciliation.fault.${fault ?? 'interrupted'}`);
  return (
    <Notice tone="bad">
      {faultLine
        ? t('officeReconciliation.failedAt', { line: faultLine, fault: text })
        : t('officeReconciliation.failedText', { fault: text })}
    </Notice>
  );
}

function factsOf(
  detail: DayDetail,
  t: ReturnType<typeof useT>,
  money: (amount: string | null) => ReactElement | undefined,
) {
  const { fileName, format, startsAt, endsAt, uploadedBy, uploadedAt, closedBy, closedAt } = detail;
  return [
    {
      label: t('officeReconciliation.file'),
      value: `${fileName} · ${t(`officeReconciliation.formats.${format ?? 'csv'}`)}`,
    },
    {
      label: t('officeReconciliation.period'),
      value: (
        <>
          <TimeText at={startsAt} style="minute" /> – <TimeText at={endsAt} style="minute" />
        </>
      ),
    },
    { label: t('officeReconciliation.came'), value: money(detail.in) },
    { label: t('officeReconciliation.went'), value: money(detail.out) },
    { label: t('officeReconciliation.opening'), value: money(detail.opening) },
    { label: t('officeReconciliation.closing'), value: money(detail.closing) },
    {
      label: t('officeReconciliation.uploadedBy'),
      value: (
        <>
          {uploadedBy} · <TimeText at={uploadedAt} style="minute" />
        </>
      ),
    },
    {
      label: t('officeReconciliation.closedBy'),
      value: closedBy && (
        <>
          {closedBy} · <TimeText at={closedAt} style="minute" />
        </>
      ),
    },
  ];
}

/** The differences of each kind and the lines, one of them shown. */
function Parts({ detail }: { detail: DayDetail }): ReactElement {
  const t = useT();
  const [part, setPart] = useState<DifferenceKind | 'all' | 'lines'>('all');
  const total = differenceKinds.reduce((sum, kind) => sum + (detail.kinds[kind] ?? 0), 0);
  const tab = (name: typeof part, text: string) => (
    <Button key={name} aria-pressed={part === name} onClick={() => setPart(name)}>
      {text}
    </Button>
  );
  return (
    <Section
      title={t(part === 'lines' ? 'officeReconciliation.statement' : 'officeReconciliation.differences')}
      isCard
    >
      <div className={styles.tabs}>
        {tab('all', t('officeReconciliation.all', { count: total }))}
        {differenceKinds.map((kind) =>
          tab(
            kind,
            t('officeReconciliation.kindCount', {
              kind: t(`officeReconciliation.kind.${kind}`),
              count: detail.kinds[kind] ?? 0,
            }),
          ),
        )}
        {tab('lines', t('officeReconciliation.lines', { count: detail.lines }))}
      </div>
      {part === 'lines' ? (
        <LineTable detail={detail} />
      ) : (
        <DifferenceTable key={part} detail={detail} kind={part === 'all' ? undefined : part} />
      )}
    </Section>
  );
}
