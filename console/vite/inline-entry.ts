import type { Plugin } from 'vite';

/** Entries up to this size only import another chunk, and are not worth a request. */
const maxInlineLength = 500;

/** Inlines a tiny entry script into the page; its imports are preloaded as before. */
export function inlineEntry(): Plugin {
  return {
    name: 'hengfu:inline-entry',
    apply: 'build',
    enforce: 'post',
    transformIndexHtml: {
      order: 'post',
      handler(html, { chunk }) {
        if (!chunk || chunk.code.length > maxInlineLength) return html;
        const script = new RegExp(`<script type="module"[^>]* src="[^"]*${chunk.fileName}"[^>]*></script>`);
        const code = chunk.code.trim().replaceAll('"./', '"/assets/');
        return html.replace(script, () => `<script type="module" nonce="__CSP_NONCE__">${code}</script>`);
      },
    },
  };
}
