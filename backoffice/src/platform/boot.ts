import type { Language } from '@hengfu/contract/languages';
import type { CurrentStaff } from '@hengfu/contract/staff/session';

/** Data that the server embeds in the page. */
interface Boot {
  /** Null: not signed in. Absent: the server could not determine it. */
  user?: CurrentStaff | null;
  title: string;
  version: string;
  /** Demo credentials; demo mode only. */
  demo: { email: string; password: string } | null;
  language: Language;
}

function readBoot(): Boot | undefined {
  try {
    return JSON.parse(document.getElementById('boot')?.textContent ?? '') as Boot;
  } catch {
    return undefined;
  }
}

/** The boot data of this page load, if any. */
export const boot: Boot | undefined = readBoot();

/** The product's name as configured on the server. */
export const productTitle: string = boot?.title || '衡付 Hengfu';
