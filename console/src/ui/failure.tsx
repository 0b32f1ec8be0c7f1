import type { ReactElement } from 'react';
import { ApiError } from '../platform/api-error.ts';
import { messageOf } from '../platform/failures.ts';
import { useT } from '../platform/i18n.ts';
import { Button } from './button.tsx';
import { Notice } from './notice.tsx';

/** Shows a loading error with a retry button. `isStale`: older data stays on screen below it. */
export function Failure({
  error,
  onRetry,
  isStale = false,
}: {
  error: Error;
  onRetry: () => void;
  isStale?: boolean;
}): ReactElement {
  const t = useT();
  const requestId = error instanceof ApiError ? error.requestId : undefined;
  return (
    <Notice
      tone="bad"
      action={
        <Button icon="refresh" onClick={onRetry}>
          {t('ui.retry')}
        </Button>
      }
    >
      <strong>{t(isStale ? 'ui.refreshFailed' : 'ui.loadFailed')}</strong>{' '}
      {error instanceof ApiError ? messageOf(error) : t('shell.failure.system')}
      {requestId && <small> {t('ui.requestId', { id: requestId })}</small>}
    </Notice>
  );
}
