import { ApiError } from '@hengfu/client/api-error.ts';
import { type Translate, useT } from '@hengfu/ui/language/i18n.ts';
import { type Explanation, LoadFailure } from '@hengfu/ui/page/load-failure.tsx';
import type { ReactElement } from 'react';
import { messageOf } from '../platform/failures.ts';

interface FailureProps {
  error: Error;
  onRetry: () => void;
  /** Older data stays on screen below it. */
  isStale?: boolean;
}

/** Shows a loading error with a retry button. */
export function Failure({ error, ...rest }: FailureProps): ReactElement {
  const t = useT();
  return <LoadFailure explanation={explain(error, t)} {...rest} />;
}

/** Puts the failure of a call into words. */
export function explain(error: Error, t: Translate): Explanation {
  return error instanceof ApiError
    ? { text: messageOf(error), requestId: error.requestId }
    : { text: t('shell.failure.system') };
}
