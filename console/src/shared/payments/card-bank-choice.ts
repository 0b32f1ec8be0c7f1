import type { Bank } from '@hengfu/contract/banks';

interface BankState {
  /** The bank's code in the form; '' if none. */
  chosen: string;
  /** The code that was suggested last; '' if none was, or the user has chosen since. */
  suggested: string;
  /** The code that the card's digits name now. */
  recognized: string | undefined;
}

/**
 * The bank to show after the account was edited: the recognized one, unless the user chose another. A suggestion goes when the
 * digits that led to it do.
 */
export function bankToFill({ chosen, suggested, recognized }: BankState): string {
  const isOpen = chosen === '' || chosen === suggested;
  return isOpen ? (recognized ?? '') : chosen;
}

/** The bank's name to show with a chosen bank: the list's, unless the field holds other text of the user's. */
export function bankNameFor(code: string, current: string, banks: readonly Bank[]): string {
  const isOpen = current === '' || banks.some(({ name }) => name === current);
  return isOpen ? (banks.find((bank) => bank.code === code)?.name ?? '') : current;
}
