import type { CurrentUser, Language } from '@hengfu/contract/session';

/** What the server writes into the page, so that the console need not ask for it first. */
export interface Boot {
  /** Null: nobody is signed in. Absent: the server could not tell just then. */
  user?: CurrentUser | null;
  title: string;
  version: string;
  /** A sign-in to try the product with; demo mode only. */
  demo: { email: string; password: string } | null;
  language: Language;
  /** Answers that the page would ask for first, by the calls' paths. */
  replies: Readonly<Record<string, { data: unknown }>>;
}

function readBoot(): Boot | undefined {
  try {
    const value: unknown = JSON.parse(document.getElementById('boot')?.textContent ?? '');
    return isBoot(value) ? value : undefined;
  } catch {
    // A page without it (a development server) asks for the user instead.
    return undefined;
  }
}

/**
 * The server of this very release wrote it, so a look at its outline is enough; a schema would bring the validation
 * library into the sign-in page.
 */
function isBoot(value: unknown): value is Boot {
  return typeof value === 'object' && value !== null && 'title' in value && 'replies' in value;
}

/** The server's word on this page load; undefined where the page came without. */
export const boot: Boot | undefined = readBoot();

/** The product's name as configured on the server. */
export const productTitle: string = boot?.title || '衡付 Hengfu';

/** Nonce of the page's content security policy, for the style sheets that antd makes at run time. */
export const cspNonce: string | undefined = document.querySelector<HTMLElement>('[nonce]')?.nonce;
