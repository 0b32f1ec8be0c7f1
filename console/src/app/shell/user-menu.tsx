import { useT } from '@hengfu/ui/language/i18n.ts';
import { Menu } from '@hengfu/ui/overlays/menu.tsx';
import { Link } from '@tanstack/react-router';
import { useUser } from '../../platform/session-store.ts';
import { useSignOut } from './use-sign-out.ts';
import styles from './user-menu.module.css';

/** The avatar menu: the signed-in user, profile, security, settings and sign-out. */
export function UserMenu({ openSettings }: { openSettings: () => void }) {
  const t = useT();
  const user = useUser();
  const signOut = useSignOut();
  return (
    <Menu
      label={t('shell.userMenu', { name: user.name })}
      opener={
        <>
          <span className={styles.avatar} data-initial={initialOf(user.name)} />
          <span className={styles.name}>{user.name}</span>
        </>
      }
      header={
        <div className={styles.who}>
          <p className={styles.whoName}>{user.name}</p>
          <p>{user.email}</p>
          <p>{user.merchant.name}</p>
        </div>
      }
      entries={[
        {
          label: t('shell.menu.personalData'),
          icon: 'user',
          link: <Link to="/setting/personalData" />,
        },
        {
          label: t('shell.menu.accountSecurity'),
          icon: 'shield',
          link: <Link to="/setting/accountSecurity" />,
        },
        { label: t('shell.settings.open'), icon: 'palette', onChosen: openSettings },
        { label: t('session.signOut'), icon: 'signOut', onChosen: () => signOut() },
      ]}
    />
  );
}

/** The first letter or character, by code points so that a surrogate pair is not split. */
function initialOf(name: string): string {
  return [...name.trim()][0]?.toLocaleUpperCase() ?? '?';
}
