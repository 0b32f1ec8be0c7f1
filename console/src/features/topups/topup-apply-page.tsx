import type { TopupRow } from '@hengfu/contract/topups';
import { Button, buttonClass } from '@hengfu/ui/controls/button.tsx';
import { Notice } from '@hengfu/ui/controls/notice.tsx';
import { useT } from '@hengfu/ui/language/i18n.ts';
import { Done } from '@hengfu/ui/page/done.tsx';
import { Page } from '@hengfu/ui/page/page.tsx';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactElement, useState } from 'react';
import { Failure } from '../../shared/failure.tsx';
import { Loading } from '../../shared/loading.tsx';
import { TopupForm } from './topup-form.tsx';
import { newTopupOptions } from './topups.api.ts';

/** Top-ups → Top-up. */
export function TopupApplyPage(): ReactElement {
  const t = useT();
  const { data: options, error, refetch } = useQuery(newTopupOptions);
  const [made, setMade] = useState<TopupRow>();
  const contact = (
    <Link to="/contactUs" className={buttonClass('outline')}>
      {t('payouts.contact')}
    </Link>
  );
  return (
    <Page title={t('topups.applyTitle')} intro={t('topups.applyIntro')}>
      {error && <Failure error={error} isStale={options !== undefined} onRetry={() => void refetch()} />}
      {options === undefined && !error && <Loading />}
      {options === null && (
        <Notice tone="waiting" action={contact}>
          {t('errors.topups_closed')}
        </Notice>
      )}
      {made && <Made topup={made} onAgain={() => setMade(undefined)} />}
      {options && !made && <TopupForm options={options} onMade={setMade} />}
    </Page>
  );
}

/** Confirms the submission and links to its status. */
function Made({ topup, onAgain }: { topup: TopupRow; onAgain: () => void }): ReactElement {
  const t = useT();
  const ways = (
    <>
      <Link to="/recharge/record" search={{ open: topup.trade_no }} className={buttonClass('primary')}>
        {t('payouts.follow')}
      </Link>
      <Button onClick={onAgain}>{t('topups.another')}</Button>
    </>
  );
  return <Done actions={ways}>{t('withdrawals.madeText', { trade_no: topup.trade_no })}</Done>;
}
