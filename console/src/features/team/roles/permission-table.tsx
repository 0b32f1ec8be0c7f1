import { perms, type RoleCode, roles } from '@hengfu/contract/permissions';
import { useT } from '@hengfu/ui/language/i18n.ts';
import type { ReactElement } from 'react';
import { permText } from '../../../shared/names/perm-text.ts';
import { roleText } from '../../../shared/names/role-name.tsx';
import { grantBy, useOwnRoles } from '../team.api.ts';
import styles from '../team.module.css';

/** The table of permissions as the server applies it: what each role allows, the merchant's own ones last. */
export function PermissionTable(): ReactElement {
  const t = useT();
  const own = useOwnRoles();
  const columns = [...roles, ...own.map(({ code }) => code)].map((code: RoleCode) => ({
    code,
    name: roleText(t, code, own),
    granted: grantBy(own, [code]).perms,
  }));
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls it, too
    <section className={styles.scroll} aria-label={t('team.permission')} tabIndex={0}>
      <table className={styles.permissions}>
        <thead>
          <tr>
            <th scope="col">{t('team.permission')}</th>
            {columns.map(({ code, name }) => (
              <th key={code} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {perms.map((perm) => (
            <tr key={perm}>
              <th scope="row">{permText(t, perm)}</th>
              {columns.map(({ code, granted }) => (
                <td key={code}>
                  {granted.includes(perm) ? (
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
