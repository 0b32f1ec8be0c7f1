import { channelCatalogue, channelCodes } from '@hengfu/contract/channels';
import type { Currency } from '@hengfu/contract/money';
import type { ReactElement } from 'react';
import { nothing } from '../language/format.ts';
import { type Translate, useT } from '../language/i18n.ts';
import type { FilterOption } from '../list/list-types.ts';

/** The options of a channel filter: the channels of the merchant's currency, as it can use no other. */
export function channelOptions(currency: Currency): readonly FilterOption[] {
  return channelCodes
    .filter((code) => channelCatalogue[code].currency === currency)
    .map((value) => ({ value, label: `channels.${value}` as const }));
}

/** Names a channel; an unknown code as is. */
export function channelText(code: string, t: Translate): string {
  const known = channelCodes.find((channel) => channel === code);
  return known ? t(`channels.${known}`) : code;
}

/** Names the channels in a text that names several things by their codes, such as "acme CN_BANK". */
export function withChannelNames(text: string, t: Translate): string {
  return text
    .split(' ')
    .map((word) => channelText(word, t))
    .join(' ');
}

/** Shows a channel's name; null as a dash. */
export function ChannelName({ code }: { code: string | null }): ReactElement {
  const t = useT();
  return <span>{code === null ? nothing : channelText(code, t)}</span>;
}
