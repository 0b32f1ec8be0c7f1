import type { CallbackRow } from '@hengfu/contract/callback-messages';
import { useT } from '@hengfu/ui/language/i18n.ts';
import type { ReactElement } from 'react';

/** Names the endpoint that a callback is for, or the callback URL of its order. */
export function Receiver({
  of: { endpoint, url },
}: {
  of: Pick<CallbackRow, 'endpoint' | 'url'>;
}): ReactElement {
  const t = useT();
  return <>{endpoint === null ? t('callbacks.ownRoute') : (endpoint.description ?? new URL(url).host)}</>;
}
