import { channelCodes } from '@hengfu/contract/channels';
import { todayEndpoints, type WaitingItem, waitingTargets } from '@hengfu/contract/staff/today';
import { formatDuration } from '@hengfu/ui/language/format.ts';
import { useLanguage, useT } from '@hengfu/ui/language/i18n.ts';
import { Page } from '@hengfu/ui/page/page.tsx';
import { Section } from '@hengfu/ui/page/section.tsx';
import { Money } from '@hengfu/ui/values/money.tsx';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { useLive } from '../../platform/live.ts';
import { reading } from '../../platform/reading.ts';
import { useHasPerm } from '../../platform/session.ts';
import { Failure } from '../../shared/failure.tsx';
import table from '../../shared/table.module.css';
import { TableBox } from '../../shared/table-box.tsx';
import { ChannelSuccess } from './channel-success.tsx';
import { ServiceFigures } from './service-figures.tsx';

const minuteMs = 60_000;

/** The first page: what waits, oldest first, with its age against a target, and the money of all merchants. */
export function TodayPage(): ReactElement {
  const t = useT();
  const hasFigures = useHasPerm('figures.read');
  // The waiting things come first.
  const { isFetched } = useQuery(reading(todayEndpoints.waiting));
  return (
    <Page title={t('office.today')}>
      <WaitingList />
      {hasFigures && isFetched && <ChannelSuccess />}
      {hasFigures && isFetched && <ServiceFigures />}
    </Page>
  );
}

function WaitingList(): ReactElement {
  const t = useT();
  // Ages advance without a change, too.
  const { data, error, refetch } = useQuery({
    ...reading(todayEndpoints.waiting),
    refetchInterval: minuteMs,
  });
  useLive(
    ['topups', 'withdrawals', 'payouts', 'staffRequests', 'reconciliation'],
    [todayEndpoints.waiting.path],
  );
  return (
    <Section title={t('office.waiting')} isCard>
      {error && <Failure error={error} onRetry={() => void refetch()} />}
      {data?.items.length === 0 && <p className={table.note}>{t('office.nothingWaits')}</p>}
      {data && data.items.length > 0 && (
        <TableBox label={t('office.waiting')}>
          <thead>
            <tr>
              <th>{t('office.subject')}</th>
              <th>{t('office.number')}</th>
              <th>{t('office.merchant')}</th>
              <th data-number>{t('office.amount')}</th>
              <th data-number>{t('office.age')}</th>
            </tr>
          </thead>
          <tbody>
            {data.items.map((item) => (
              <WaitingRow key={`${item.kind} ${item.number}`} item={item} atMs={Date.parse(data.at)} />
            ))}
          </tbody>
        </TableBox>
      )}
    </Section>
  );
}

function WaitingRow({ item, atMs }: { item: WaitingItem; atMs: number }): ReactElement {
  const t = useT();
  const language = useLanguage();
  const { kind, number, merchant, amount, currency, since } = item;
  const ageMs = Math.max(atMs - Date.parse(since), 0);
  const minutes = waitingTargets[kind];
  const isLate = ageMs > minutes * minuteMs;
  return (
    <tr>
      <td>{t(`office.kind.${kind}`)}</td>
      <td>
        <ItemLink kind={kind} number={number} />
      </td>
      <td>{merchant}</td>
      <td data-number>
        {amount !== null && currency !== null && <Money amount={amount} currency={currency} />}
      </td>
      <td data-number>
        <span className={isLate ? table.late : undefined} title={t('office.target', { minutes })}>
          {formatDuration(wholeMinutes(ageMs), language)}
          {isLate && ` · ${t('office.late')}`}
        </span>
      </td>
    </tr>
  );
}

/** The page asks once a minute, so seconds would be wrong. */
function wholeMinutes(ms: number): number {
  return Math.max(Math.floor(ms / minuteMs), 1) * minuteMs;
}

/** Leads to the page where the thing is done. */
function ItemLink({ kind, number }: Pick<WaitingItem, 'kind' | 'number'>): ReactElement {
  const t = useT();
  if (kind === 'topupReview' || kind === 'topupCredit')
    return (
      <Link to="/topups" search={{ case: number }}>
        {number}
      </Link>
    );
  if (kind === 'withdrawalReview' || kind === 'withdrawalPayment')
    return (
      <Link to="/withdrawals" search={{ case: number }}>
        {number}
      </Link>
    );
  if (kind === 'staffRequest')
    return (
      <Link to="/requests" search={{ request: number }}>
        {number}
      </Link>
    );
  if (kind === 'payoutUnknown' || kind === 'payoutContradicted')
    return (
      <Link to="/orders" search={{ open: number }}>
        {number}
      </Link>
    );
  if (kind === 'incident') return <Link to="/service/incidents">{number}</Link>;
  const [code, day] = number.split(' ');
  const channel = channelCodes.find((each) => each === code);
  return channel && day ? (
    <Link to="/reconciliation" search={{ channel, day }}>
      {t(`channels.${channel}`)}
    </Link>
  ) : (
    <span>{number}</span>
  );
}
