import { expect, it } from 'vitest';
import { checkoutColorNear, checkoutTones, isCheckoutColor, textOn } from './checkout-colors.ts';
import { contrastRatio } from './contrast.ts';

/** Every hue, from black to white. */
const colors = ['00', '33', '66', '99', 'cc', 'ff'].flatMap((red, _, levels) =>
  levels.flatMap((green) => levels.map((blue) => `#${red}${green}${blue}`)),
);

it('accepts colors whose button stands out from the white card, and no others', () => {
  for (const color of ['#000000', '#1677ff', '#e60012', '#c96b00', '#767676', '#00915a'])
    expect([color, isCheckoutColor(color)]).toEqual([color, true]);
  for (const color of ['#ffffff', '#fff176', '#ffe4e1', '#07c160', '#bbbbbb'])
    expect([color, isCheckoutColor(color)]).toEqual([color, false]);
});

it('proposes a shade that is accepted, and keeps one that is', () => {
  expect(checkoutColorNear('#1677ff')).toBe('#1677ff');
  for (const color of colors)
    expect([color, isCheckoutColor(checkoutColorNear(color))]).toEqual([color, true]);
});

it('puts white text on dark colors and black text on light ones, both legible', () => {
  expect([textOn('#1d39c4'), textOn('#f59e0b')]).toEqual(['#ffffff', '#000000']);
  for (const color of colors) expect(contrastRatio(color, textOn(color))).toBeGreaterThanOrEqual(4.5);
});

it('derives colors that are legible on both pages, whatever the merchant’s color', () => {
  const cards = { light: ['#ffffff', '#f3f5f9'], dark: ['#171d26', '#0f141b'] } as const;
  for (const theme of ['light', 'dark'] as const)
    for (const color of colors) {
      const { button, onButton, accent, accentSoft } = checkoutTones(color, theme);
      const ratios = [
        contrastRatio(button, onButton) >= 4.5,
        contrastRatio(button, cards[theme][0]) >= 3,
        ...[...cards[theme], accentSoft].map((on) => contrastRatio(accent, on) >= 4.5),
      ];
      expect([theme, color, ratios.every(Boolean)]).toEqual([theme, color, true]);
    }
});

it('shows an accepted color as it is', () => {
  expect(checkoutTones('#e60012', 'light').button).toBe('#e60012');
});
