import type { WithdrawalRow } from '@hengfu/contract/withdrawals';
import { Button, buttonClass } from '@hengfu/ui/controls/button.tsx';
import { Notice } from '@hengfu/ui/controls/notice.tsx';
import { useT } from '@hengfu/ui/language/i18n.ts';
import { Done } from '@hengfu/ui/page/done.tsx';
import { Page } from '@hengfu/ui/page/page.tsx';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactElement, useState } from 'react';
import { useLive } from '../../platform/live.ts';
import { Failure } from '../../shared/failure.tsx';
import { Loading } from '../../shared/loading.tsx';
import { WithdrawalForm } from './withdrawal-form.tsx';
import { termsOptions } from './withdrawals.api.ts';

/** Withdrawals → Withdraw. */
export function WithdrawalApplyPage(): ReactElement {
  const t = useT();
  const { data: terms, error, refetch } = useQuery(termsOptions);
  const [made, setMade] = useState<WithdrawalRow>();
  useLive(['withdrawals'], termsOptions.queryKey);
  const contact = (
    <Link to="/contactUs" className={buttonClass('outline')}>
      {t('payouts.contact')}
    </Link>
  );
  return (
    <Page title={t('withdrawals.applyTitle')} intro={t('withdrawals.applyIntro')}>
      {error && <Failure error={error} isStale={terms !== undefined} onRetry={() => void refetch()} />}
      {terms === undefined && !error && <Loading />}
      {terms === null && (
        <Notice tone="waiting" action={contact}>
          {t('errors.withdrawals_closed')}
        </Notice>
      )}
      {made && (
        <Made
          withdrawal={made}
          onAgain={() => {
            setMade(undefined);
            void refetch();
          }}
        />
      )}
      {terms && !made && <WithdrawalForm terms={terms} onMade={setMade} />}
    </Page>
  );
}

/** Confirms the application and links to its status. */
function Made({ withdrawal, onAgain }: { withdrawal: WithdrawalRow; onAgain: () => void }): ReactElement {
  const t = useT();
  const ways = (
    <>
      <Link to="/withdrawal/record" search={{ open: withdrawal.trade_no }} className={buttonClass('primary')}>
        {t('payouts.follow')}
      </Link>
      <Button onClick={onAgain}>{t('withdrawals.another')}</Button>
    </>
  );
  const { trade_no, approvalState } = withdrawal;
  const isWaiting = approvalState === 'waiting';
  return (
    <Done actions={ways}>{t(isWaiting ? 'approvals.waitsText' : 'withdrawals.madeText', { trade_no })}</Done>
  );
}
