import type { Language } from '@hengfu/contract/languages';
import type { CurrentUser } from '@hengfu/contract/session';

/** Data that the server embeds in the page, which saves the console its first requests. */
export interface Boot {
  /** Null: not signed in. Absent: the server could not determine it (database unavailable). */
  user?: CurrentUser | null;
  /** The user has signed in, and has to choose a merchant next. */
  isMerchantDue?: boolean;
  title: string;
  version: string;
  /** Demo credentials; demo mode only. */
  demo: { email: string; password: string } | null;
  /** Whether test mode is set up on this installation. */
  hasTestMode: boolean;
  language: Language;
  /** Replies to the page's first calls, by path. */
  replies: Readonly<Record<string, { data: unknown }>>;
  /** First pages of lists without filters, by the paths of their calls. */
  lists: Readonly<Record<string, unknown>>;
  /** When the server began to read them, in ms since the epoch by its clock. */
  readAt: number;
}

function readBoot(): Boot | undefined {
  try {
    const value: unknown = JSON.parse(document.getElementById('boot')?.textContent ?? '');
    return isBoot(value) ? value : undefined;
  } catch {
    // A page without boot data (a development server) loads the user by a call instead.
    return undefined;
  }
}

/**
 * A shallow check is enough, because the server of the same release wrote the data. A schema would pull the
 * validation library into the sign-in page.
 */
function isBoot(value: unknown): value is Boot {
  return (
    typeof value === 'object' && value !== null && 'title' in value && 'replies' in value && 'lists' in value
  );
}

/** The boot data of this page load, if any. */
export const boot: Boot | undefined = readBoot();

/** The product's name as configured on the server. */
export const productTitle: string = boot?.title || '衡付 Hengfu';
