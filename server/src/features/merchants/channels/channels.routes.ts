import { channelCodes } from '@hengfu/contract/channels';
import type { staffChannelEndpoints } from '@hengfu/contract/staff/channels';
import type { ChannelKind } from '@hengfu/contract/status';
import type { Handlers } from '#http/bind.ts';
import type { ChannelRow, ChannelService } from './channels.service.ts';

/** Handles the calls of our staff about channels. */
export function staffChannelHandlers(service: ChannelService): Handlers<typeof staffChannelEndpoints> {
  return {
    list: async () => {
      const { channels, decisions } = await service.overview();
      const count = (code: string, kind: ChannelKind, isPaid: boolean) =>
        decisions.find((one) => one.channel === code && one.kind === kind && one.isPaid === isPaid)?.orders ??
        0;
      const use = ({ code }: ChannelRow, kind: ChannelKind, isOpen: boolean) => ({
        isOpen,
        paid: count(code, kind, true),
        refused: count(code, kind, false),
      });
      return {
        // A channel of an earlier version is no longer offered to anybody.
        data: channelCodes.flatMap((code) => {
          const channel = channels.find((one) => one.code === code);
          if (!channel) return [];
          const { currency, adapter, collectionOpen, payoutOpen } = channel;
          const uses = {
            collection: use(channel, 'collection', collectionOpen),
            payout: use(channel, 'payout', payoutOpen),
          };
          return [{ code, currency, adapter, uses }];
        }),
      };
    },
    set: async ({ caller: member, request, params, body }) => {
      await service.set(params.code, { [params.kind]: body.isOpen }, { member, request });
    },
  };
}
