import { type Currency, formatAmount, minorOf } from '@hengfu/contract/money';
import { type CurrencyFigures, type MoneyPlace, todayEndpoints } from '@hengfu/contract/staff/today';
import { useT } from '@hengfu/ui/language/i18n.ts';
import { Figure, Figures } from '@hengfu/ui/page/figure-card.tsx';
import { Section } from '@hengfu/ui/page/section.tsx';
import { Money } from '@hengfu/ui/values/money.tsx';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { reading } from '../../platform/reading.ts';
import { Failure } from '../../shared/failure.tsx';
import { placeName } from '../../shared/place-name.ts';
import table from '../../shared/table.module.css';
import { TableBox } from '../../shared/table-box.tsx';

const refetchMs = 15_000;

/** The money of all live merchants by place, and what moved since midnight of this browser's zone. */
export function ServiceFigures(): ReactElement {
  const t = useT();
  // At midnight, another day begins.
  const since = new Date(new Date().setHours(0, 0, 0, 0)).toISOString();
  const { data, error, refetch } = useQuery({
    ...reading(todayEndpoints.figures, { query: { since } }),
    placeholderData: keepPreviousData,
    // The money of all merchants moves all the time: a change is no reason to ask.
    refetchInterval: refetchMs,
  });
  return (
    <Section title={t('office.figures')} isCard>
      {error && <Failure error={error} onRetry={() => void refetch()} />}
      <p className={table.note}>{t('office.figuresText')}</p>
      {data?.map((figures) => (
        <CurrencyTable key={figures.currency} figures={figures} />
      ))}
    </Section>
  );
}

function CurrencyTable({ figures: { currency, places } }: { figures: CurrencyFigures }): ReactElement {
  const t = useT();
  const columns = ['balance', 'in', 'out'] as const;
  return (
    <div className={table.part}>
      <Figures>
        {/* A collection takes money out of clearing, a payout brings it in. */}
        <Figure
          label={t('office.collected')}
          value={<Money amount={sumOf(places, 'out', currency, 'clearing')} currency={currency} />}
        />
        <Figure
          label={t('office.paidOut')}
          value={<Money amount={sumOf(places, 'in', currency, 'clearing')} currency={currency} />}
        />
        <Figure
          label={t('office.feesToday')}
          value={<Money amount={earnedIn(places, currency)} currency={currency} />}
        />
      </Figures>
      <TableBox label={currency}>
        <thead>
          <tr>
            <th>{currency}</th>
            {columns.map((column) => (
              <th key={column} data-number>
                {t(`office.${column}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {places.map((place) => (
            <tr key={`${place.kind} ${place.reference}`}>
              <td>{placeName(place, t)}</td>
              {columns.map((column) => (
                <td key={column} data-number>
                  <Money amount={place[column]} currency={currency} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <td>{t('office.total')}</td>
            <td data-number>
              <Money amount={sumOf(places, 'balance', currency)} currency={currency} />
            </td>
            <td />
            <td />
          </tr>
        </tfoot>
      </TableBox>
    </div>
  );
}

/** The fees that came in, less those that refunds have returned. */
function earnedIn(places: readonly MoneyPlace[], currency: Currency): string {
  const [taken, returned] = [sumOf(places, 'in', currency, 'fees'), sumOf(places, 'out', currency, 'fees')];
  return formatAmount(minorOf(taken, currency) - minorOf(returned, currency), currency);
}

/** Adds the amounts of accounts exactly; those of one kind, if it is given. */
function sumOf(
  places: readonly MoneyPlace[],
  part: 'balance' | 'in' | 'out',
  currency: Currency,
  kind?: MoneyPlace['kind'],
): string {
  const counted = places.filter((place) => kind === undefined || place.kind === kind);
  return formatAmount(
    counted.reduce((sum, place) => sum + minorOf(place[part], currency), 0n),
    currency,
  );
}
