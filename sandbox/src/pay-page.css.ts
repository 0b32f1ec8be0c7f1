import { Html } from './html.ts';

/** The page's style sheet: mobile first, light and dark. It is inlined in a style element with the nonce. */
export const payPageCss = new Html(`
:root {
  color-scheme: light dark;
  --page: #eef1f4; --card: #ffffff; --text: #17202a; --muted: #566270; --line: #d9dfe5;
  --accent: #0d6b5a; --on-accent: #ffffff; --good: #0d6b5a; --bad: #b3261e; --wait: #8a5300;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #0f1418; --card: #192127; --text: #e8edf2; --muted: #a3b1bf; --line: #33404b;
    --accent: #4cc9aa; --on-accent: #06231c; --good: #4cc9aa; --bad: #ff8a80; --wait: #ffc46b;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0; min-height: 100vh; min-height: 100dvh; display: flex; flex-direction: column;
  background: var(--page); color: var(--text);
  font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "PingFang SC", "Noto Sans", sans-serif;
}
header {
  padding: .75rem 1rem; text-align: center; background: #ffd866; color: #332500; font-weight: 600;
}
main {
  width: 100%; max-width: 27rem; margin: 0 auto; padding: 1.5rem 1.25rem; background: var(--card); flex: 1;
}
h1 { margin: 0; font-size: 1.25rem; line-height: 1.3; }
p { margin: .5rem 0 0; }
.muted { color: var(--muted); }
.mark {
  display: grid; place-items: center; width: 3.5rem; height: 3.5rem; margin-bottom: 1rem;
  border: 2px solid currentColor; border-radius: 50%; font-size: 1.5rem; font-weight: 700;
}
.paid { color: var(--good); }
.refused, .cancelled, .expired, .unknown { color: var(--bad); }
.processing { color: var(--wait); }
.amount {
  margin: 1.25rem 0 0; font-size: 2rem; line-height: 1.2; font-weight: 700; font-variant-numeric: tabular-nums;
  overflow-wrap: anywhere;
}
.late { margin-top: 1.25rem; padding: .75rem; border-left: 4px solid var(--wait); background: var(--page); }
dl { margin: 1.25rem 0 0; border-top: 1px solid var(--line); }
dl div { padding: .75rem 0; border-bottom: 1px solid var(--line); }
dt { color: var(--muted); font-size: .875rem; }
dd { margin: 0; overflow-wrap: anywhere; white-space: pre-line; }
form { margin: 1rem 0 0; }
form:first-of-type { margin-top: 1.5rem; }
button, .button {
  display: block; width: 100%; min-height: 3rem; padding: .7rem 1rem; border: 1px solid var(--accent);
  border-radius: .75rem; background: var(--accent); color: var(--on-accent);
  font: inherit; font-weight: 600; text-align: center; text-decoration: none; cursor: pointer;
}
.button { margin-top: 1.5rem; }
.button + .button { margin-top: 1rem; }
.plain { border-color: var(--line); background: transparent; color: var(--text); }
:focus-visible { outline: 3px solid var(--wait); outline-offset: 2px; }
nav { padding: 1rem; text-align: center; }
nav a { display: inline-block; padding: .5rem .75rem; color: var(--muted); }
nav a[aria-current] { color: var(--text); font-weight: 600; text-decoration: none; }
@media (min-width: 40rem) {
  main { flex: none; margin: 2.5rem auto 0; padding: 2rem; border-radius: 1rem; }
}
`);
