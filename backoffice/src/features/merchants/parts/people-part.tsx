import { isSharedRole } from '@hengfu/contract/permissions';
import { type MerchantPerson, staffMerchantEndpoints } from '@hengfu/contract/staff/merchants';
import { Button } from '@hengfu/ui/controls/button.tsx';
import { toast } from '@hengfu/ui/feedback/toast.ts';
import { Form } from '@hengfu/ui/form/form.tsx';
import { type Translate, useT } from '@hengfu/ui/language/i18n.ts';
import { Dialog } from '@hengfu/ui/overlays/dialog.tsx';
import { Section } from '@hengfu/ui/page/section.tsx';
import { TimeText } from '@hengfu/ui/values/time-text.tsx';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import { reactToFailure } from '../../../platform/failures.ts';
import { call } from '../../../platform/http.ts';
import { reading } from '../../../platform/reading.ts';
import { useHasPerm } from '../../../platform/session.ts';
import { Failure } from '../../../shared/failure.tsx';
import table from '../../../shared/table.module.css';
import { TableBox } from '../../../shared/table-box.tsx';
import { useCallForm } from '../../../shared/use-call-form.ts';
import styles from '../merchants.module.css';
import { useRefresh } from '../use-refresh.ts';
import { FactorReset } from './factor-reset.tsx';
import { OwnerInvitation } from './owner-invitation.tsx';

/** The people of a merchant, with the help of support, and the invitations that nobody has used yet. */
export function PeoplePart({ code }: { code: string }): ReactElement {
  const t = useT();
  const maySupport = useHasPerm('merchants.support');
  const mayReset = useHasPerm('merchants.factors');
  const mayInvite = useHasPerm('merchants.create');
  const { data, error, refetch } = useQuery(reading(staffMerchantEndpoints.people, { params: { code } }));
  return (
    <>
      <Section title={t('officeMerchants.people')} isCard>
        {error && <Failure error={error} onRetry={() => void refetch()} />}
        {data?.people.length === 0 && <p className={table.note}>{t('officeMerchants.nobody')}</p>}
        {data && data.people.length > 0 && (
          <TableBox label={t('officeMerchants.people')}>
            <thead>
              <tr>
                <th>{t('officeMerchants.name')}</th>
                <th>{t('officeMerchants.email')}</th>
                <th>{t('officeMerchants.roles')}</th>
                <th>{t('officeMerchants.state')}</th>
                <th>{t('officeMerchants.factor')}</th>
                <th>{t('officeMerchants.lastSignIn')}</th>
                {(maySupport || mayReset) && (
                  <th>
                    <span className="visually-hidden">{t('officeMerchants.actions')}</span>
                  </th>
                )}
              </tr>
            </thead>
            <tbody>
              {data.people.map((person) => (
                <PersonRow
                  key={person.id}
                  code={code}
                  person={person}
                  maySupport={maySupport}
                  mayReset={mayReset}
                />
              ))}
            </tbody>
          </TableBox>
        )}
      </Section>
      {data && data.invitations.length > 0 && (
        <Section title={t('officeMerchants.invitations')} isCard>
          <TableBox label={t('officeMerchants.invitations')}>
            <thead>
              <tr>
                <th>{t('officeMerchants.email')}</th>
                <th>{t('officeMerchants.roles')}</th>
                <th>{t('officeMerchants.expires')}</th>
              </tr>
            </thead>
            <tbody>
              {data.invitations.map(({ email, roles, expiresAt }) => (
                <tr key={email}>
                  <td>{email}</td>
                  <td>{rolesText(roles, t)}</td>
                  <td>
                    <TimeText at={expiresAt} />
                  </td>
                </tr>
              ))}
            </tbody>
          </TableBox>
        </Section>
      )}
      {data?.people.length === 0 && mayInvite && (
        <OwnerInvitation code={code} email={data.invitations[0]?.email ?? ''} />
      )}
    </>
  );
}

interface PersonRowProps {
  code: string;
  person: MerchantPerson;
  maySupport: boolean;
  mayReset: boolean;
}

function PersonRow({ code, person, maySupport, mayReset }: PersonRowProps): ReactElement {
  const t = useT();
  const { name, email, roles, state, hasTwoFactor, isLocked, lastSignInAt } = person;
  return (
    <tr>
      <td>{name}</td>
      <td>{email}</td>
      <td>{rolesText(roles, t)}</td>
      <td>{isLocked ? t('officeMerchants.locked') : t(`team.states.${state}`)}</td>
      <td>{t(`officeMerchants.factors.${hasTwoFactor ? 'yes' : 'no'}`)}</td>
      <td>{lastSignInAt ? <TimeText at={lastSignInAt} /> : t('team.never')}</td>
      {(maySupport || mayReset) && (
        <td>
          <div className={styles.buttons}>
            {maySupport && <SupportButtons code={code} person={person} />}
            {mayReset && <FactorReset code={code} person={person} />}
          </div>
        </td>
      )}
    </tr>
  );
}

function SupportButtons({ code, person }: { code: string; person: MerchantPerson }): ReactElement {
  const t = useT();
  const { id, name, isLocked } = person;
  const [isSigningOut, setIsSigningOut] = useState(false);
  const refresh = useRefresh();
  const unlock = useMutation({
    mutationFn: () => call(staffMerchantEndpoints.unlock, { params: { code, person_id: id } }),
    onSuccess: () => {
      toast('success', t('officeMerchants.unlocked', { name }));
      refresh();
    },
    onError: reactToFailure,
  });
  return (
    <>
      {isLocked && (
        <Button onClick={() => unlock.mutate()} aria-disabled={unlock.isPending}>
          {t('officeMerchants.unlock')}
        </Button>
      )}
      <Button onClick={() => setIsSigningOut(true)}>{t('officeMerchants.signOut')}</Button>
      {isSigningOut && <SignOutDialog code={code} person={person} onClose={() => setIsSigningOut(false)} />}
    </>
  );
}

interface SignOutDialogProps {
  code: string;
  person: MerchantPerson;
  onClose: () => void;
}

function SignOutDialog({ code, person: { id, name }, onClose }: SignOutDialogProps): ReactElement {
  const t = useT();
  const refresh = useRefresh();
  const onDone = () => {
    toast('success', t('officeMerchants.signedOut', { name }));
    onClose();
    refresh();
  };
  const form = useCallForm(staffMerchantEndpoints.signOut, onDone, { code, person_id: id });
  return (
    <Dialog title={t('officeMerchants.signOutTitle', { name })} onClose={onClose}>
      <Form
        state={form}
        action={t('officeMerchants.signOut')}
        extra={<Button onClick={onClose}>{t('officeMerchants.cancel')}</Button>}
      >
        <p>{t('officeMerchants.signOutText')}</p>
      </Form>
    </Dialog>
  );
}

/** Names roles: those that every merchant has in the reader's language, the others as the merchant does. */
function rolesText(roles: readonly string[], t: Translate): string {
  return roles.map((role) => (isSharedRole(role) ? t(`team.role.${role}`) : role)).join(', ');
}
