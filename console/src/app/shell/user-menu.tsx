import { Link } from '@tanstack/react-router';
import { useT } from '../../platform/i18n.ts';
import { useUser } from '../../platform/session-store.ts';
import { Icon } from '../../ui/icon.tsx';
import { itemClass } from './menu-panel.tsx';
import { PopupMenu } from './popup-menu.tsx';
import { useSignOut } from './use-sign-out.ts';
import styles from './user-menu.module.css';

/** The avatar menu: the signed-in user, profile, security, settings and sign-out. */
export function UserMenu({ openSettings }: { openSettings: () => void }) {
  const t = useT();
  const user = useUser();
  const signOut = useSignOut();
  const opener = (
    <>
      <span className={styles.avatar} data-initial={initialOf(user.name)} />
      <span className={styles.name}>{user.name}</span>
    </>
  );
  return (
    <PopupMenu label={t('shell.userMenu', { name: user.name })} opener={opener}>
      <div className={styles.who}>
        <p className={styles.whoName}>{user.name}</p>
        <p>{user.email}</p>
        <p>{user.merchant.name}</p>
      </div>
      <Link to="/setting/personalData" role="menuitem" className={itemClass}>
        <Icon name="user" size={18} />
        {t('shell.menu.personalData')}
      </Link>
      <Link to="/setting/accountSecurity" role="menuitem" className={itemClass}>
        <Icon name="shield" size={18} />
        {t('shell.menu.accountSecurity')}
      </Link>
      <button type="button" role="menuitem" className={itemClass} onClick={openSettings}>
        <Icon name="palette" size={18} />
        {t('shell.settings.open')}
      </button>
      <button type="button" role="menuitem" className={itemClass} onClick={() => signOut()}>
        <Icon name="signOut" size={18} />
        {t('session.signOut')}
      </button>
    </PopupMenu>
  );
}

/** The first letter or character, by code points so that a surrogate pair is not split. */
function initialOf(name: string): string {
  return [...name.trim()][0]?.toLocaleUpperCase() ?? '?';
}
