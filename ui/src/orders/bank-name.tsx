import { bankNameIn, banksOf } from '@hengfu/contract/banks';
import type { ChannelCode } from '@hengfu/contract/channels';
import type { ReactElement } from 'react';
import { nothing } from '../language/format.ts';
import { useLanguage } from '../language/i18n.ts';

/** Shows a bank's name by its code at the channel; an unknown code as is, null as a dash. */
export function BankName({ channel, code }: { channel: ChannelCode; code: string | null }): ReactElement {
  const language = useLanguage();
  const bank = banksOf[channel]?.find((candidate) => candidate.code === code);
  return <span>{bank ? bankNameIn(bank, language) : (code ?? nothing)}</span>;
}
