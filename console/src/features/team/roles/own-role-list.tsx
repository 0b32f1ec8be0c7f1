import { type OwnRole, ownRoleEndpoints } from '@hengfu/contract/own-roles';
import { covers, noGrant } from '@hengfu/contract/permissions';
import type { Invitation, TeamMember } from '@hengfu/contract/team';
import { Icon } from '@hengfu/ui/controls/icon.tsx';
import { toast } from '@hengfu/ui/feedback/toast.ts';
import { useT } from '@hengfu/ui/language/i18n.ts';
import { Menu } from '@hengfu/ui/overlays/menu.tsx';
import { type ReactElement, useState } from 'react';
import { call } from '../../../platform/http.ts';
import { hasPerm, useUser } from '../../../platform/session-store.ts';
import { permsText } from '../../../shared/names/perm-text.ts';
import { AskDialog } from '../ask-dialog.tsx';
import { RoleDialog } from './role-editor.tsx';
import styles from './roles.module.css';

interface OwnRoleListProps {
  of: readonly OwnRole[];
  members: readonly TeamMember[];
  invitations: readonly Invitation[];
  onChanged: () => void;
}

/** The roles that the merchant has made, with who holds each, and what the user may change. */
export function OwnRoleList({ of, members, invitations, onChanged }: OwnRoleListProps): ReactElement {
  const t = useT();
  if (of.length === 0) return <p className={styles.note}>{t('ownRoles.none')}</p>;
  return (
    <ul className={styles.list}>
      {of.map((role) => {
        const holders = [
          ...members.filter(({ roles }) => roles.includes(role.code)).map(({ name }) => name),
          ...invitations.filter(({ roles }) => roles.includes(role.code)).map(({ email }) => email),
        ];
        return (
          <li key={role.code}>
            <div>
              <strong>{role.name}</strong>
              <p className={styles.note}>{role.description || permsText(t, role.perms)}</p>
              <p className={styles.note}>
                {holders.length === 0
                  ? t('ownRoles.unused')
                  : t('ownRoles.heldBy', { names: holders.join(t('ui.listComma')) })}
              </p>
            </div>
            <Changes role={role} onChanged={onChanged} />
          </li>
        );
      })}
    </ul>
  );
}

/** The menu of a role. Nothing for a role that grants more than the user may give. */
function Changes({ role, onChanged }: { role: OwnRole; onChanged: () => void }): ReactElement | null {
  const t = useT();
  const user = useUser();
  const [step, setStep] = useState<'change' | 'retire'>();
  const { code, name, perms } = role;
  const close = () => setStep(undefined);
  const done = (text: 'saved' | 'retired', requestNo: string | null = null) => {
    close();
    if (requestNo) toast('info', t('team.asked', { request_no: requestNo }), 'team');
    else toast('success', t(`ownRoles.${text}`, { name }), 'team');
    onChanged();
  };
  if (!hasPerm(user, 'team.manage')) return null;
  if (!covers(user, { ...noGrant, perms })) return <p className={styles.note}>{t('ownRoles.exceeds')}</p>;
  return (
    <div>
      <Menu
        label={t('ownRoles.manage', { name })}
        opener={<Icon name="more" />}
        entries={[
          { label: t('ownRoles.change'), onChosen: () => setStep('change') },
          { label: t('ownRoles.retire'), onChosen: () => setStep('retire') },
        ]}
      />
      {step === 'change' && (
        <RoleDialog
          role={role}
          onDone={(_text, _name, requestNo) => done('saved', requestNo)}
          onClose={close}
        />
      )}
      {step === 'retire' && (
        <AskDialog
          title={t('ownRoles.retireTitle', { name })}
          text={t('ownRoles.retireText')}
          action={t('ownRoles.retire')}
          run={() => call(ownRoleEndpoints.retire, { params: { role: code } })}
          onDone={() => done('retired')}
          onClose={close}
        />
      )}
    </div>
  );
}
