import { isComposing } from '@hengfu/ui/browser/is-composing.ts';
import type { KeyboardEvent } from 'react';

/** Rows that a key moves by. */
const steps: Readonly<Record<string, number>> = { ArrowUp: -1, ArrowDown: 1, Enter: 1 };

/**
 * Moves between the rows as in a spreadsheet: up and down with the arrows, down with Enter, up with Shift and Enter. Only in
 * text cells: in a list of choices these keys open it and choose.
 */
export function useCellKeys(count: number, goTo: (index: number, field: string) => void) {
  return (event: KeyboardEvent): void => {
    const { key, target, nativeEvent } = event;
    const step = steps[key];
    if (step === undefined || isComposing(nativeEvent) || !(target instanceof HTMLInputElement)) return;
    const { field } = target.dataset;
    const row = target.closest<HTMLElement>('tbody[data-index]');
    if (field === undefined || !row) return;
    event.preventDefault();
    const index = Number(row.dataset.index) + (key === 'Enter' && event.shiftKey ? -step : step);
    if (index >= 0 && index < count) goTo(index, field);
  };
}
