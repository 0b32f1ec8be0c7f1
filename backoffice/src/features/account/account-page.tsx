import { type StaffSessionRow, staffSessionEndpoints } from '@hengfu/contract/staff/session';
import { Button } from '@hengfu/ui/controls/button.tsx';
import { toast } from '@hengfu/ui/feedback/toast.ts';
import { useAction } from '@hengfu/ui/form/use-action.ts';
import { nothing } from '@hengfu/ui/language/format.ts';
import { useT } from '@hengfu/ui/language/i18n.ts';
import { Page } from '@hengfu/ui/page/page.tsx';
import { Section } from '@hengfu/ui/page/section.tsx';
import { deviceName } from '@hengfu/ui/values/device-name.ts';
import { TimeText } from '@hengfu/ui/values/time-text.tsx';
import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { reactToFailure } from '../../platform/failures.ts';
import { call } from '../../platform/http.ts';
import { reading } from '../../platform/reading.ts';
import { useRefresh } from '../../platform/refresh.ts';
import { useUser } from '../../platform/session.ts';
import { Failure } from '../../shared/failure.tsx';
import table from '../../shared/table.module.css';
import { TableBox } from '../../shared/table-box.tsx';
import { PasskeySection } from './passkey-section.tsx';
import { PasswordSection } from './password-section.tsx';

const { sessions, endSession, endOtherSessions } = staffSessionEndpoints;

/** The person's own account: its password, and where it is signed in. */
export function AccountPage(): ReactElement {
  const t = useT();
  const { email } = useUser();
  const { data, error, refetch } = useQuery(reading(sessions));
  const endOthers = useEnding(() => call(endOtherSessions));
  const isAlone = data?.length === 1;
  return (
    <Page title={t('office.account')} intro={email}>
      <PasswordSection />
      <PasskeySection />
      <Section
        title={t('office.sessions')}
        isCard
        extra={
          data &&
          !isAlone && (
            <Button onClick={endOthers.end} aria-disabled={endOthers.isPending}>
              {t('profile.endOthers')}
            </Button>
          )
        }
      >
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
        {isAlone && <p className={table.note}>{t('profile.noOthers')}</p>}
      </Section>
    </Page>
  );
}

/** Ends sessions, and shows those that are left. */
function useEnding(mutationFn: () => Promise<unknown>): { end: () => void; isPending: boolean } {
  const t = useT();
  const refresh = useRefresh(sessions.path);
  const { mutate, isPending } = useAction({
    mutationFn,
    onSuccess: () => {
      toast('success', t('profile.ended'), 'session');
      refresh();
    },
    onError: reactToFailure,
  });
  return { end: () => mutate(undefined), isPending };
}

function SessionRow({ session }: { session: StaffSessionRow }): ReactElement {
  const t = useT();
  const { end, isPending } = useEnding(() => call(endSession, { params: { id: session.id } }));
  return (
    <tr>
      <td>{deviceName(session.userAgent) ?? t('profile.unknownDevice')}</td>
      <td>{session.address ?? nothing}</td>
      <td>
        <TimeText at={session.lastSeenAt} />
      </td>
      <td data-number>
        {session.isCurrent ? (
          t('office.thisDevice')
        ) : (
          <Button onClick={end} aria-disabled={isPending}>
            {t('office.endSession')}
          </Button>
        )}
      </td>
    </tr>
  );
}
