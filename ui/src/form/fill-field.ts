/**
 * Sets the value of a form's field. The event tells a control that draws itself, such as a combobox, which keeps its value in a
 * hidden input.
 */
export function fillField(field: Element | RadioNodeList | null, value: string): void {
  if (!(field instanceof HTMLInputElement || field instanceof HTMLSelectElement)) return;
  field.value = value;
  field.dispatchEvent(new Event('change'));
}
