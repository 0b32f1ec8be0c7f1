import { covers } from '@hengfu/contract/permissions';
import { type Invitation, type MadeInvitation, teamEndpoints } from '@hengfu/contract/team';
import { Button } from '@hengfu/ui/controls/button.tsx';
import { toast } from '@hengfu/ui/feedback/toast.ts';
import { useAction } from '@hengfu/ui/form/use-action.ts';
import { useT } from '@hengfu/ui/language/i18n.ts';
import { approvalLooks } from '@hengfu/ui/orders/approval-looks.ts';
import { type StatusLook, StatusTag } from '@hengfu/ui/values/status-tag.tsx';
import { TimeText } from '@hengfu/ui/values/time-text.tsx';
import { type ReactElement, useState } from 'react';
import { call } from '../../platform/http.ts';
import { hasPerm, useUser } from '../../platform/session-store.ts';
import { AskDialog } from './ask-dialog.tsx';
import { RoleNames } from './role-names.tsx';
import { grantBy, useOwnRoles } from './team.api.ts';
import styles from './team.module.css';
import { invitationLooks } from './team-looks.ts';

interface InvitationsProps {
  of: readonly Invitation[];
  onChanged: () => void;
  onMade: (made: MadeInvitation) => void;
}

/** The invitations that nobody has used yet. */
export function Invitations({ of, onChanged, onMade }: InvitationsProps): ReactElement {
  const t = useT();
  if (of.length === 0) return <p className={styles.note}>{t('team.noInvitations')}</p>;
  return (
    <ul className={styles.people}>
      {of.map((invitation) => (
        <li key={invitation.id}>
          <div className={styles.who}>
            <strong>{invitation.email}</strong>
            <StatusTag look={lookOf(invitation)} />
          </div>
          <RoleNames of={invitation.roles} />
          <dl className={styles.facts}>
            <div>
              <dt>{t('team.invitedBy')}</dt>
              <dd>{invitation.invitedBy ?? t('team.byStaff')}</dd>
            </div>
            <div>
              <dt>{t('team.expires')}</dt>
              <dd>
                <TimeText at={invitation.expiresAt} style="minute" />
              </dd>
            </div>
          </dl>
          <Changes invitation={invitation} onChanged={onChanged} onMade={onMade} />
        </li>
      ))}
    </ul>
  );
}

/** How an invitation looks: one that waits for approval says so first. */
function lookOf({ approvalState, isExpired }: Invitation): StatusLook {
  if (approvalState === 'waiting') return approvalLooks.waiting;
  return invitationLooks[isExpired ? 'expired' : 'open'];
}

/** Renews and revokes an invitation whose roles the user may give. */
function Changes({
  invitation: { id, email, roles },
  onChanged,
  onMade,
}: Omit<InvitationsProps, 'of'> & { invitation: Invitation }): ReactElement {
  const t = useT();
  const user = useUser();
  const grant = grantBy(useOwnRoles(), roles);
  const [isAsking, setAsking] = useState(false);
  const params = { id: id };
  const renew = useAction({
    mutationFn: () => call(teamEndpoints.renew, { params }),
    onSuccess: ({ data }) => {
      toast('success', t('team.renewed'), 'team');
      onMade(data);
    },
  });
  if (!hasPerm(user, 'team.manage') || !covers(user, grant)) return <span />;
  return (
    <div className={styles.buttons}>
      <Button aria-disabled={renew.isPending} onClick={() => !renew.isPending && renew.mutate()}>
        {t('team.renew')}
      </Button>
      <Button onClick={() => setAsking(true)}>{t('team.revoke')}</Button>
      {isAsking && (
        <AskDialog
          title={t('team.revokeTitle')}
          text={t('team.revokeText', { email })}
          action={t('team.revoke')}
          run={() => call(teamEndpoints.revoke, { params })}
          onDone={() => {
            setAsking(false);
            toast('success', t('team.revoked'), 'team');
            onChanged();
          }}
          onClose={() => setAsking(false)}
        />
      )}
    </div>
  );
}
