import { type Bank, banksOf } from '@hengfu/contract/banks';
import type { ChannelCode } from '@hengfu/contract/channels';
import { fillField } from '@hengfu/ui/form/fill-field.ts';
import { useState } from 'react';
import { recognizeBank } from '../../../shared/payments/card-bank.ts';
import { bankNameFor, bankToFill } from '../../../shared/payments/card-bank-choice.ts';

/** The bank that the account's first digits name, and whether another one is chosen. */
export interface CardBank {
  recognized: Bank | undefined;
  isOther: boolean;
  /** The account was edited. */
  onAccount: (account: HTMLInputElement) => Promise<void>;
  /** The user chose a bank. */
  onChosen: (form: HTMLFormElement | null, code: string) => void;
}

/**
 * Suggests the bank of a card: fills an empty field, and never replaces what the user chose. The field is marked with the code
 * that was suggested last (`data-suggested`); whoever else fills it removes the mark.
 */
export function useCardBank(channel: ChannelCode): CardBank {
  const [recognized, setRecognized] = useState<Bank>();
  const [isOther, setOther] = useState(false);
  const banks = banksOf[channel] ?? [];

  const fill = (form: HTMLFormElement | null, code: string) => {
    const bankName = inputOf(form, 'bankName');
    fillField(inputOf(form, 'bank') ?? null, code);
    if (bankName) fillField(bankName, bankNameFor(code, bankName.value, banks));
  };
  return {
    recognized,
    isOther,
    async onAccount(account) {
      const typed = account.value;
      const bank = await recognizeBank(channel, typed);
      const field = inputOf(account.form, 'bank');
      // The account was edited, or the channel changed, while the prefixes were fetched.
      if (!field || account.value !== typed) return;
      const chosen = field.value;
      const { suggested = '' } = field.dataset;
      const code = bankToFill({ chosen, suggested, recognized: bank?.code });
      if (code !== chosen) {
        fill(account.form, code);
        field.dataset.suggested = code;
      }
      setRecognized(bank);
      setOther(bank !== undefined && bank.code !== code);
    },
    onChosen(form, code) {
      delete inputOf(form, 'bank')?.dataset.suggested;
      fill(form, code);
      setOther(recognized !== undefined && recognized.code !== code);
    },
  };
}

function inputOf(form: HTMLFormElement | null, name: string): HTMLInputElement | undefined {
  const field = form?.elements.namedItem(name);
  return field instanceof HTMLInputElement ? field : undefined;
}
