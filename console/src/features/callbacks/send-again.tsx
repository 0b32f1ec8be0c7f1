import { callbackMessageEndpoints, maxSentAgain } from '@hengfu/contract/callback-messages';
import { Button } from '@hengfu/ui/controls/button.tsx';
import { toast } from '@hengfu/ui/feedback/toast.ts';
import { useAction } from '@hengfu/ui/form/use-action.ts';
import { useT } from '@hengfu/ui/language/i18n.ts';
import { useQueryClient } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { call } from '../../platform/http.ts';
import { listKey } from '../../platform/query-client.ts';
import { HasPerm } from '../../platform/session-store.ts';
import { callbackDetailKey } from './callbacks.api.ts';

/** Sends callbacks again, for users who may. */
export function SendAgain({ ids, label }: { ids: readonly string[]; label: string }): ReactElement {
  const t = useT();
  const client = useQueryClient();
  const again = useAction({
    mutationFn: () => call(callbackMessageEndpoints.sendAgain, { body: { ids: [...ids] } }),
    onSuccess: ({ data }) => toast('success', t('callbacks.sentAgain', { count: data.sent })),
    onSettled: async () => {
      await client.invalidateQueries({ queryKey: listKey(callbackMessageEndpoints.list) });
      await client.invalidateQueries({ queryKey: callbackDetailKey });
    },
  });
  const isTooMany = ids.length > maxSentAgain;
  return (
    <HasPerm any={['callbacks.manage']}>
      <Button
        icon="refresh"
        aria-disabled={again.isPending}
        onClick={() =>
          isTooMany
            ? toast('error', t('callbacks.tooMany', { most: maxSentAgain }), 'callbacks')
            : again.mutate()
        }
      >
        {label}
      </Button>
    </HasPerm>
  );
}
