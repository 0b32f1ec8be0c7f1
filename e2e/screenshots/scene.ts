import type { Page } from '@playwright/test';

/** A state of the console, or of the back office, to be captured. */
export interface Scene {
  name: string;
  /** Its path, or a function that creates what it shows and returns the path. */
  path: string | (() => Promise<string>);
  /** Brings the page into the state. Works in every language: by roles and positions, not by text. */
  act?: (page: Page) => Promise<void>;
  /** The user's settings in local storage. */
  settings?: Readonly<Record<string, string>>;
  /** Needs no session. */
  isOpen?: true;
  /** A page of the back office. */
  isOffice?: true;
}
