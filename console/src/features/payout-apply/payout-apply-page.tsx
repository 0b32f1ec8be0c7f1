import type { PayoutRow } from '@hengfu/contract/payouts';
import { Button, buttonClass } from '@hengfu/ui/controls/button.tsx';
import { useT } from '@hengfu/ui/language/i18n.ts';
import { Done } from '@hengfu/ui/page/done.tsx';
import { Page } from '@hengfu/ui/page/page.tsx';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactElement, type ReactNode, useState } from 'react';
import { Failure } from '../../shared/failure.tsx';
import { Loading } from '../../shared/loading.tsx';
import { NoChannel } from '../../shared/payments/no-channel.tsx';
import { PayoutModes } from '../../shared/payments/payout-modes.tsx';
import { channelOptions } from './payout-apply.api.ts';
import { PayoutForm } from './payout-form.tsx';

/** Send money → Send money apply. `recent` lists the latest payouts. */
export function PayoutApplyPage({ recent }: { recent: ReactNode }): ReactElement {
  const t = useT();
  const { data: channels, error, refetch } = useQuery(channelOptions);
  const [made, setMade] = useState<PayoutRow>();
  const [first, ...more] = channels ?? [];
  return (
    <Page title={t('payouts.applyTitle')} intro={t('payouts.applyIntro')}>
      <PayoutModes />
      {error && <Failure error={error} isStale={channels !== undefined} onRetry={() => void refetch()} />}
      {channels === undefined && !error && <Loading />}
      {channels?.length === 0 && <NoChannel />}
      {made && <Made payout={made} onAgain={() => setMade(undefined)} />}
      {first && !made && <PayoutForm channels={[first, ...more]} recent={recent} onMade={setMade} />}
    </Page>
  );
}

/** Confirms the application and links to its status. */
function Made({ payout, onAgain }: { payout: PayoutRow; onAgain: () => void }): ReactElement {
  const t = useT();
  const ways = (
    <>
      <Link to="/behalfPay/transfers" search={{ open: payout.trade_no }} className={buttonClass('primary')}>
        {t('payouts.follow')}
      </Link>
      <Button onClick={onAgain}>{t('payouts.another')}</Button>
    </>
  );
  return (
    <Done actions={ways}>
      {payout.approvalState === 'waiting'
        ? t('approvals.waitsText', { trade_no: payout.trade_no })
        : t('payouts.madeText', { trade_no: payout.trade_no, payee: payout.payee })}
    </Done>
  );
}
