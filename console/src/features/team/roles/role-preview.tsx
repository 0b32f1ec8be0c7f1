import type { OwnRole } from '@hengfu/contract/own-roles';
import { grantOf, type Perm } from '@hengfu/contract/permissions';
import type { Invitation, TeamMember } from '@hengfu/contract/team';
import { Notice } from '@hengfu/ui/controls/notice.tsx';
import { useT } from '@hengfu/ui/language/i18n.ts';
import type { ReactElement } from 'react';
import { PermDifference } from '../../../shared/names/perm-difference.tsx';
import styles from './roles.module.css';

interface RolePreviewProps {
  role: OwnRole;
  after: readonly Perm[];
  team: { members: readonly TeamMember[]; invitations: readonly Invitation[]; roles: readonly OwnRole[] };
}

/** The permissions that a change of a role adds and takes away, and those whom it concerns. */
export function RolePreview({ role, after, team }: RolePreviewProps): ReactElement | null {
  const t = useT();
  const before = Object.fromEntries(team.roles.map(({ code, perms }) => [code, perms]));
  const affected = [
    ...team.members.map(({ name, roles }) => ({ name, roles })),
    ...team.invitations.map(({ email, roles }) => ({ name: email, roles })),
  ]
    .map(({ name, roles }) => ({
      name,
      before: grantOf(roles, before),
      after: grantOf(roles, { ...before, [role.code]: after }),
    }))
    .filter((one) => one.before.perms.join() !== one.after.perms.join());
  if (role.perms.join() === after.join()) return null;
  const names = affected.map(({ name }) => name).join(t('ui.listComma'));
  return (
    <section className={styles.preview} aria-live="polite">
      <h3>{t('ownRoles.preview')}</h3>
      <PermDifference before={role.perms} after={after} />
      <p>{names === '' ? t('ownRoles.affectsNone') : t('ownRoles.affects', { names })}</p>
      {affected.some(({ before: had, after: has }) =>
        has.perms.some((perm) => !had.perms.includes(perm)),
      ) && <Notice tone="waiting">{t('ownRoles.mayWait')}</Notice>}
    </section>
  );
}
