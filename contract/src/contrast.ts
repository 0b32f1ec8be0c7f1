/** Color arithmetic of WCAG 2.2 (relative luminance, contrast ratio) on six-digit hex colors. */

type Rgb = readonly [red: number, green: number, blue: number];

function channelsOf(hex: string): Rgb {
  const value = Number.parseInt(hex.slice(1), 16);
  return [(value >> 16) & 255, (value >> 8) & 255, value & 255];
}

function luminance(hex: string): number {
  const [red, green, blue] = channelsOf(hex).map((channel) => {
    const share = channel / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Contrast ratio of two colors, 1 to 21. Text needs 4.5, large text and controls 3. */
export function contrastRatio(first: string, second: string): number {
  const [darker, lighter] = [luminance(first), luminance(second)].sort((a, b) => a - b) as [number, number];
  return (lighter + 0.05) / (darker + 0.05);
}

/** Mixes two colors; `share` is the weight of the second, 0 to 1. */
export function mix(first: string, second: string, share: number): string {
  const other = channelsOf(second);
  return hexOf(channelsOf(first).map((channel, at) => channel + ((other[at] ?? channel) - channel) * share));
}

/**
 * Moves a color's lightness towards black (`darker`) or white, only as far as needed for the ratio against
 * every background. Keeps hue and saturation, so that a theme color stays recognizable.
 */
export function legibleOn(
  hex: string,
  backgrounds: readonly string[],
  direction: 'darker' | 'lighter',
  ratio = 4.5,
): string {
  const [hue, saturation, lightness] = hslOf(hex);
  const step = direction === 'darker' ? -0.01 : 0.01;
  for (let tried = lightness; tried > 0 && tried < 1; tried += step) {
    const candidate = hexOfHsl(hue, saturation, tried);
    if (backgrounds.every((background) => contrastRatio(candidate, background) >= ratio)) return candidate;
  }
  return direction === 'darker' ? '#000000' : '#ffffff';
}

function hslOf(hex: string): [hue: number, saturation: number, lightness: number] {
  const [red, green, blue] = channelsOf(hex).map((channel) => channel / 255) as [number, number, number];
  const max = Math.max(red, green, blue);
  const range = max - Math.min(red, green, blue);
  const lightness = max - range / 2;
  if (range === 0) return [0, 0, lightness];
  const sector =
    max === red
      ? ((green - blue) / range) % 6
      : max === green
        ? (blue - red) / range + 2
        : (red - green) / range + 4;
  return [(sector * 60 + 360) % 360, range / (1 - Math.abs(2 * lightness - 1)), lightness];
}

function hexOfHsl(hue: number, saturation: number, lightness: number): string {
  const reach = saturation * Math.min(lightness, 1 - lightness);
  const channel = (offset: number) => {
    const at = (offset + hue / 30) % 12;
    return 255 * (lightness - reach * Math.max(-1, Math.min(at - 3, 9 - at, 1)));
  };
  return hexOf([channel(0), channel(8), channel(4)]);
}

function hexOf(channels: readonly number[]): string {
  return `#${channels.map((channel) => Math.round(channel).toString(16).padStart(2, '0')).join('')}`;
}
