import type { Perm } from '@hengfu/contract/permissions';
import { useT } from '@hengfu/ui/language/i18n.ts';
import type { ReactElement } from 'react';
import styles from './perm-difference.module.css';
import { permText } from './perm-text.ts';

/** The permissions that a change of a role adds and takes away; nothing if there are none. */
export function PermDifference({
  before,
  after,
}: {
  before: readonly Perm[];
  after: readonly Perm[];
}): ReactElement {
  const t = useT();
  return (
    <>
      <PermList title={t('ownRoles.added')} of={after.filter((perm) => !before.includes(perm))} />
      <PermList title={t('ownRoles.removed')} of={before.filter((perm) => !after.includes(perm))} />
    </>
  );
}

/** Permissions, a sentence for each. */
export function PermList({ title, of }: { title: string; of: readonly Perm[] }): ReactElement | null {
  const t = useT();
  if (of.length === 0) return null;
  return (
    <div className={styles.part}>
      <p>{title}</p>
      <ul>
        {of.map((perm) => (
          <li key={perm}>{permText(t, perm)}</li>
        ))}
      </ul>
    </div>
  );
}
