import type { ReplyOf } from '@hengfu/contract/endpoint';
import type { staffMerchantEndpoints } from '@hengfu/contract/staff/merchants';
import { useT } from '@hengfu/ui/language/i18n.ts';
import { Fields } from '@hengfu/ui/page/fields.tsx';
import { Section } from '@hengfu/ui/page/section.tsx';
import { Money } from '@hengfu/ui/values/money.tsx';
import { TimeText } from '@hengfu/ui/values/time-text.tsx';
import type { ReactElement } from 'react';
import { placeName } from '../../../shared/place-name.ts';
import table from '../../../shared/table.module.css';
import { TableBox } from '../../../shared/table-box.tsx';

type Merchant = ReplyOf<typeof staffMerchantEndpoints.get>['data'];

/** The facts of a merchant, and the balances of its ledger accounts. */
export function OverviewPart({ merchant }: { merchant: Merchant }): ReactElement {
  const t = useT();
  const { code, currency, mode, zone, createdAt, requiresTwoFactor, balances } = merchant;
  return (
    <>
      <Section title={t('officeMerchants.facts')} isCard>
        <Fields
          fields={[
            { label: t('officeMerchants.code'), value: code, copy: code },
            { label: t('officeMerchants.mode'), value: t(`officeMerchants.modes.${mode}`) },
            { label: t('officeMerchants.currency'), value: currency },
            { label: t('officeMerchants.zone'), value: zone },
            { label: t('officeMerchants.createdAt'), value: <TimeText at={createdAt} /> },
            {
              label: t('officeMerchants.factorRule'),
              value: t(`officeMerchants.factorRules.${requiresTwoFactor ? 'required' : 'free'}`),
            },
          ]}
        />
      </Section>
      <Section title={t('officeMerchants.balances')} isCard>
        {balances.length === 0 ? (
          <p className={table.note}>{t('officeMerchants.noBalances')}</p>
        ) : (
          <TableBox label={t('officeMerchants.balances')}>
            <thead>
              <tr>
                <th>{t('officeMerchants.account')}</th>
                <th data-number>{t('officeMerchants.balance')}</th>
              </tr>
            </thead>
            <tbody>
              {balances.map((place) => (
                <tr key={`${place.kind} ${place.reference} ${place.currency}`}>
                  <td>{placeName(place, t)}</td>
                  <td data-number>
                    <Money amount={place.balance} currency={place.currency} />
                  </td>
                </tr>
              ))}
            </tbody>
          </TableBox>
        )}
      </Section>
    </>
  );
}
