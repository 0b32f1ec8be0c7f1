import { channelCodes } from '@hengfu/contract/channels';
import type { ReactElement } from 'react';
import { nothing } from '../platform/format.ts';
import { useT } from '../platform/i18n.ts';
import type { FilterOption } from './list/list-types.ts';

/** The options of a channel filter. */
export const channelOptions: readonly FilterOption[] = channelCodes.map((value) => ({
  value,
  label: `channels.${value}` as const,
}));

/** Shows a channel's name; an unknown code as is, null as a dash. */
export function ChannelName({ code }: { code: string | null }): ReactElement {
  const t = useT();
  const known = channelCodes.find((channel) => channel === code);
  return <span>{known ? t(`channels.${known}`) : (code ?? nothing)}</span>;
}
