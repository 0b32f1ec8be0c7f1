import { type Perm, perms, permsOf, roles } from '@hengfu/contract/permissions';
import type { en } from '@hengfu/phrases/en';
import { useT } from '@hengfu/ui/language/i18n.ts';
import type { ReactElement } from 'react';
import styles from './team.module.css';

/** A permission as phrases name it: `team.read` is `team_read`. */
function phraseOf(perm: Perm) {
  return perm.replace('.', '_') as keyof typeof en.team.perm;
}

/** The table of permissions as the server applies it: what each role allows. */
export function PermissionTable(): ReactElement {
  const t = useT();
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls it, too
    <section className={styles.scroll} aria-label={t('team.permission')} tabIndex={0}>
      <table className={styles.permissions}>
        <thead>
          <tr>
            <th scope="col">{t('team.permission')}</th>
            {roles.map((role) => (
              <th key={role} scope="col">
                {t(`team.role.${role}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {perms.map((perm) => (
            <tr key={perm}>
              <th scope="row">{t(`team.perm.${phraseOf(perm)}`)}</th>
              {roles.map((role) => (
                <td key={role}>
                  {permsOf([role]).includes(perm) ? (
                    <span className={styles.dot} role="img" aria-label={t('team.allowed')} />
                  ) : (
                    <span className="visually-hidden">{t('team.notAllowed')}</span>
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
