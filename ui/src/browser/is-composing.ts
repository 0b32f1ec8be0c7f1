/**
 * Whether a key belongs to the composition of a character (pinyin, Telex), so that Enter and Escape are the input method's. Safari
 * ends the composition before it sends its last key, which only the key code 229 gives away.
 */
export function isComposing({
  isComposing,
  keyCode,
}: Pick<KeyboardEvent, 'isComposing' | 'keyCode'>): boolean {
  return isComposing || keyCode === 229;
}
