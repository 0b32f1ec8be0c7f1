import type { ChannelOutcomes, DashboardOutcomes } from '@hengfu/contract/dashboard';
import { Button } from '@hengfu/ui/controls/button.tsx';
import { formatCount, formatDay, formatRate, formatShortDay } from '@hengfu/ui/language/format.ts';
import { useLanguage, useT } from '@hengfu/ui/language/i18n.ts';
import { dayOf, timeOf } from '@hengfu/ui/language/zone.ts';
import { channelText } from '@hengfu/ui/orders/channel-name.tsx';
import { Section } from '@hengfu/ui/page/section.tsx';
import { type ReactElement, useState } from 'react';
import styles from '../chart/chart.module.css';
import { ChartLegend, Swatch } from '../chart/chart-legend.tsx';
import { lineLooks } from '../chart/chart-line.ts';
import { ChartOnDemand } from '../chart/chart-on-demand.tsx';
import layout from '../dashboard-page.module.css';
import { type OutcomeRow, rateOf, rowsAt, timesOf } from './outcome-data.ts';
import { OutcomeTable } from './outcome-table.tsx';

const heightPx = 180;

/** The success rates of both kinds of order by channel, over time. */
export function OutcomesSection({ data }: { data: DashboardOutcomes | undefined }): ReactElement {
  const t = useT();
  const [isTable, setTable] = useState(false);
  const hasAny = !data || data.collection.channels.length + data.payout.channels.length > 0;
  return (
    <Section
      isCard
      title={t('dashboard.outcomes.title')}
      extra={
        hasAny && (
          <Button
            icon={isTable ? 'trend' : 'table'}
            aria-pressed={isTable}
            onClick={() => setTable(!isTable)}
          >
            {t(isTable ? 'dashboard.showChart' : 'dashboard.showTable')}
          </Button>
        )
      }
    >
      <div className={layout.pair} aria-busy={data === undefined}>
        {(['collection', 'payout'] as const).map((kind) => (
          <KindOutcomes key={kind} kind={kind} data={data} isTable={isTable} />
        ))}
      </div>
    </Section>
  );
}

interface KindOutcomesProps {
  kind: 'collection' | 'payout';
  data: DashboardOutcomes | undefined;
  isTable: boolean;
}

function KindOutcomes({ kind, data, isTable }: KindOutcomesProps): ReactElement {
  const t = useT();
  const title = t(kind === 'collection' ? 'dashboard.collected' : 'dashboard.paidOut');
  const isEmpty = data?.[kind].channels.length === 0;
  return (
    <div className={layout.kind}>
      <h3>{title}</h3>
      <div className={styles.stage} data-table={isTable} style={{ minHeight: isEmpty ? 0 : heightPx }}>
        {isEmpty && <p className={layout.quiet}>{t('dashboard.outcomes.none')}</p>}
        {data && !isEmpty && (
          <Channels title={title} data={data} channels={data[kind].channels} isTable={isTable} />
        )}
      </div>
    </div>
  );
}

interface ChannelsProps {
  title: string;
  data: DashboardOutcomes;
  channels: readonly ChannelOutcomes[];
  isTable: boolean;
}

function Channels({ title, data, channels, isTable }: ChannelsProps): ReactElement {
  const t = useT();
  const language = useLanguage();
  const { unit, zone } = data;
  const times = timesOf(data, channels);
  const timeName = (startsAt: string) => {
    const atMs = Date.parse(startsAt);
    return unit === 'hour' ? timeOf(atMs, zone) : formatDay(dayOf(atMs, zone), language);
  };
  const series = channels.map((channel, index) => ({
    ...channel,
    name: channel.channel === null ? t('dashboard.outcomes.noChannel') : channelText(channel.channel, t),
    rows: rowsAt(channel, times),
    look: lineLooks[index % lineLooks.length] ?? { color: '--accent', dash: [], width: 2 },
  }));
  if (isTable) return <OutcomeTable title={title} unit={unit} series={series} timeName={timeName} />;
  // Orders without a channel can only fail: they have a line of text, not one at zero.
  const shown = series.filter(({ channel }) => channel !== null);
  const lines = shown.map(({ name, look, rows }) => ({
    name,
    ...look,
    values: rows.map(({ rate }) => rate),
  }));
  const neverChosen = channels.find(({ channel }) => channel === null);
  const figures = ({ rate, succeeded, lost }: OutcomeRow) =>
    `${formatRate(rate, language)} (${formatCount(succeeded, language)}/${formatCount(succeeded + lost, language)})`;
  return (
    <>
      <ChartLegend
        lines={shown.map(({ name, look, ...of }) => ({
          name,
          ...look,
          note: formatRate(rateOf(of), language),
        }))}
      />
      <ChartOnDemand
        heightPx={heightPx}
        label={`${title}: ${t('dashboard.outcomes.text')}`}
        data={{
          labels: times.map((startsAt) =>
            unit === 'hour'
              ? timeName(startsAt)
              : formatShortDay(dayOf(Date.parse(startsAt), zone), language),
          ),
          lines,
          top: 1,
          axisText: (value) => formatRate(value, language, 0),
        }}
        tip={(index) => (
          <>
            <strong>{timeName(times[index] ?? '')}</strong>
            {shown.map(({ name, look, rows }) => {
              const row = rows[index];
              return (
                <p key={name}>
                  <Swatch look={look} />
                  <span>{name}</span>
                  <b>{row && figures(row)}</b>
                </p>
              );
            })}
          </>
        )}
      />
      {neverChosen && (
        <p className={layout.quiet}>
          {t('dashboard.outcomes.neverChosen', { count: formatCount(neverChosen.lost, language) })}
        </p>
      )}
    </>
  );
}
