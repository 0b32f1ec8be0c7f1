import type { Plugin } from 'vite';

/** An entry that only starts another chunk is not worth a request of its own. */
const mostBytes = 500;

/** Puts an entry script that is next to nothing into the page itself; what it imports is preloaded as before. */
export function inlineEntry(): Plugin {
  return {
    name: 'hengfu:inline-entry',
    apply: 'build',
    enforce: 'post',
    transformIndexHtml: {
      order: 'post',
      handler(html, { chunk }) {
        if (!chunk || chunk.code.length > mostBytes) return html;
        const script = new RegExp(`<script type="module"[^>]* src="[^"]*${chunk.fileName}"[^>]*></script>`);
        const code = chunk.code.trim().replaceAll('"./', '"/assets/');
        return html.replace(script, () => `<script type="module" nonce="__CSP_NONCE__">${code}</script>`);
      },
    },
  };
}
