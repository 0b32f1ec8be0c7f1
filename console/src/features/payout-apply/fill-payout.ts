import type { KnownPayee } from '@hengfu/contract/payouts';
import { fillField } from '@hengfu/ui/form/fill-field.ts';
import type { PastedFields } from './paste.rules.ts';

/** Fields that react to what is typed: the bank follows the account, the branch's name the IFSC. */
const watched = ['payeeAccount', 'ifsc'];

/**
 * Fills the form with what was found in a text, or with an earlier payee. A field that the payee does not have becomes empty:
 * the branch of another payee must not stay.
 */
export function fillPayout(form: HTMLFormElement, found: PastedFields | KnownPayee): void {
  for (const [name, value] of Object.entries(found)) {
    const field = form.elements.namedItem(name);
    if (!(field instanceof HTMLElement) || name === 'channel' || value === undefined) continue;
    delete field.dataset.suggested;
    fillField(field, value ?? '');
  }
  for (const name of watched) {
    const field = form.elements.namedItem(name);
    if (name in found && field instanceof HTMLElement)
      field.dispatchEvent(new Event('input', { bubbles: true }));
  }
}
