import type { CallArguments } from '@hengfu/client/request.ts';
import type { EndpointShape } from '@hengfu/contract/endpoint';
import { useAction } from '@hengfu/ui/form/use-action.ts';
import { reactToFailure } from '../../platform/failures.ts';
import { call } from '../../platform/http.ts';

interface Claimable {
  trade_no: string;
  claim: { isOwn: boolean } | null;
}

/** Takes a case, or gives it back if it is the person's own. */
export function useClaim(
  endpoints: { claim: EndpointShape; release: EndpointShape },
  { trade_no: tradeNo, claim }: Claimable,
  onDone: () => void,
): { toggle: () => void; isPending: boolean } {
  const { mutate, isPending } = useAction({
    mutationFn: async () => {
      const input = [{ params: { trade_no: tradeNo } }] as unknown as CallArguments<EndpointShape>;
      await call(claim?.isOwn ? endpoints.release : endpoints.claim, ...input);
    },
    onSuccess: onDone,
    onError: reactToFailure,
  });
  return { toggle: () => mutate(undefined), isPending };
}
