import { type MerchantLook, merchantLookEndpoints } from '@hengfu/contract/staff/merchant-looks';
import { Notice } from '@hengfu/ui/controls/notice.tsx';
import { Form, TextField } from '@hengfu/ui/form/form.tsx';
import { useT } from '@hengfu/ui/language/i18n.ts';
import { Page } from '@hengfu/ui/page/page.tsx';
import { Section } from '@hengfu/ui/page/section.tsx';
import { TimeText } from '@hengfu/ui/values/time-text.tsx';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { reading } from '../../platform/reading.ts';
import { useRefresh } from '../../platform/refresh.ts';
import { Failure } from '../../shared/failure.tsx';
import { useCallForm } from '../../shared/use-call-form.ts';
import { DailyReportLook } from './daily-report-look.tsx';
import { DashboardLook } from './dashboard-look.tsx';
import styles from './look.module.css';
import { CollectionsLook, FundFlowLook, PayoutsLook, SettlementsLook } from './look-lists.tsx';

/** The pages of the merchant's console that are shown, with their titles. */
const pages = {
  dashboard: { title: 'dashboard.title', content: DashboardLook },
  fundFlow: { title: 'fundFlow.title', content: FundFlowLook },
  collections: { title: 'officeLooks.collections', content: CollectionsLook },
  payouts: { title: 'officeLooks.payouts', content: PayoutsLook },
  settlements: { title: 'settlements.title', content: SettlementsLook },
  dailyReport: { title: 'dailyReports.title', content: DailyReportLook },
} as const;
type LookedAt = keyof typeof pages;
const names = Object.keys(pages) as LookedAt[];

/** Shows what a merchant sees in its console, for half an hour, once the person has said why. */
export function LookPage({ code, page }: { code: string; page: string }): ReactElement {
  const t = useT();
  const params = { code };
  const { data, error, refetch } = useQuery({
    ...reading(merchantLookEndpoints.current, { params }),
    // The look ends by itself.
    refetchInterval: ({ state }) =>
      state.data ? Math.max(1000, Date.parse(state.data.endsAt) - Date.now()) : false,
  });
  if (error) return <Failure error={error} onRetry={() => void refetch()} />;
  return (
    <Page title={t('officeLooks.title', { name: data?.merchant.name ?? code })}>
      {data === null && <BeginForm code={code} />}
      {data && <Looking look={data} page={names.find((name) => name === page) ?? 'dashboard'} />}
    </Page>
  );
}

function BeginForm({ code }: { code: string }): ReactElement {
  const t = useT();
  const refresh = useRefresh(merchantLookEndpoints.current.path);
  const form = useCallForm(merchantLookEndpoints.begin, refresh, { code });
  return (
    <Section title={t('officeLooks.begin')} isCard>
      <Form state={form} action={t('officeLooks.begin')}>
        <p>{t('officeLooks.text')}</p>
        <TextField
          form={form}
          name="reason"
          label={t('officeLooks.reason')}
          hint={t('officeLooks.reasonHint')}
          maxLength={300}
          autoComplete="off"
        />
      </Form>
    </Section>
  );
}

function Looking({ look, page }: { look: MerchantLook; page: LookedAt }): ReactElement {
  const t = useT();
  const { code, name, currency } = look.merchant;
  const Content = pages[page].content;
  return (
    <>
      <Notice tone="waiting">
        {t('officeLooks.looking', { name })} <TimeText at={look.endsAt} style="minute" />
      </Notice>
      <nav className={styles.pages} aria-label={t('officeLooks.pages')}>
        {names.map((each) => (
          <Link key={each} to="/merchants/$code/view/$page" params={{ code, page: each }}>
            {t(pages[each].title)}
          </Link>
        ))}
      </nav>
      <Content code={code} currency={currency} />
    </>
  );
}
