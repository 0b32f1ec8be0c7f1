import { channelCatalogue, channelCodes } from '@hengfu/contract/channels';
import type { Currency } from '@hengfu/contract/money';
import type { ReactElement } from 'react';
import { nothing } from '../platform/format.ts';
import { useT } from '../platform/i18n.ts';
import type { FilterOption } from './list/list-types.ts';

/** The options of a channel filter: the channels of the merchant's currency, as it can use no other. */
export function channelOptions(currency: Currency): readonly FilterOption[] {
  return channelCodes
    .filter((code) => channelCatalogue[code].currency === currency)
    .map((value) => ({ value, label: `channels.${value}` as const }));
}

/** Shows a channel's name; an unknown code as is, null as a dash. */
export function ChannelName({ code }: { code: string | null }): ReactElement {
  const t = useT();
  const known = channelCodes.find((channel) => channel === code);
  return <span>{known ? t(`channels.${known}`) : (code ?? nothing)}</span>;
}
