import { type StaffSessionRow, staffSessionEndpoints } from '@hengfu/contract/staff/session';
import { Button } from '@hengfu/ui/controls/button.tsx';
import { nothing } from '@hengfu/ui/language/format.ts';
import { useT } from '@hengfu/ui/language/i18n.ts';
import { Page } from '@hengfu/ui/page/page.tsx';
import { Section } from '@hengfu/ui/page/section.tsx';
import { TimeText } from '@hengfu/ui/values/time-text.tsx';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { reactToFailure } from '../../platform/failures.ts';
import { call } from '../../platform/http.ts';
import { reading } from '../../platform/reading.ts';
import { useUser } from '../../platform/session.ts';
import { Failure } from '../../shared/failure.tsx';
import { TableBox } from '../../shared/table-box.tsx';

/** The person's own account: where it is signed in. */
export function AccountPage(): ReactElement {
  const t = useT();
  const { email } = useUser();
  const { data, error, refetch } = useQuery(reading(staffSessionEndpoints.sessions));
  return (
    <Page title={t('office.account')} intro={email}>
      <Section title={t('office.sessions')} isCard>
        {error && <Failure error={error} onRetry={() => void refetch()} />}
        <TableBox label={t('office.sessions')}>
          <thead>
            <tr>
              <th>{t('office.device')}</th>
              <th>{t('office.address')}</th>
              <th>{t('office.lastSeen')}</th>
              <th>
                <span className="visually-hidden">{t('office.endSession')}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {data?.map((session) => (
              <SessionRow key={session.id} session={session} />
            ))}
          </tbody>
        </TableBox>
      </Section>
    </Page>
  );
}

function SessionRow({ session }: { session: StaffSessionRow }): ReactElement {
  const t = useT();
  const client = useQueryClient();
  const end = useMutation({
    mutationFn: () => call(staffSessionEndpoints.endSession, { params: { id: session.id } }),
    onSuccess: () => client.invalidateQueries({ queryKey: [staffSessionEndpoints.sessions.path] }),
    onError: reactToFailure,
  });
  return (
    <tr>
      <td data-long>{session.userAgent ?? nothing}</td>
      <td>{session.address ?? nothing}</td>
      <td>
        <TimeText at={session.lastSeenAt} />
      </td>
      <td data-number>
        {session.isCurrent ? (
          t('office.thisDevice')
        ) : (
          <Button onClick={() => end.mutate()} aria-disabled={end.isPending}>
            {t('office.endSession')}
          </Button>
        )}
      </td>
    </tr>
  );
}
