import { type Bank, banksOf } from '@hengfu/contract/banks';
import type { ChannelCode } from '@hengfu/contract/channels';
import type { Language } from '@hengfu/contract/session';
import type { ReactElement } from 'react';
import { nothing } from '../platform/format.ts';
import { useLanguage } from '../platform/i18n.ts';

/** A bank's name in the given language: the Latin name where there is one, except in Chinese. */
export function bankNameIn(bank: Bank, language: Language): string {
  return language === 'zh-cn' ? bank.name : (bank.latinName ?? bank.name);
}

/** Shows a bank's name by its code at the channel; an unknown code as is, null as a dash. */
export function BankName({ channel, code }: { channel: ChannelCode; code: string | null }): ReactElement {
  const language = useLanguage();
  const bank = banksOf[channel]?.find((candidate) => candidate.code === code);
  return <span>{bank ? bankNameIn(bank, language) : (code ?? nothing)}</span>;
}
