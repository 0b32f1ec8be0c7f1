import type * as z from 'zod';
import { translateIssue } from '../language/i18n.ts';

/** A form's values, checked by its schema. */
interface CheckedFields<T> {
  /** Undefined if they are invalid. */
  data: T | undefined;
  isValid: boolean;
  /** The first error of each field, by field name. */
  faults: Readonly<Record<string, string>>;
  /** Several fields are empty that must not be. */
  isIncomplete: boolean;
}

/** Checks a form's values, and focuses the first field with an error. Without a schema, every value is valid. */
export function checkFields<S extends z.ZodType>(
  form: HTMLFormElement,
  schema: S | undefined,
): CheckedFields<z.output<S>> {
  const values = new FormData(form);
  const checked = schema?.safeParse(Object.fromEntries(values));
  const issues = checked?.error?.issues.toReversed() ?? [];
  const faults = Object.fromEntries(
    issues.map(({ path, message }) => [String(path[0]), translateIssue(message)]),
  );
  focusFirst(form, faults);
  return {
    data: checked?.data,
    isValid: issues.length === 0,
    faults,
    isIncomplete: countEmpty(Object.keys(faults), values) > 1,
  };
}

function countEmpty(names: readonly string[], values: FormData): number {
  return names.filter((name) => String(values.get(name) ?? '').trim() === '').length;
}

/** Focuses the first field of a form that has an error; of a control with a hidden input, the button after it. */
export function focusFirst(form: HTMLFormElement, faults: Readonly<Record<string, unknown>>): void {
  const first = [...form.elements].find((element) => (element.getAttribute('name') ?? '') in faults);
  const shown = first?.getAttribute('type') === 'hidden' ? first.nextElementSibling : first;
  if (!(shown instanceof HTMLElement)) return;
  // A field that is folded away takes no focus.
  const fold = shown.closest('details');
  if (fold) fold.open = true;
  shown.focus();
}
