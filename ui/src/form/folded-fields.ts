type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

/** Whether one of the fields inside an element has a value, or an error. */
export function hasFoldedContent(inside: ParentNode, faults: Readonly<Record<string, unknown>>): boolean {
  const fields = inside.querySelectorAll<Control>('input[name], select[name], textarea[name]');
  return [...fields].some(({ name, value }) => value !== '' || name in faults);
}
