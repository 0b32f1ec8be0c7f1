import type { PhraseKey } from '@hengfu/phrases/phrases';
import { Link, useCanGoBack, useRouter } from '@tanstack/react-router';
import { type ReactNode, useEffect } from 'react';
import { ApiError } from '../../platform/api-error.ts';
import { useT } from '../../platform/i18n.ts';
import { useConnectionReturn } from '../../platform/live.ts';
import { hasChunkFailed } from '../../platform/reload-once.ts';
import styles from './plain-page.module.css';

interface ErrorPageProps {
  /** The HTTP status that the page stands for, shown large; none for a fault of the console itself. */
  status?: 401 | 403 | 404;
  title: PhraseKey;
  text: PhraseKey;
  /** Ways on; the first one should be the likeliest. */
  children: ReactNode;
}

/** A page that says what is wrong and where to go from here. */
function ErrorPage({ status, title, text, children }: ErrorPageProps) {
  const t = useT();
  return (
    <div className={styles.page}>
      {status && (
        <p className={styles.status} aria-hidden="true">
          {status}
        </p>
      )}
      <h1 className={styles.title}>{t(title)}</h1>
      <p className={styles.text}>{t(text)}</p>
      <p className={styles.actions}>{children}</p>
    </div>
  );
}

/** Not signed in. */
export function UnauthorizedPage() {
  const t = useT();
  return (
    <ErrorPage status={401} title="shell.errorPage.unauthorizedTitle" text="shell.errorPage.unauthorizedText">
      <Link className={styles.primary} to="/login" search={{}}>
        {t('shell.errorPage.signIn')}
      </Link>
    </ErrorPage>
  );
}

/** Signed in, but not allowed. */
export function ForbiddenPage() {
  const t = useT();
  return (
    <ErrorPage status={403} title="shell.errorPage.forbiddenTitle" text="shell.errorPage.forbiddenText">
      <Link className={styles.primary} to="/dashboard">
        {t('shell.toDashboard')}
      </Link>
      <Link className={styles.secondary} to="/contactUs">
        {t('shell.errorPage.contact')}
      </Link>
      <Link className={styles.secondary} to="/statusPages">
        {t('shell.errorPage.status')}
      </Link>
    </ErrorPage>
  );
}

/** No such address. */
export function NotFoundPage() {
  const t = useT();
  const canGoBack = useCanGoBack();
  return (
    <ErrorPage status={404} title="shell.errorPage.notFoundTitle" text="shell.errorPage.notFoundText">
      <Link className={styles.primary} to="/dashboard">
        {t('shell.toDashboard')}
      </Link>
      {canGoBack && (
        <button className={styles.secondary} type="button" onClick={() => history.back()}>
          {t('shell.errorPage.back')}
        </button>
      )}
    </ErrorPage>
  );
}

const tryAgainAfterMs = 3000;
const statusPath = '/statusPages';

/**
 * The console itself failed, or a part of it could not be loaded, or the server could not say who is signed in. `reset`
 * lets the boundary that caught it draw its page anew.
 */
export function CrashPage({ error, reset }: { error: unknown; reset: () => void }) {
  const t = useT();
  const router = useRouter();
  const isAway = error instanceof ApiError;
  const isUnloaded = isAway || hasChunkFailed();
  // The server is there and says that its data are not: nothing is wrong with the reader's connection.
  const isDataAway = isAway && error.code === 'unavailable';
  const fault = isDataAway ? 'away' : isUnloaded ? 'unloaded' : 'crash';
  const tryAgain = () => void router.invalidate().then(reset);
  useConnectionReturn(() => isUnloaded && tryAgain());
  useEffect(() => {
    if (!isAway) return;
    const timer = setInterval(() => void router.invalidate(), tryAgainAfterMs);
    return () => clearInterval(timer);
  }, [isAway, router]);
  return (
    <ErrorPage title={`shell.errorPage.${fault}Title`} text={`shell.errorPage.${fault}Text`}>
      {isUnloaded ? (
        <button className={styles.primary} type="button" onClick={tryAgain}>
          {t('shell.errorPage.tryAgain')}
        </button>
      ) : (
        <button className={styles.primary} type="button" onClick={() => location.reload()}>
          {t('shell.errorPage.reload')}
        </button>
      )}
      {/* A full page load: what failed may be the router. */}
      <a className={styles.secondary} href="/dashboard">
        {t('shell.toDashboard')}
      </a>
      {location.pathname !== statusPath && (
        <a className={styles.secondary} href={statusPath}>
          {t('shell.errorPage.status')}
        </a>
      )}
    </ErrorPage>
  );
}
