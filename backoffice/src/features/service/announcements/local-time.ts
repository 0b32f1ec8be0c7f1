/** An instant as the value of a field for a local time, in this browser's zone, to the minute. */
export function localTimeOf(instant: string): string {
  const at = new Date(instant);
  const two = (part: number) => String(part).padStart(2, '0');
  const day = [at.getFullYear(), two(at.getMonth() + 1), two(at.getDate())].join('-');
  return `${day}T${two(at.getHours())}:${two(at.getMinutes())}`;
}
