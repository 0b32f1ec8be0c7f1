import { type DepositWallet, depositWalletEndpoints, rateEndpoints } from '@hengfu/contract/staff/rates';
import { networks } from '@hengfu/contract/wallets';
import { Button } from '@hengfu/ui/controls/button.tsx';
import { formatDecimal } from '@hengfu/ui/language/format.ts';
import { useLanguage, useT } from '@hengfu/ui/language/i18n.ts';
import { Section } from '@hengfu/ui/page/section.tsx';
import { Money } from '@hengfu/ui/values/money.tsx';
import { type StatusLook, StatusTag } from '@hengfu/ui/values/status-tag.tsx';
import { TimeText } from '@hengfu/ui/values/time-text.tsx';
import { useQuery } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import { useLive } from '../../platform/live.ts';
import { reading } from '../../platform/reading.ts';
import { useHasPerm } from '../../platform/session.ts';
import { Failure } from '../../shared/failure.tsx';
import table from '../../shared/table.module.css';
import { TableBox } from '../../shared/table-box.tsx';
import { RateDialog, WalletDialog } from './money-dialogs.tsx';
import styles from './service.module.css';

const looks = {
  current: { label: 'officeService.current', tone: 'good', icon: 'circleCheck' },
  closed: { label: 'officeService.closed', tone: 'bad', icon: 'circleCross' },
  earlier: { label: 'officeService.earlier', tone: 'calm', icon: 'circleClock' },
} as const satisfies Record<string, StatusLook>;

/** Exchange rates and deposit wallets: the current ones and the earlier ones. */
export function RatesPart(): ReactElement {
  return (
    <>
      <Rates />
      <Wallets />
    </>
  );
}

function Rates(): ReactElement {
  const t = useT();
  const language = useLanguage();
  const { data, error, refetch } = useQuery(reading(rateEndpoints.list));
  useLive(['service'], [rateEndpoints.list.path]);
  const canSet = useHasPerm('rates.set');
  const [isAsking, setAsking] = useState(false);
  return (
    <Section
      title={t('officeService.ratesTitle')}
      extra={canSet && <Button onClick={() => setAsking(true)}>{t('officeService.askRate')}</Button>}
      isCard
    >
      {isAsking && <RateDialog onClose={() => setAsking(false)} />}
      {error && <Failure error={error} onRetry={() => void refetch()} />}
      {data?.length === 0 && <p>{t('officeService.none')}</p>}
      {data && data.length > 0 && (
        <TableBox label={t('officeService.ratesTitle')}>
          <thead>
            <tr>
              <th>{t('officeService.currency')}</th>
              <th data-number>{t('officeService.rate')}</th>
              <th>{t('officeService.state')}</th>
              <th>{t('officeService.since')}</th>
            </tr>
          </thead>
          <tbody>
            {data.map(({ currency, rate, validFrom, isCurrent }) => (
              <tr key={`${currency} ${validFrom}`} className={isCurrent ? undefined : styles.old}>
                <td>{currency}</td>
                <td data-number>{formatDecimal(rate, language)}</td>
                <td>
                  <StatusTag look={isCurrent ? looks.current : looks.earlier} />
                </td>
                <td>
                  <TimeText at={validFrom} />
                </td>
              </tr>
            ))}
          </tbody>
        </TableBox>
      )}
    </Section>
  );
}

function Wallets(): ReactElement {
  const t = useT();
  const { data, error, refetch } = useQuery(reading(depositWalletEndpoints.list));
  useLive(['service'], [depositWalletEndpoints.list.path]);
  const canSet = useHasPerm('wallets.set');
  const [isAsking, setAsking] = useState(false);
  return (
    <Section
      title={t('officeService.walletsTitle')}
      extra={canSet && <Button onClick={() => setAsking(true)}>{t('officeService.askWallet')}</Button>}
      isCard
    >
      {isAsking && <WalletDialog onClose={() => setAsking(false)} />}
      <p className={table.note}>{t('officeService.walletsText')}</p>
      {error && <Failure error={error} onRetry={() => void refetch()} />}
      {data?.length === 0 && <p>{t('officeService.none')}</p>}
      {data && data.length > 0 && (
        <TableBox label={t('officeService.walletsTitle')}>
          <thead>
            <tr>
              <th>{t('officeService.network')}</th>
              <th>{t('officeService.address')}</th>
              <th data-number>{t('officeService.minimum')}</th>
              <th>{t('officeService.state')}</th>
              <th>{t('officeService.since')}</th>
            </tr>
          </thead>
          <tbody>
            {data.map((wallet) => (
              <tr
                key={`${wallet.network} ${wallet.validFrom}`}
                className={wallet.isCurrent ? undefined : styles.old}
              >
                <td>{networks[wallet.network].name}</td>
                <td data-long>{wallet.address}</td>
                <td data-number>
                  <Money amount={wallet.minimum} currency="USDT" />
                </td>
                <td>
                  <StatusTag look={lookOf(wallet)} />
                </td>
                <td>
                  <TimeText at={wallet.validFrom} />
                </td>
              </tr>
            ))}
          </tbody>
        </TableBox>
      )}
    </Section>
  );
}

function lookOf({ isCurrent, isOpen }: DepositWallet): StatusLook {
  if (!isCurrent) return looks.earlier;
  return isOpen ? looks.current : looks.closed;
}
