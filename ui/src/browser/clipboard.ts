/**
 * Writes to the clipboard. Falls back to `execCommand` on plain http, where the clipboard API is unavailable. Throws if the
 * browser refuses.
 */
export async function writeClipboard(text: string): Promise<void> {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  const field = document.createElement('textarea');
  field.value = text;
  field.className = 'visually-hidden';
  document.body.append(field);
  field.select();
  const isCopied = document.execCommand('copy');
  field.remove();
  if (!isCopied) throw new Error('the browser refused to copy');
}
