import { localeOf } from '@hengfu/contract/languages';
import { type ChannelHour, channelHours, todayEndpoints } from '@hengfu/contract/staff/today';
import { nothing } from '@hengfu/ui/language/format.ts';
import { useLanguage, useT } from '@hengfu/ui/language/i18n.ts';
import { Section } from '@hengfu/ui/page/section.tsx';
import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { reading } from '../../platform/reading.ts';
import { Failure } from '../../shared/failure.tsx';
import table from '../../shared/table.module.css';
import { TableBox } from '../../shared/table-box.tsx';

const hourMs = 3_600_000;
const refetchMs = 60_000;
/** Below this share, a channel needs a look. */
const lowShare = 0.8;

/** How many of the orders each channel paid, hour by hour, the current hour last. */
export function ChannelSuccess(): ReactElement {
  const t = useT();
  const locale = localeOf[useLanguage()];
  const { data, error, refetch } = useQuery({
    ...reading(todayEndpoints.channels),
    refetchInterval: refetchMs,
  });
  const now = Math.floor(Date.now() / hourMs) * hourMs;
  const hours = Array.from({ length: channelHours }, (_, index) => now - (channelHours - 1 - index) * hourMs);
  const rows = [...Map.groupBy(data ?? [], ({ channel, kind }) => `${channel} ${kind}`)];
  return (
    <Section title={t('office.success')} isCard>
      {error && <Failure error={error} onRetry={() => void refetch()} />}
      <p className={table.note}>
        {rows.length > 0 || !data ? t('office.successText') : t('office.successNone')}
      </p>
      {rows.length > 0 && (
        <TableBox label={t('office.success')}>
          <thead>
            <tr>
              <th>{t('office.channel')}</th>
              {hours.map((hour) => (
                <th key={hour} data-number>
                  {new Intl.DateTimeFormat(locale, {
                    hour: '2-digit',
                    minute: '2-digit',
                    hourCycle: 'h23',
                  }).format(hour)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(([key, cells]) => (
              <ChannelRow key={key} cells={cells} hours={hours} />
            ))}
          </tbody>
        </TableBox>
      )}
    </Section>
  );
}

function ChannelRow({
  cells,
  hours,
}: {
  cells: readonly ChannelHour[];
  hours: readonly number[];
}): ReactElement {
  const t = useT();
  const [first] = cells;
  const name = first && t(`status.kind.${first.kind}`, { channel: t(`channels.${first.channel}`) });
  return (
    <tr>
      <td>{name}</td>
      {hours.map((hour) => (
        <td key={hour} data-number>
          <Share cell={cells.find((each) => Date.parse(each.hour) === hour)} />
        </td>
      ))}
    </tr>
  );
}

function Share({ cell }: { cell: ChannelHour | undefined }): ReactElement {
  const t = useT();
  const locale = localeOf[useLanguage()];
  if (!cell) return <>{nothing}</>;
  const { paid, refused } = cell;
  const share = paid / (paid + refused);
  return (
    <span
      className={share < lowShare ? table.late : undefined}
      title={t('office.successOf', { paid, refused })}
    >
      {new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 0 }).format(share)}
    </span>
  );
}
