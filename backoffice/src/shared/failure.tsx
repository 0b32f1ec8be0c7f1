import { ApiError } from '@hengfu/client/api-error.ts';
import { LoadFailure } from '@hengfu/ui/page/load-failure.tsx';
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
  const requestId = error instanceof ApiError ? error.requestId : undefined;
  return <LoadFailure explanation={{ text: messageOf(error), requestId }} {...rest} />;
}
