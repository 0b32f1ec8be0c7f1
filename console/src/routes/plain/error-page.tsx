import { ApiError } from '@hengfu/client/api-error.ts';
import type { PhraseKey } from '@hengfu/phrases/phrases';
import { hasChunkFailed, tryChunkAgain } from '@hengfu/ui/browser/reload-once.ts';
import { useT } from '@hengfu/ui/language/i18n.ts';
import { Link, useCanGoBack, useRouter } from '@tanstack/react-router';
import { type ReactNode, useEffect } from 'react';
import { useConnectionReturn } from '../../platform/live.ts';
import styles from './plain-page.module.css';

interface ErrorPageProps {
  /** HTTP status, shown large; none for an error in the console itself. */
  status?: 401 | 403 | 404;
  title: PhraseKey;
  text: PhraseKey;
  /** Links and buttons to continue with, the most likely one first. */
  children: ReactNode;
}

/** Layout of an error page: what is wrong, and where to go from here. */
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

/** Signed in, but in test mode, which has no such page. */
export function LiveOnlyPage() {
  const t = useT();
  return (
    <ErrorPage status={403} title="shell.errorPage.liveOnlyTitle" text="shell.errorPage.liveOnlyText">
      <Link className={styles.primary} to="/dashboard">
        {t('shell.toDashboard')}
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

const retryIntervalMs = 3000;
const statusPath = '/statusPages';

/**
 * Shown if the console crashed, a chunk failed to load, or the signed-in user could not be determined.
 * `reset` makes the error boundary render its page again.
 */
export function CrashPage({ error, reset }: { error: unknown; reset: () => void }) {
  const t = useT();
  const router = useRouter();
  const isCallFailure = error instanceof ApiError;
  const canRetry = isCallFailure || hasChunkFailed();
  // The server is up but its database is not; the user's connection is fine.
  const isDatabaseDown = isCallFailure && error.code === 'unavailable';
  const fault = isDatabaseDown ? 'away' : canRetry ? 'unloaded' : 'crash';
  const show = () => router.invalidate().then(reset);
  const tryAgain = () => void (hasChunkFailed() ? tryChunkAgain(show) : show());
  // Without a press, nothing is reloaded that other pages may hold.
  useConnectionReturn(() => canRetry && void show());
  useEffect(() => {
    if (!isCallFailure) return;
    const timer = setInterval(() => void router.invalidate(), retryIntervalMs);
    return () => clearInterval(timer);
  }, [isCallFailure, router]);
  return (
    <ErrorPage title={`shell.errorPage.${fault}Title`} text={`shell.errorPage.${fault}Text`}>
      {canRetry ? (
        <button className={styles.primary} type="button" onClick={tryAgain}>
          {t('shell.errorPage.tryAgain')}
        </button>
      ) : (
        <button className={styles.primary} type="button" onClick={() => location.reload()}>
          {t('shell.errorPage.reload')}
        </button>
      )}
      {/* A full page load, because the router itself may have failed. */}
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
