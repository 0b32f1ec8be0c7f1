import { type Bank, banksOf } from '@hengfu/contract/banks';
import type { ChannelCode } from '@hengfu/contract/channels';
import type { Language } from '@hengfu/contract/session';
import type { ReactElement } from 'react';
import { nothing } from '../platform/format.ts';
import { useLanguage } from '../platform/i18n.ts';

/** A bank's name as a reader of the language reads it. */
export function bankNameIn(bank: Bank, language: Language): string {
  return language === 'zh-cn' ? bank.name : (bank.latinName ?? bank.name);
}

/** A bank's name by its code at the channel; the code where this console does not know it, a dash for none. */
export function BankName({ channel, code }: { channel: ChannelCode; code: string | null }): ReactElement {
  const language = useLanguage();
  const bank = banksOf[channel]?.find((one) => one.code === code);
  return <span>{bank ? bankNameIn(bank, language) : (code ?? nothing)}</span>;
}
