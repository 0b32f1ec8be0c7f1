import { ApiError } from '@hengfu/client/api-error.ts';
import { LoadFailure } from '@hengfu/ui/page/load-failure.tsx';
import type { ReactElement } from 'react';
import { messageOf } from '../platform/failures.ts';

/** Shows a loading error with a retry button. */
export function Failure({ error, onRetry }: { error: Error; onRetry: () => void }): ReactElement {
  const requestId = error instanceof ApiError ? error.requestId : undefined;
  return <LoadFailure explanation={{ text: messageOf(error), requestId }} onRetry={onRetry} />;
}
