import { contrastRatio, legibleOn, mix } from './contrast.ts';

/** The backgrounds of the pages that payers see: the page and the card on it. */
const backgrounds = {
  light: { page: '#f3f5f9', card: '#ffffff' },
  dark: { page: '#0f141b', card: '#171d26' },
} as const;
/** WCAG 2.2: contrast of text (1.4.3), and of controls with what is beside them (1.4.11). */
const textRatio = 4.5;
const controlRatio = 3;

/** The colors of a payer's page that follow the merchant's color. */
export interface CheckoutTones {
  /** The button, and the text on it. */
  button: string;
  onButton: string;
  /** Links, marks and outlines. */
  accent: string;
  /** A muted background for text in `accent`. */
  accentSoft: string;
}

/**
 * Whether a color can be a merchant's: a button of this color stands out from the white card. The text on it is black or white, one of
 * which is legible on any color.
 */
export function isCheckoutColor(hex: string): boolean {
  return contrastRatio(hex, backgrounds.light.card) >= controlRatio;
}

/** Returns the closest darker shade that {@link isCheckoutColor} accepts. */
export function checkoutColorNear(hex: string): string {
  return isCheckoutColor(hex) ? hex : legibleOn(hex, [backgrounds.light.card], 'darker', controlRatio);
}

/** Returns white if it is legible on a color, otherwise black. */
export function textOn(hex: string): '#ffffff' | '#000000' {
  return contrastRatio(hex, '#ffffff') >= textRatio ? '#ffffff' : '#000000';
}

/**
 * Derives the colors of a payer's page from the merchant's color. The light page shows its button as it is; where the color is too
 * close to the background, as a navy is on the dark page, its lightness changes only as far as needed.
 */
export function checkoutTones(hex: string, theme: 'light' | 'dark'): CheckoutTones {
  const { page, card } = backgrounds[theme];
  const direction = theme === 'light' ? 'darker' : 'lighter';
  const stands = contrastRatio(hex, card) >= controlRatio;
  const button = stands ? hex : legibleOn(hex, [card], direction, controlRatio);
  const accentSoft = mix(card, hex, theme === 'light' ? 0.1 : 0.18);
  const isLegible = [page, card, accentSoft].every((on) => contrastRatio(hex, on) >= textRatio);
  return {
    button,
    onButton: textOn(button),
    accent: isLegible ? hex : legibleOn(hex, [page, card, accentSoft], direction, textRatio),
    accentSoft,
  };
}
