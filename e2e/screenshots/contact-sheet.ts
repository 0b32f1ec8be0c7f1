import type { Browser } from '@playwright/test';

/** A screenshot on the sheet. */
export interface Shot {
  file: string;
  name: string;
}

/** Width of a screenshot on the sheet, in pixels. */
const thumbWidth = (width: number) => (width < 600 ? 200 : 460);

/** Returns a page with all screenshots of one width, theme and language, each linked to its file. */
export function sheetHtml(title: string, shots: readonly Shot[], width: number): string {
  const figures = shots.map(
    ({ file, name }) =>
      `<figure><a href="${file}"><img src="${file}" width="${thumbWidth(width)}"></a><figcaption>${name}</figcaption></figure>`,
  );
  const style =
    'body{margin:16px;background:#8a93a3;font:13px sans-serif}main{display:flex;flex-wrap:wrap;gap:16px;align-items:start}figure{margin:0}a{display:block;max-height:620px;overflow:hidden}img{display:block}';
  return `<!doctype html><meta charset="utf-8"><title>${title}</title><style>${style}</style><h1>${title}</h1><main>${figures.join('')}</main>`;
}

/** Saves the sheet itself as one image. */
export async function captureSheet(browser: Browser, url: string, to: string): Promise<void> {
  const page = await browser.newPage({ viewport: { width: 1960, height: 1000 } });
  await page.goto(url, { waitUntil: 'load' });
  await page.screenshot({ path: to, fullPage: true });
  await page.close();
}
