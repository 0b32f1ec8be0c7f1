import { localeOf } from '@hengfu/contract/languages';
import { staffSessionEndpoints } from '@hengfu/contract/staff/session';
import { Icon } from '@hengfu/ui/controls/icon.tsx';
import { Notice } from '@hengfu/ui/controls/notice.tsx';
import { languages, setLanguage, useLanguage, useT } from '@hengfu/ui/language/i18n.ts';
import { languageNames } from '@hengfu/ui/language/languages.ts';
import { Menu } from '@hengfu/ui/overlays/menu.tsx';
import { setPreference } from '@hengfu/ui/theme/preferences.ts';
import { useShownTheme } from '@hengfu/ui/theme/shown-theme.ts';
import { Link, Outlet, useLocation } from '@tanstack/react-router';
import { type ReactElement, useEffect, useRef } from 'react';
import { StaffAlerts } from '../features/requests/staff-alerts.tsx';
import { SignInPage } from '../features/session/sign-in-page.tsx';
import { productTitle } from '../platform/boot.ts';
import { reactToFailure } from '../platform/failures.ts';
import { call } from '../platform/http.ts';
import { startLive } from '../platform/live.ts';
import { useSessionUser, useUser } from '../platform/session.ts';
import { clearUser } from '../platform/session-store.ts';
import styles from './frame.module.css';
import { menu } from './menu.ts';

/** The frame around every page; the sign-in page until somebody has completed the sign-in. */
export function Frame(): ReactElement {
  const user = useSessionUser();
  return user?.level === 'complete' ? <Shell key={user.id} /> : <SignInPage />;
}

function Shell(): ReactElement {
  const t = useT();
  const { perms } = useUser();
  const { pathname } = useLocation();
  const pages = menu.filter(({ perm }) => perms.includes(perm));
  const title = menu.find(({ to }) => to === pathname || pathname.startsWith(`${to}/`));
  const isHidden = title !== undefined && !perms.includes(title.perm);
  const nav = useRef<HTMLElement>(null);
  // On a phone, the menu scrolls.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the mark moves with the address
  useEffect(() => {
    nav.current?.querySelector('[aria-current=page]')?.scrollIntoView({ block: 'nearest', inline: 'center' });
  }, [pathname]);
  useEffect(() => startLive(), []);
  useEffect(() => {
    document.title = title ? `${t(title.label)} – ${productTitle}` : productTitle;
  }, [title, t]);
  return (
    <div className={styles.frame}>
      <a href="#content" className="visually-hidden">
        {t('shell.skipToContent')}
      </a>
      <header className={styles.bar}>
        <p className={styles.name}>
          {productTitle} <span className={styles.office}>{t('office.title')}</span>
        </p>
        <nav ref={nav} className={styles.menu} aria-label={t('office.menu')}>
          {pages.map(({ to, label }) => (
            <Link
              key={to}
              to={to}
              className={styles.link}
              activeOptions={{ exact: to === '/', includeSearch: false }}
            >
              {t(label)}
            </Link>
          ))}
        </nav>
        <div className={styles.tools}>
          <LanguageMenu />
          <ThemeButton />
          <AccountMenu />
        </div>
      </header>
      <main id="content" className={styles.content}>
        {perms.includes('requests.read') && <StaffAlerts />}
        {isHidden ? <Notice tone="bad">{t('office.noAccess')}</Notice> : <Outlet />}
      </main>
    </div>
  );
}

function LanguageMenu(): ReactElement {
  const t = useT();
  const current = useLanguage();
  const choose = async (language: (typeof languages)[number]) => {
    await setLanguage(language);
    await call(staffSessionEndpoints.language, { body: { language } });
  };
  return (
    <Menu
      label={t('shell.language')}
      opener={<Icon name="language" size={18} />}
      entries={languages.map((language) => ({
        label: languageNames[language],
        lang: localeOf[language],
        isChosen: language === current,
        onChosen: () => void choose(language).catch(reactToFailure),
      }))}
    />
  );
}

function ThemeButton(): ReactElement {
  const t = useT();
  const other = useShownTheme() === 'light' ? 'dark' : 'light';
  const label = t(other === 'dark' ? 'shell.darkTheme' : 'shell.lightTheme');
  return (
    <button
      type="button"
      className={styles.theme}
      aria-label={label}
      title={label}
      onClick={() => setPreference('theme', other)}
    >
      <Icon name={other === 'dark' ? 'moon' : 'sun'} size={18} />
    </button>
  );
}

function AccountMenu(): ReactElement {
  const t = useT();
  const { name, email } = useUser();
  const signOut = async () => {
    await call(staffSessionEndpoints.logout);
    clearUser(false);
  };
  return (
    <Menu
      label={t('shell.userMenu', { name })}
      opener={<span>{name}</span>}
      header={<p className={styles.email}>{email}</p>}
      entries={[
        { label: t('office.account'), icon: 'user', link: <Link to="/account" /> },
        {
          label: t('session.signOut'),
          icon: 'signOut',
          onChosen: () => void signOut().catch(reactToFailure),
        },
      ]}
    />
  );
}
