import type { CallArguments } from '@hengfu/client/request.ts';
import type { CollectionDetail } from '@hengfu/contract/collections';
import { collectionByHandEndpoints } from '@hengfu/contract/collections.by-hand';
import type { EndpointShape } from '@hengfu/contract/endpoint';
import type { PhraseKey } from '@hengfu/phrases/phrases';
import { Button } from '@hengfu/ui/controls/button.tsx';
import { Notice } from '@hengfu/ui/controls/notice.tsx';
import { toast } from '@hengfu/ui/feedback/toast.ts';
import { useAction } from '@hengfu/ui/form/use-action.ts';
import { useT } from '@hengfu/ui/language/i18n.ts';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import { call } from '../../platform/http.ts';
import styles from './collection-detail.module.css';
import { collectionDetailKey } from './collections.api.ts';

/** The actions that an order allows a person now: having its channel asked, and cancelling it. */
export function CollectionActions({ order }: { order: CollectionDetail }): ReactElement | null {
  const t = useT();
  const params = { trade_no: order.trade_no };
  const ask = useOrderAction(collectionByHandEndpoints.ask, params, 'collections.asked');
  const [isCancelling, setCancelling] = useState(false);
  const canCancel = order.status === 'toBePaid';
  if (!canCancel && !order.canAsk) return null;
  if (isCancelling && canCancel) return <Cancel order={order} onClose={() => setCancelling(false)} />;
  return (
    <div className={styles.actions}>
      {order.canAsk && (
        <Button aria-disabled={ask.isPending} onClick={() => ask.mutate()}>
          {t('collections.ask')}
        </Button>
      )}
      {canCancel && (
        <Button look="quiet" onClick={() => setCancelling(true)}>
          {t('collections.cancelOrder')}
        </Button>
      )}
    </div>
  );
}

/** Asks before cancelling, because it cannot be undone. */
function Cancel({ order, onClose }: { order: CollectionDetail; onClose: () => void }): ReactElement {
  const t = useT();
  const params = { trade_no: order.trade_no };
  const cancel = useOrderAction(collectionByHandEndpoints.cancel, params, 'collections.cancelled', onClose);
  return (
    <Notice
      tone="waiting"
      action={
        <>
          <Button aria-disabled={cancel.isPending} onClick={() => cancel.mutate()}>
            {t('collections.cancelOrder')}
          </Button>
          <Button look="quiet" onClick={onClose}>
            {t('collections.cancelKeep')}
          </Button>
        </>
      }
    >
      {t('collections.cancelAsk')}
    </Notice>
  );
}

/** Sends a callback of an order again. */
export function SendAgain({
  order,
  id,
  event,
}: {
  order: CollectionDetail;
  id: string;
  event: string;
}): ReactElement {
  const t = useT();
  const params = { trade_no: order.trade_no, id };
  const again = useOrderAction(collectionByHandEndpoints.sendAgain, params, 'collections.sentAgain');
  return (
    <Button
      aria-label={t('collections.sendAgainOf', { event })}
      aria-disabled={again.isPending}
      onClick={() => again.mutate()}
    >
      {t('collections.sendAgain')}
    </Button>
  );
}

/** An action on an order, without a body. Afterwards says `done`, and reads the order again. */
function useOrderAction<E extends EndpointShape>(
  endpoint: E,
  params: Readonly<Record<string, string>>,
  done: PhraseKey,
  onSettled: () => void = () => undefined,
) {
  const t = useT();
  const client = useQueryClient();
  return useAction({
    mutationFn: () => call(endpoint, ...([{ params }] as unknown as CallArguments<E>)),
    onSuccess: () => toast('success', t(done)),
    onSettled: () => {
      onSettled();
      return client.invalidateQueries({ queryKey: collectionDetailKey });
    },
  });
}
