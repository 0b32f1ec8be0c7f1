import axe from 'axe-core';

const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** Returns axe's violations on the page: rule, target and markup of each element. */
export async function violations(): Promise<string[]> {
  const found = await axe.run(document, {
    runOnly: { type: 'tag', values: tags },
    resultTypes: ['violations'],
    iframes: false,
  });
  return found.violations.flatMap(({ id, nodes }) =>
    nodes.filter(({ html }) => !isExempt(id, html)).map(({ html, target }) => `${id} ${target} ${html}`),
  );
}

/**
 * Two facts that axe cannot see, as in e2e/axe.ts: the guards around menus and boxes pass the focus on, and a menu belongs to the
 * button that opened it.
 */
function isExempt(rule: string, html: string): boolean {
  if (rule === 'aria-hidden-focus') return html.includes('data-base-ui-focus-guard');
  return rule === 'region' && html.includes('role="menu"');
}
