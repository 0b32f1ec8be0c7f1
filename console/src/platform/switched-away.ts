import { create } from 'zustand';

/** Whether the session works for another merchant than this page was rendered for. It stays so until the page is loaded anew. */
export const useSwitched = create<{ isSwitched: boolean }>(() => ({ isSwitched: false }));

/** Notes that the session works for another merchant than this page was rendered for: its person has switched in another tab. */
export function noteSwitchedAway(): void {
  useSwitched.setState({ isSwitched: true });
}
