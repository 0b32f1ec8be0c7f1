import page from '../cashier.css?inline';
import actions from '../cashier-actions.css?inline';
import layout from '../cashier-layout.css?inline';
import summary from '../cashier-summary.css?inline';

const own = `
:host { display: block; }
#root { min-height: 0; padding: 0.5rem 1rem; }
`;

/**
 * The style sheets of the checkout page, as a phone applies them: never the layout of wide screens, and the dark colors if the phone is dark,
 * whatever the device of whoever looks.
 */
export function phoneSheets(theme: 'light' | 'dark'): CSSStyleSheet[] {
  return [page, summary, actions, layout, own].map((text) => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(text);
    for (const rule of sheet.cssRules) if (rule instanceof CSSMediaRule) adapt(rule, theme);
    return sheet;
  });
}

function adapt({ media }: CSSMediaRule, theme: 'light' | 'dark'): void {
  if (media.mediaText.includes('prefers-color-scheme'))
    media.mediaText = theme === 'dark' ? 'all' : 'not all';
  else if (media.mediaText.includes('width')) media.mediaText = 'not all';
}
