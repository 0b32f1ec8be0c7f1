import { Button, buttonClass } from '@hengfu/ui/controls/button.tsx';
import { Notice } from '@hengfu/ui/controls/notice.tsx';
import { toast } from '@hengfu/ui/feedback/toast.ts';
import { useT } from '@hengfu/ui/language/i18n.ts';
import { Page } from '@hengfu/ui/page/page.tsx';
import { Section } from '@hengfu/ui/page/section.tsx';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactElement, useState } from 'react';
import { useLive } from '../../platform/live.ts';
import { queryClient } from '../../platform/query-client.ts';
import { HasPerm } from '../../platform/session-store.ts';
import { Failure } from '../../shared/failure.tsx';
import { Loading } from '../../shared/loading.tsx';
import { RuleList } from '../../shared/names/approval-rule-list.tsx';
import { rulesOptions } from './approval-rules.api.ts';
import styles from './approval-rules.module.css';
import { RuleEditor } from './rule-editor.tsx';

/** Prefetches the page's data. */
export const prefetch = (): void => void queryClient.prefetchQuery(rulesOptions);

/** Settings → Approval rules: which orders wait for a second person. */
export function ApprovalRulesPage(): ReactElement {
  const t = useT();
  const client = useQueryClient();
  const { data, error, refetch } = useQuery(rulesOptions);
  const [isEditing, setEditing] = useState(false);
  useLive(['approvals', 'team'], rulesOptions.queryKey);
  const onSaved = (requestNo: string | null) => {
    setEditing(false);
    toast('success', t(requestNo === null ? 'approvals.saved' : 'approvals.asked'), 'approvals');
    void client.invalidateQueries({ queryKey: rulesOptions.queryKey });
  };
  const change = !isEditing && data?.waiting === null && (
    <HasPerm any={['approvals.manage']}>
      <Button look="primary" onClick={() => setEditing(true)}>
        {t('approvals.change')}
      </Button>
    </HasPerm>
  );
  return (
    <Page title={t('approvals.rulesTitle')} intro={t('approvals.rulesIntro')}>
      {error && <Failure error={error} isStale={data !== undefined} onRetry={() => void refetch()} />}
      {data === undefined && !error && <Loading />}
      {data && data.waiting !== null && (
        <Notice
          tone="waiting"
          action={
            <Link to="/approvals" search={{ open: data.waiting }} className={buttonClass('outline')}>
              {t('approvals.toRequest')}
            </Link>
          }
        >
          {t('approvals.changeWaits')}
        </Notice>
      )}
      {data && (
        <Section isCard title={t('approvals.current')} extra={change || undefined}>
          <p className={styles.note}>{t('approvals.rulesText')}</p>
          {isEditing ? (
            <RuleEditor of={data} people={data.people} onSaved={onSaved} onClose={() => setEditing(false)} />
          ) : (
            <RuleList of={data} />
          )}
        </Section>
      )}
    </Page>
  );
}
