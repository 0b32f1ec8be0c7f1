/** Renders a page's links; returns undefined for one that leads to no page that is served, whose text is then shown alone. */
export type ResolveLink = (target: string) => string | undefined;

/**
 * Renders the part of Markdown that our documents for developers use: headings, paragraphs, lists, tables, code and links. All text is
 * escaped, so a document cannot contain HTML of its own.
 */
export function renderMarkdown(text: string, resolve: ResolveLink): string {
  const blocks: string[] = [];
  for (let lines = text.split('\n'); lines.length > 0; ) {
    const read = readers.find(({ begins }) => begins.test(lines[0] ?? '')) ?? paragraph;
    const { taken, html } = read.read(lines, (source) => inline(source, resolve));
    lines = lines.slice(taken);
    if (html !== '') blocks.push(html);
  }
  return blocks.join('\n');
}

/** Returns the first heading of a document. */
export function titleOf(text: string): string {
  return /^# (.+)$/m.exec(text)?.[1] ?? '';
}

interface Reader {
  begins: RegExp;
  /** Reads a block from the first lines on; returns how many it took. */
  read(lines: readonly string[], inline: (text: string) => string): { taken: number; html: string };
}

/** Counts the first lines that belong to a block. */
function lengthOf(lines: readonly string[], belongs: (line: string) => boolean): number {
  const end = lines.findIndex((line) => !belongs(line));
  return end === -1 ? lines.length : end;
}

const listItem = /^(?:- |\d+\. )/;
const startsBlock = /^(?:#{1,4} |```|\||- |\d+\. |\s*$)/;

const paragraph: Reader = {
  begins: /./,
  read(lines, inline) {
    const taken = 1 + lengthOf(lines.slice(1), (line) => !startsBlock.test(line));
    return { taken, html: `<p>${inline(lines.slice(0, taken).join(' '))}</p>` };
  },
};

const readers: readonly Reader[] = [
  { begins: /^\s*$/, read: () => ({ taken: 1, html: '' }) },
  {
    begins: /^#{1,4} /,
    read([line = ''], inline) {
      const [, marks = '', text = ''] = /^(#+) (.*)$/.exec(line) ?? [];
      const level = marks.length;
      return { taken: 1, html: `<h${level} id="${anchorOf(text)}">${inline(text)}</h${level}>` };
    },
  },
  {
    begins: /^```/,
    read(lines) {
      const length = lengthOf(lines.slice(1), (line) => line !== '```');
      const code = lines.slice(1, 1 + length).join('\n');
      return { taken: length + 2, html: codeBlock(code) };
    },
  },
  {
    begins: /^ {4}/,
    read(lines) {
      const isCode = (line: string, index: number) =>
        line.startsWith('    ') || (line === '' && (lines[index + 1] ?? '').startsWith('    '));
      const end = lines.findIndex((line, index) => !isCode(line, index));
      const taken = end === -1 ? lines.length : end;
      return {
        taken,
        html: codeBlock(
          lines
            .slice(0, taken)
            .map((line) => line.slice(4))
            .join('\n'),
        ),
      };
    },
  },
  {
    begins: /^\|/,
    read(lines, inline) {
      const taken = lengthOf(lines, (line) => line.startsWith('|'));
      const [head = '', , ...rows] = lines.slice(0, taken);
      const row = (line: string, tag: string) =>
        `<tr>${cellsOf(line)
          .map((cell) => `<${tag}>${inline(cell)}</${tag}>`)
          .join('')}</tr>`;
      const body = rows.map((line) => row(line, 'td')).join('');
      const table = `<table><thead>${row(head, 'th')}</thead><tbody>${body}</tbody></table>`;
      return { taken, html: `<div class="wide" tabindex="0">${table}</div>` };
    },
  },
  {
    begins: listItem,
    read(lines, inline) {
      const isItem = (line: string) => listItem.test(line) || /^ {2,}\S/.test(line);
      const taken = lengthOf(lines, isItem);
      const items: string[] = [];
      for (const line of lines.slice(0, taken)) {
        if (listItem.test(line)) items.push(line.replace(listItem, ''));
        else items.push(`${items.pop() ?? ''} ${line.trim()}`);
      }
      const tag = lines[0]?.startsWith('-') ? 'ul' : 'ol';
      return { taken, html: `<${tag}>${items.map((item) => `<li>${inline(item)}</li>`).join('')}</${tag}>` };
    },
  },
];

function codeBlock(code: string): string {
  return `<pre tabindex="0"><code>${escapeHtml(code)}</code></pre>`;
}

function cellsOf(line: string): string[] {
  return line
    .replace(/^\||\|\s*$/g, '')
    .split('|')
    .map((cell) => cell.trim());
}

/** Makes the anchor of a heading as code hosts do, so that links work there, too. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(/\s/g, '-');
}

const spans = /(`[^`]+`|\[(?:[^\]`]|`[^`]*`)+\]\([^)\s]+\))/;

/** Renders code, bold text and links within a line. Nothing within code is Markdown. */
function inline(text: string, resolve: ResolveLink): string {
  return text
    .split(spans)
    .map((part) => {
      if (/^`.+`$/.test(part)) return `<code>${escapeHtml(part.slice(1, -1))}</code>`;
      const [, label, target] = /^\[(.+)\]\(([^)\s]+)\)$/.exec(part) ?? [];
      if (label === undefined || target === undefined) return emphasized(part);
      const address = resolve(target);
      const shown = inline(label, () => undefined);
      return address === undefined ? shown : `<a href="${escapeHtml(address)}">${shown}</a>`;
    })
    .join('');
}

function emphasized(text: string): string {
  return escapeHtml(text).replaceAll(/\*\*([^*]+)\*\*/g, '<strong>$1</strong>');
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Escapes text for HTML. */
export function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"]/g, (character) => entities[character] ?? '');
}
