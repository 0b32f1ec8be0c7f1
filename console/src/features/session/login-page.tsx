import { Icon } from '@hengfu/ui/controls/icon.tsx';
import { LanguageSelect } from '@hengfu/ui/controls/language-select.tsx';
import { useT } from '@hengfu/ui/language/i18n.ts';
import { setPreference } from '@hengfu/ui/theme/preferences.ts';
import { useShownTheme } from '@hengfu/ui/theme/shown-theme.ts';
import { productTitle } from '../../platform/boot.ts';
import { BrandMark } from '../../platform/brand-mark.tsx';
import { useDocumentTitle } from '../../platform/document-title.ts';
import { useHasSessionEnded } from '../../platform/session-store.ts';
import { Balance } from './balance.tsx';
import { LoginForm } from './login-form.tsx';
import styles from './login-page.module.css';

/**
 * The sign-in page: the brand on one side, the form on the other. It depends on nothing of the console behind
 * it; the caller navigates on in `onSignedIn`, which is awaited.
 */
export function LoginPage({ onSignedIn }: { onSignedIn: () => Promise<void> }) {
  const t = useT();
  const hasEnded = useHasSessionEnded();
  useDocumentTitle(t('session.title'));
  return (
    <div className={styles.page}>
      <aside className={styles.brand}>
        <p className={styles.name}>
          <BrandMark size={36} />
          {productTitle}
        </p>
        <Balance />
        <div>
          <p className={styles.tagline}>{t('session.tagline')}</p>
          <p className={styles.taglineText}>{t('session.taglineText')}</p>
        </div>
      </aside>
      <main className={styles.main}>
        <header className={styles.switches}>
          <LanguageSelect />
          <ThemeToggle />
        </header>
        <div className={styles.content}>
          <p className={styles.smallName}>
            <BrandMark size={36} />
            {productTitle}
          </p>
          <h1 className={styles.title}>{t('session.title')}</h1>
          <p className={styles.subtitle}>{t('session.subtitle')}</p>
          {hasEnded && (
            <p className={styles.ended} role="status">
              {t('session.ended')}
            </p>
          )}
          <LoginForm onSignedIn={onSignedIn} />
        </div>
      </main>
    </div>
  );
}

function ThemeToggle() {
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
