import { covers } from '@hengfu/contract/permissions';
import { type TeamMember, teamEndpoints } from '@hengfu/contract/team';
import { Icon } from '@hengfu/ui/controls/icon.tsx';
import { toast } from '@hengfu/ui/feedback/toast.ts';
import { useLanguage, useT } from '@hengfu/ui/language/i18n.ts';
import { Menu } from '@hengfu/ui/overlays/menu.tsx';
import { StatusTag } from '@hengfu/ui/values/status-tag.tsx';
import { TimeText } from '@hengfu/ui/values/time-text.tsx';
import { type ReactElement, useState } from 'react';
import { call } from '../../platform/http.ts';
import { hasPerm, useUser } from '../../platform/session-store.ts';
import { AskDialog } from './ask-dialog.tsx';
import { RoleNames } from './role-names.tsx';
import { canReadKey, RolesDialog } from './roles-dialog.tsx';
import { grantBy, useOwnRoles } from './team.api.ts';
import styles from './team.module.css';
import { memberLooks } from './team-looks.ts';

type Change = 'changeRoles' | 'suspend' | 'reactivate' | 'remove';
const doneTexts = { suspend: 'suspended', reactivate: 'reactivated', remove: 'removed' } as const;

/** The members, and what the user may change of each. */
export function Members({
  of,
  onChanged,
}: {
  of: readonly TeamMember[];
  onChanged: () => void;
}): ReactElement {
  const t = useT();
  const { compare } = new Intl.Collator(useLanguage());
  return (
    <ul className={styles.people}>
      {of
        .toSorted((one, other) => compare(one.name, other.name))
        .map((member) => (
          <li key={member.id}>
            <div className={styles.who}>
              <strong>{member.name}</strong>
              {member.isYou && <span className={styles.you}>{t('team.you')}</span>}
              {member.state !== 'active' && <StatusTag look={memberLooks[member.state]} />}
              <p>{member.email}</p>
            </div>
            <RoleNames of={member.roles} />
            <dl className={styles.facts}>
              <div>
                <dt>{t('team.lastSignIn')}</dt>
                <dd>
                  {member.lastSignInAt ? (
                    <TimeText at={member.lastSignInAt} style="minute" />
                  ) : (
                    t('team.never')
                  )}
                </dd>
              </div>
              <div>
                <dt>{t('team.twoFactor')}</dt>
                <dd>{t(member.hasTwoFactor ? 'team.on' : 'team.off')}</dd>
              </div>
            </dl>
            <Changes member={member} onChanged={onChanged} />
          </li>
        ))}
    </ul>
  );
}

/** The menu of a member. Nothing for oneself, and for members who hold more than the user. */
function Changes({ member, onChanged }: { member: TeamMember; onChanged: () => void }): ReactElement {
  const t = useT();
  const user = useUser();
  const grant = grantBy(useOwnRoles(), member.roles);
  const [change, setChange] = useState<Change>();
  const { name, state } = member;
  const close = () => setChange(undefined);
  const params = { member_id: member.id };
  const done = (text: 'saved' | 'suspended' | 'reactivated' | 'removed', requestNo?: string | null) => {
    close();
    if (requestNo) toast('info', t('team.asked', { request_no: requestNo }), 'team');
    else toast('success', t(`team.${text}`, { name }), 'team');
    onChanged();
  };
  const runs = {
    suspend: () => call(teamEndpoints.suspend, { params }),
    reactivate: () => call(teamEndpoints.reactivate, { params }),
    remove: () => call(teamEndpoints.remove, { params }),
  };
  if (!hasPerm(user, 'team.manage') || member.isYou || !covers(user, grant)) return <span />;
  const possible: Change[] = [
    'changeRoles',
    ...(state === 'active' ? (['suspend'] as const) : []),
    ...(state === 'suspended' ? (['reactivate'] as const) : []),
    'remove',
  ];
  return (
    <div className={styles.menu}>
      <Menu
        label={t('team.manage', { name })}
        opener={<Icon name="more" />}
        entries={possible.map((kind) => ({ label: t(`team.${kind}`), onChosen: () => setChange(kind) }))}
      />
      {change === 'changeRoles' && (
        <RolesDialog member={member} onDone={(requestNo) => done('saved', requestNo)} onClose={close} />
      )}
      {change !== undefined && change !== 'changeRoles' && (
        <AskDialog
          title={t(`team.${change}Title`, { name })}
          text={t(`team.${change}Text`, { name })}
          hint={change !== 'reactivate' && canReadKey(grant) ? t('team.rotateKey', { name }) : undefined}
          action={t(`team.${change}`)}
          run={runs[change]}
          onDone={(reply) => done(doneTexts[change], reply?.data.request_no)}
          onClose={close}
        />
      )}
    </div>
  );
}
