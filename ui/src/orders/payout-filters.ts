import { bankNameIn, banksOf } from '@hengfu/contract/banks';
import {
  type ChannelField,
  channelCatalogue,
  channelCodes,
  channelFields,
  pixKeyTypes,
} from '@hengfu/contract/channels';
import type { Language } from '@hengfu/contract/languages';
import type { Currency } from '@hengfu/contract/money';
import type { ListFilter } from '../list/list-types.ts';
import { statusOptions } from '../values/status-tag.tsx';
import { approvalLooks } from './approval-looks.ts';
import { channelOptions } from './channel-name.tsx';
import { namesOf } from './names-of.ts';
import { payoutLooks } from './payout-looks.ts';

/** The filters of a list of payouts: all that both apps accept, except those of fields that no channel of the currency has. */
export function payoutFilters(currency: Currency, language: Language) {
  return [
    {
      kind: 'text',
      name: 'trade_no',
      match: 'beginning',
      prompt: 'validation.tradeNoRequired',
      label: 'payouts.trade_no',
      isInline: true,
    },
    {
      kind: 'text',
      name: 'out_trade_no',
      match: 'beginning',
      prompt: 'validation.outTradeNoRequired',
      label: 'payouts.out_trade_no',
      isInline: true,
    },
    {
      kind: 'choice',
      name: 'status',
      label: 'payouts.statusLabel',
      prompt: 'validation.orderStatusRequired',
      options: statusOptions(namesOf(payoutLooks), payoutLooks),
    },
    {
      kind: 'choice',
      name: 'approvalState',
      label: 'approvals.stateLabel',
      options: statusOptions(namesOf(approvalLooks), approvalLooks),
    },
    { kind: 'days', from: 'createdFrom', to: 'createdTo', label: 'payouts.createdAt' },
    { kind: 'days', from: 'paidFrom', to: 'paidTo', label: 'payouts.paidAt' },
    { kind: 'amount', from: 'amountFrom', to: 'amountTo', label: 'payouts.amount' },
    { kind: 'text', name: 'payee', label: 'payouts.payee', prompt: 'validation.payeeRequired' },
    {
      kind: 'text',
      name: 'payeeAccount',
      label: 'payouts.payeeAccount',
      prompt: 'validation.payeeAccountRequired',
    },
    { kind: 'text', name: 'batch_no', label: 'payoutBatches.batchNo' },
    {
      kind: 'choice',
      name: 'channel',
      label: 'payouts.channel',
      prompt: 'validation.channelRequired',
      options: channelOptions(currency),
      isSingle: true,
    },
    ...channelFilters(currency, language),
  ] as const satisfies readonly ListFilter[];
}

/** The filters of the fields that only some channels have: those of the currency's channels. Names of banks and branches have none (0017). */
function channelFilters(currency: Currency, language: Language) {
  const channels = channelCodes.filter((code) => channelCatalogue[code].currency === currency);
  const fields = new Set(channels.flatMap<ChannelField>((code) => channelFields[code]));
  const banks = channels.flatMap((code) => banksOf[code] ?? []);
  const filters = [
    {
      kind: 'choice',
      name: 'bank',
      label: 'payouts.bank',
      prompt: 'validation.bankRequired',
      options: banks.map((bank) => ({ value: bank.code, text: bankNameIn(bank, language) })),
      isSingle: true,
    },
    { kind: 'text', name: 'ifsc', label: 'payouts.ifsc', prompt: 'validation.ifscRequired' },
    {
      kind: 'choice',
      name: 'accountType',
      label: 'payouts.accountType',
      prompt: 'validation.accountTypeRequired',
      options: pixKeyTypes.map((value) => ({ value, label: `payouts.pixKey.${value}` as const })),
      isSingle: true,
    },
    { kind: 'text', name: 'taxId', label: 'payouts.taxId', prompt: 'validation.taxIdRequired' },
  ] as const satisfies readonly ListFilter<ChannelField>[];
  return filters.filter(({ name }) => fields.has(name));
}
