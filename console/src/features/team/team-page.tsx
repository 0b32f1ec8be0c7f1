import type { MadeInvitation } from '@hengfu/contract/team';
import { Button } from '@hengfu/ui/controls/button.tsx';
import { useT } from '@hengfu/ui/language/i18n.ts';
import { Page } from '@hengfu/ui/page/page.tsx';
import { Section } from '@hengfu/ui/page/section.tsx';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import { useLive } from '../../platform/live.ts';
import { queryClient } from '../../platform/query-client.ts';
import { HasPerm } from '../../platform/session-store.ts';
import { Failure } from '../../shared/failure.tsx';
import { Loading } from '../../shared/loading.tsx';
import { Invitations } from './invitations.tsx';
import { InviteDialog, LinkDialog } from './invite-dialog.tsx';
import { Members } from './members.tsx';
import { OwnRoles } from './roles/own-roles.tsx';
import { PermissionTable } from './roles/permission-table.tsx';
import { teamOptions } from './team.api.ts';
import styles from './team.module.css';

/** Prefetches the page's data. */
export const prefetch = (): void => void queryClient.prefetchQuery(teamOptions);

/** Settings → Team: members, invitations, and what each role allows. */
export function TeamPage(): ReactElement {
  const t = useT();
  const client = useQueryClient();
  const { data, error, refetch } = useQuery(teamOptions);
  const [isInviting, setInviting] = useState(false);
  const [made, setMade] = useState<MadeInvitation>();
  useLive(['team'], teamOptions.queryKey);
  const onChanged = () => void client.invalidateQueries({ queryKey: teamOptions.queryKey });
  const onMade = (invitation: MadeInvitation) => {
    setInviting(false);
    setMade(invitation);
    onChanged();
  };
  const invite = (
    <HasPerm any={['team.manage']}>
      <Button look="primary" onClick={() => setInviting(true)}>
        {t('team.invite')}
      </Button>
    </HasPerm>
  );
  return (
    <Page title={t('team.title')} intro={t('team.intro')}>
      {error && <Failure error={error} isStale={data !== undefined} onRetry={() => void refetch()} />}
      {data === undefined && !error && <Loading />}
      {data && (
        <>
          <Section isCard title={t('team.members')} extra={invite}>
            <Members of={data.members} onChanged={onChanged} />
          </Section>
          <Section isCard title={t('team.invitations')}>
            <Invitations of={data.invitations} onChanged={onChanged} onMade={onMade} />
          </Section>
          <OwnRoles team={data} onChanged={onChanged} />
        </>
      )}
      <Section isCard title={t('team.permissions')}>
        <p className={styles.note}>{t('team.permissionsText')}</p>
        <PermissionTable />
      </Section>
      {isInviting && <InviteDialog onMade={onMade} onClose={() => setInviting(false)} />}
      {made && <LinkDialog made={made} onClose={() => setMade(undefined)} />}
    </Page>
  );
}
