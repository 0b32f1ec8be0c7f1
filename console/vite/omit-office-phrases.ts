import type { Plugin } from 'vite';

const officePhrases = /\/phrases\/src\/[\w-]+\/(?:office[\w-]*|open-errors)\.ts$/;
const exported = /export const (\w+)/g;

/**
 * Leaves out the phrases that only the back office shows, and the titles of the Open API's errors: a third of a language, which every
 * page of the console would load.
 */
export function omitOfficePhrases(): Plugin {
  return {
    name: 'omit-office-phrases',
    enforce: 'pre',
    transform(code, id) {
      if (!officePhrases.test(id)) return null;
      const names = [...code.matchAll(exported)].map(([, name]) => name);
      return { code: names.map((name) => `export const ${name} = {};`).join('\n'), map: null };
    },
  };
}
