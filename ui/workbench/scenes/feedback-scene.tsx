import { type ReactElement, useState } from 'react';
import { Button } from '../../src/controls/button.tsx';
import { Notice } from '../../src/controls/notice.tsx';
import { NoticeStack } from '../../src/controls/notice-stack.tsx';
import { showAlert } from '../../src/feedback/alerts.ts';
import { toast } from '../../src/feedback/toast.ts';
import { useT } from '../../src/language/i18n.ts';
import { LoadFailure } from '../../src/page/load-failure.tsx';

/** Toasts, an alert, notices of every tone, and data that could not be loaded. */
export function FeedbackScene(): ReactElement {
  const t = useT();
  const [closed, setClosed] = useState(0);
  const alert = () =>
    showAlert({
      kind: 'workbench',
      type: 'warning',
      text: t('shell.failure.sessionEnded'),
      onClose: () => setClosed((count) => count + 1),
    });
  return (
    <>
      <h1>Feedback</h1>
      <p>
        <Button onClick={() => toast('success', t('ui.copied'), 'copied')}>Toast</Button>{' '}
        <Button onClick={() => toast('error', t('ui.copyFailed'))}>Failure</Button>{' '}
        <Button onClick={alert}>Alert</Button> {closed}
      </p>
      <Notice tone="good">{t('ui.copied')}</Notice>
      <Notice tone="calm">{t('ui.viewsNone')}</Notice>
      <Notice tone="waiting" action={<Button>{t('ui.retry')}</Button>}>
        {t('ui.sumTooMany')}
      </Notice>
      <NoticeStack
        notices={[1, 2, 3, 4, 5].map((number) => (
          <Notice key={number} tone="waiting">
            {number}
          </Notice>
        ))}
      />
      <LoadFailure
        explanation={{ text: t('shell.failure.offline'), requestId: 'req-1' }}
        onRetry={() => undefined}
      />
    </>
  );
}
