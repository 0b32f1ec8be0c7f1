import type { ReplyOf } from '@hengfu/contract/endpoint';
import { type LimitName, limitNames } from '@hengfu/contract/staff/limits';
import { staffMerchantEndpoints } from '@hengfu/contract/staff/merchants';
import { Button } from '@hengfu/ui/controls/button.tsx';
import { formatMoney } from '@hengfu/ui/language/format.ts';
import { useLanguage, useT } from '@hengfu/ui/language/i18n.ts';
import { Fields } from '@hengfu/ui/page/fields.tsx';
import { Section } from '@hengfu/ui/page/section.tsx';
import { Count } from '@hengfu/ui/values/count.tsx';
import { Money } from '@hengfu/ui/values/money.tsx';
import { useQuery } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import { reading } from '../../../platform/reading.ts';
import { useHasPerm } from '../../../platform/session.ts';
import { Failure } from '../../../shared/failure.tsx';
import table from '../../../shared/table.module.css';
import { TableBox } from '../../../shared/table-box.tsx';
import { ChannelTermsDialog } from './channel-terms-dialog.tsx';
import { limitLabels } from './limit-labels.ts';
import { LimitsDialog } from './limits-dialog.tsx';
import { SettlementDialog } from './settlement-dialog.tsx';
import { SettlementSection } from './settlement-section.tsx';
import { ValidFrom } from './valid-from.tsx';
import { WithdrawalTermsDialog } from './withdrawal-terms-dialog.tsx';

/** All versions of a merchant's terms, the newest first, and its settlement cycle. Those of a test merchant follow its live one. */
export function TermsPart({ code, isTest }: { code: string; isTest: boolean }): ReactElement {
  const t = useT();
  const { data, error, refetch } = useQuery(reading(staffMerchantEndpoints.terms, { params: { code } }));
  const hasPerm = useHasPerm('merchants.terms');
  const mayAsk = hasPerm && !isTest;
  const [asked, setAsked] = useState<'channel' | 'withdrawals' | 'settlement' | 'limits'>();
  const button = (kind: keyof typeof labels) =>
    mayAsk && <Button onClick={() => setAsked(kind)}>{t(labels[kind])}</Button>;
  return (
    <>
      {error && <Failure error={error} isStale={data !== undefined} onRetry={() => void refetch()} />}
      <Section title={t('officeMerchants.channelTerms')} isCard extra={button('channel')}>
        {data?.channels.length === 0 && <p className={table.note}>{t('officeMerchants.noTerms')}</p>}
        {data && data.channels.length > 0 && <ChannelTable terms={data.channels} />}
      </Section>
      <Section title={t('officeMerchants.withdrawalTerms')} isCard extra={button('withdrawals')}>
        {data?.withdrawals.length === 0 && (
          <p className={table.note}>{t('officeMerchants.noWithdrawalTerms')}</p>
        )}
        {data && data.withdrawals.length > 0 && <WithdrawalTable terms={data.withdrawals} />}
      </Section>
      {data && <SettlementSection settlement={data.settlement} extra={button('settlement')} />}
      {data && (
        <Section title={t('officeMerchants.limits')} isCard extra={button('limits')}>
          <Fields
            fields={limitNames.map((name) => ({
              label: t(limitLabels[name]),
              value: limitText(data, name) ?? t('officeMerchants.noLimit'),
            }))}
          />
        </Section>
      )}
      {data && asked === 'limits' && (
        <LimitsDialog code={code} current={data.limits} onClose={() => setAsked(undefined)} />
      )}
      {data && asked === 'settlement' && (
        <SettlementDialog code={code} current={data.settlement} onClose={() => setAsked(undefined)} />
      )}
      {data && asked === 'channel' && (
        <ChannelTermsDialog
          code={code}
          currency={data.currency}
          versions={data.channels}
          onClose={() => setAsked(undefined)}
        />
      )}
      {data && asked === 'withdrawals' && (
        <WithdrawalTermsDialog code={code} versions={data.withdrawals} onClose={() => setAsked(undefined)} />
      )}
    </>
  );
}

const labels = {
  channel: 'officeMerchants.newFees',
  withdrawals: 'officeMerchants.newTerms',
  settlement: 'officeMerchants.newCycle',
  limits: 'officeMerchants.newLimits',
} as const;

function limitText({ limits, currency }: Terms, name: LimitName): ReactElement | null {
  const limit = limits[name];
  return limit === null ? null : <Money amount={limit} currency={currency} />;
}

type Terms = ReplyOf<typeof staffMerchantEndpoints.terms>['data'];

function ChannelTable({ terms: versions }: { terms: Terms['channels'] }): ReactElement {
  const t = useT();
  const language = useLanguage();
  return (
    <TableBox label={t('officeMerchants.channelTerms')}>
      <thead>
        <tr>
          <th>{t('officeMerchants.channel')}</th>
          <th>{t('officeMerchants.validFrom')}</th>
          <th data-number>{t('officeMerchants.perCollection')}</th>
          <th data-number>{t('officeMerchants.perPayout')}</th>
          <th>{t('officeMerchants.refundFee')}</th>
          <th>{t('officeMerchants.refundSource')}</th>
        </tr>
      </thead>
      <tbody>
        {versions.map((terms) => {
          const feeText = (rate: string, fixed: string) =>
            t('officeMerchants.fee', { rate, fixed: formatMoney(fixed, terms.currency, language) });
          return (
            <tr key={`${terms.channel} ${terms.validFrom}`}>
              <td>{t(`channels.${terms.channel}`)}</td>
              <td>
                <ValidFrom {...terms} />
              </td>
              <td data-number>{feeText(terms.collectionRate, terms.collectionFixed)}</td>
              <td data-number>{feeText(terms.payoutRate, terms.payoutFixed)}</td>
              <td>{t(`officeMerchants.refundFees.${terms.refundFee}`)}</td>
              <td>{t(`officeMerchants.refundFunds.${terms.refundFunds}`)}</td>
            </tr>
          );
        })}
      </tbody>
    </TableBox>
  );
}

function WithdrawalTable({ terms: versions }: { terms: Terms['withdrawals'] }): ReactElement {
  const t = useT();
  return (
    <TableBox label={t('officeMerchants.withdrawalTerms')}>
      <thead>
        <tr>
          <th>{t('officeMerchants.validFrom')}</th>
          <th data-number>{t('officeMerchants.feeEach')}</th>
          <th data-number>{t('officeMerchants.freePerDay')}</th>
          <th data-number>{t('officeMerchants.minimum')}</th>
        </tr>
      </thead>
      <tbody>
        {versions.map((terms) => (
          <tr key={terms.validFrom}>
            <td>
              <ValidFrom {...terms} />
            </td>
            <td data-number>
              <Money amount={terms.fee} currency="USDT" />
            </td>
            <td data-number>
              <Count of={terms.freePerDay} />
            </td>
            <td data-number>
              <Money amount={terms.minimum} currency="USDT" />
            </td>
          </tr>
        ))}
      </tbody>
    </TableBox>
  );
}
