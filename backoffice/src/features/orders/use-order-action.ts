import type { CallArguments } from '@hengfu/client/request.ts';
import type { EndpointShape } from '@hengfu/contract/endpoint';
import { collectionCaseEndpoints, orderEndpoints, payoutCaseEndpoints } from '@hengfu/contract/staff/orders';
import type { PhraseKey } from '@hengfu/phrases/phrases';
import { toast } from '@hengfu/ui/feedback/toast.ts';
import { translate } from '@hengfu/ui/language/i18n.ts';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { reactToFailure } from '../../platform/failures.ts';
import { call } from '../../platform/http.ts';

/** An action on an order, without a body. Afterwards says `done`, and asks again for what screens show of orders. */
export function useOrderAction<E extends EndpointShape>(
  endpoint: E,
  params: Readonly<Record<string, string>>,
  done: PhraseKey,
) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => call(endpoint, ...([{ params }] as unknown as CallArguments<E>)),
    onSuccess: () => toast('success', translate(done)),
    onError: reactToFailure,
    onSettled: () => {
      for (const { path } of [orderEndpoints.list, payoutCaseEndpoints.get, collectionCaseEndpoints.get])
        void client.invalidateQueries({ queryKey: [path] });
    },
  });
}
