import type { ReactElement } from 'react';
import { Button } from '../controls/button.tsx';
import { Notice } from '../controls/notice.tsx';
import { useT } from '../language/i18n.ts';

/** A failure in words. */
export interface Explanation {
  text: string;
  /** Lets support find the call in the logs. */
  requestId?: string | undefined;
}

interface LoadFailureProps {
  explanation: Explanation;
  onRetry: () => void;
  /** Older data stays on screen below it. */
  isStale?: boolean;
}

/** Shows that data could not be loaded, with a retry button. */
export function LoadFailure({ explanation, onRetry, isStale = false }: LoadFailureProps): ReactElement {
  const t = useT();
  const { text, requestId } = explanation;
  return (
    <Notice
      tone="bad"
      action={
        <Button icon="refresh" onClick={onRetry}>
          {t('ui.retry')}
        </Button>
      }
    >
      <strong>{t(isStale ? 'ui.refreshFailed' : 'ui.loadFailed')}</strong> {text}
      {requestId && <small> {t('ui.requestId', { id: requestId })}</small>}
    </Notice>
  );
}
